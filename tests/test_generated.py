"""Hypothesis tries the same examples in every run, whatever ran before."""

import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generated import generated


def examples() -> list[str]:
    found = []

    @generated(200)
    @given(st.text())
    def run(text: str) -> None:
        found.append(text)

    run()
    return found


def test_examples_do_not_depend_on_the_modules_that_are_loaded(monkeypatch, tmp_path, request):
    if request.config.getoption("hypothesis_profile", default=None) not in (None, "fixed"):
        pytest.skip("another profile tries other examples in each run")
    before = examples()
    module = types.ModuleType("module_of_test_generated")
    module.__file__ = str(tmp_path / "module.py")
    (tmp_path / "module.py").write_text("WORDS = 'Infinity', 'NaN', 'zebra', 'quagga', 'okapi'\n")
    monkeypatch.setitem(sys.modules, module.__name__, module)

    assert examples() == before
