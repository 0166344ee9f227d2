"""What is not described in modules and packages."""

import itertools
import re
import textwrap
from dataclasses import dataclass
from typing import Any

import pytest

from milo_schema import SchemaError, profiles
from milo_schema.testing import assert_described

NUMBERS = itertools.count()
UNDESCRIBED = "no description; document it in the docstring or with Description(...)"
COMPLEX = "no JSON Schema for complex; use another type, or Schema({...})"
FILES = {
    "__init__.py": "",
    "api.py": """
        from __future__ import annotations
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from ._kinds import Price

        def buy(item: str, price: Price, count: int = "one"):
            '''Buy.

            Args:
                item: What.
                price: For how much.
                count: How many.
            '''

        def close() -> None: ...

        class Cart:
            def add(self, item: str) -> None: ...
        """,
    "legacy.py": """
        def sell(item: complex) -> None: ...

        def give(item: str) -> None: ...
        """,
    "_kinds.py": "Price = int",
    "_private.py": "raise ImportError",
    "tests/__init__.py": "raise ImportError",
}
OF_API = [
    'api.buy(count): its default does not fit: expected an integer, got "one"',
    f"api.Cart.add(item): {UNDESCRIBED}",
]
OF_LEGACY = [
    f"legacy.sell(item): {COMPLEX}",
    f"legacy.sell(item): {UNDESCRIBED}",
    f"legacy.give(item): {UNDESCRIBED}",
]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The name of a package, which no other test has."""
    name = f"shop_{next(NUMBERS)}"
    for file, text in FILES.items():
        path = tmp_path / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def lines(*targets: Any, **options: Any) -> list[str]:
    """The lines of the failure."""
    with pytest.raises(AssertionError) as caught:
        assert_described(*targets, **options)
    return str(caught.value).splitlines()


def test_a_package_stands_for_its_public_functions(package):
    assert lines(package) == [*OF_API, *OF_LEGACY]
    assert lines(f"{package}.api") == [line.removeprefix("api.") for line in OF_API]
    assert lines(f"{package}.legacy:give") == [f"give(item): {UNDESCRIBED}"]


def test_functions_and_packages_can_be_given_together(package):
    def stop(name: str) -> None: ...

    found = lines(stop, package, f"{package}.api", ignore=[f"{package}.legacy"], output=True)
    result = "() -> result: no annotation; annotate what it returns"
    assert found == [f"stop(name): {UNDESCRIBED}", OF_API[0], f"api.buy{result}", OF_API[1]]


def test_modules_and_functions_are_ignored_by_patterns(package):
    assert lines(package, ignore=[f"{package}.legacy"]) == OF_API
    assert_described(package, ignore=["*:buy", "*:Cart", "legacy.py"])


def test_only_selected_findings_fail(package):
    misfit = f"{OF_API[0]} [default-misfit]"
    fallback = f"{OF_LEGACY[0]} [fallback]"
    assert lines(package, select=["errors"]) == [misfit, fallback]
    assert lines(package, select=["undescribed-parameter", "fallback"]) == [
        f"{OF_API[1]} [undescribed-parameter]",
        fallback,
        *(f"{line} [undescribed-parameter]" for line in OF_LEGACY[1:]),
    ]
    assert_described(package, select=["repeated-schema"])


def test_functions_are_checked_for_the_selected_codes():
    def run(n: int = "one") -> None: ...  # type: ignore[assignment]

    finding = 'run(n): its default does not fit: expected an integer, got "one" [default-misfit]'
    assert lines(run, select=["errors"]) == [finding]


def test_the_description_of_a_class_is_one_of_its_parameters():
    @dataclass
    class Item:
        """What is bought."""

        parts: "list[Item]"

    def buy(item: Item, other: Item | None = None, more: list[Item] | None = None): ...

    assert lines(buy) == [f"buy(more): {UNDESCRIBED}"]


def test_a_module_that_cannot_be_imported_is_a_problem(package, tmp_path):
    (tmp_path / package / "broken.py").write_text("1 / 0", encoding="utf-8")
    broken = f"importing {package}.broken raised ZeroDivisionError: division by zero"
    first, *others = lines(package, ignore=["*.legacy"])
    assert first.startswith(broken)
    assert others == OF_API
    (alone,) = lines(f"{package}.broken")
    assert alone.startswith(broken)


def test_a_package_without_functions_is_a_problem(package):
    assert lines(package, f"{package}.legacy", ignore=["*"]) == [
        f"{package}: found no functions",
        f"{package}.legacy: found no functions",
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "no module named no_such_shop"),
        ({"select": ["error"]}, "select has 'error', which is not a code of a finding; did you "),
    ],
    ids=["target", "code"],
)
def test_a_target_or_code_that_does_not_exist_is_an_error(options, reason):
    with pytest.raises(SchemaError, match=re.escape(reason)):
        assert_described("no_such_shop", **options)


def test_a_list_of_definitions_is_an_error(package, tmp_path):
    text = "TOOLS = [{'name': 'run', 'inputSchema': {'type': 'object'}}]"
    (tmp_path / package / "tools.py").write_text(text, encoding="utf-8")
    reason = f"{package}.tools:TOOLS has definitions of tools, not functions; pass them to "
    with pytest.raises(SchemaError, match=re.escape(reason)):
        assert_described(f"{package}.tools:TOOLS")


def test_names_for_annotations_replace_those_for_type_checkers(package):
    (first, *_) = lines(f"{package}.api:buy", localns={"Price": int})
    assert first == OF_API[0].removeprefix("api.")
    profile = profiles.MCP
    assert lines(f"{package}.api:buy", profile=profile, localns={"Price": complex}) == [
        f"buy(price): {COMPLEX}",
        first,
    ]


def test_a_module_that_prints_is_not_heard(package, tmp_path, capfd):
    (tmp_path / package / "legacy.py").write_text("print('Hello!')", encoding="utf-8")
    assert lines(package) == OF_API
    assert capfd.readouterr() == ("", "")
