"""Annotations in strings: the names that they find, and the errors about missing ones."""

import functools
import itertools
import sys
from typing import Any

import pytest

from milo_schema import SchemaError, function_to_schema
from tests.fragments import INTEGER, record
from tests.modules import module_from

# -- names of the class body -------------------------------------------------------------------


class Methods:
    Size = int

    def plain(self, size: "Size"): ...

    @classmethod
    def of_class(cls, size: "Size"): ...

    @staticmethod
    def static(size: "Size"): ...


def wrapped(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs): ...

    return wrapper


class Decorated:
    Size = int

    @wrapped
    def plain(self, size: "Size"): ...

    @classmethod
    @wrapped
    def of_class(cls, size: "Size"): ...

    @staticmethod
    @wrapped
    def static(size: "Size"): ...


@pytest.mark.parametrize("name", ["plain", "of_class", "static"])
@pytest.mark.parametrize("cls", [Methods, Decorated])
def test_string_annotation_of_a_method_finds_names_of_the_class_body(cls, name):
    for func in (getattr(cls, name), getattr(cls(), name)):
        assert function_to_schema(func, strict=True) == record(size=INTEGER)


# -- names that are handed in ------------------------------------------------------------------


class Impatient(dict[str, Any]):
    """Names that are not looked up again and again."""

    lookups = 0

    def __getitem__(self, name: str) -> Any:
        self.lookups += 1
        if self.lookups > 10:
            raise RuntimeError("looked up again and again")
        return super().__getitem__(name)


def test_name_that_only_a_nested_scope_lacks_is_missing():
    """Python looks up the names inside a lambda among the globals only."""

    def run(x: "(lambda: Local)()"): ...  # noqa: F821, PLC3002

    with pytest.raises(SchemaError) as caught:
        function_to_schema(run, strict=True, localns=Impatient(Local=int))
    assert str(caught.value) == (
        "run(x): cannot evaluate '(lambda: Local)()': no 'Local' in tests.annotations.test_hints; "
        "import it there at run time, or pass localns="
    )


@pytest.mark.parametrize("text", ["tuple[*Missing]", "tuple[int, *Missing, str]"])
def test_unpacking_a_missing_name_is_one_error(text):
    """Python treats an object with ``__getitem__`` and no ``__iter__`` as an endless sequence."""

    def run(x): ...

    run.__annotations__["x"] = text
    with pytest.raises(SchemaError) as caught:
        function_to_schema(run, strict=True)
    assert str(caught.value) == (
        "run(x): no 'Missing' in tests.annotations.test_hints; "
        "import it there at run time, or pass localns="
    )


# -- limits ------------------------------------------------------------------------------------


def chain(length: int) -> Any:
    """A function with an annotation of several strings, each the name of the next one."""
    names = [f"A{number}" for number in range(length)]
    lines = [f"{name} = '{following}'" for name, following in itertools.pairwise(names)]
    return module_from("\n".join([*lines, f"{names[-1]} = int", "def run(x: 'A0'): ..."])).run


def test_eleven_strings_may_refer_to_each_other():
    assert function_to_schema(chain(11), strict=True)["properties"] == {"x": {"type": "integer"}}
    with pytest.raises(SchemaError) as caught:
        function_to_schema(chain(12), strict=True)
    reason = "cannot evaluate 'A0': it evaluates only to other strings"
    assert (caught.value.path, caught.value.message) == ("run(x)", reason)


def decorated(times: int) -> Any:
    """A method that so many decorators wrap; its annotation is a name of the class body."""
    module = module_from("""
        class Commands:
            Size = int

            def run(self, size: "Size"): ...
    """)
    for _ in range(times):
        module.Commands.run = wrapped(module.Commands.run)
    return module.Commands().run


def test_ninety_eight_decorators_may_be_around_a_method():
    properties = {"size": {"type": "integer"}}
    assert function_to_schema(decorated(98), strict=True)["properties"] == properties
    with pytest.raises(SchemaError, match=r"no 'Size' in "):
        function_to_schema(decorated(99), strict=True)


# -- annotations that raise --------------------------------------------------------------------


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are not deferred before 3.14")
def test_annotations_of_a_function_that_raise_are_an_error():
    module = module_from("""
        def fail(format):
            raise ZeroDivisionError("oops")

        def run(size: int): ...

        run.__annotate__ = fail
    """)
    with pytest.raises(SchemaError) as caught:
        function_to_schema(module.run)
    assert str(caught.value) == "run: reading run.__annotations__ raised ZeroDivisionError('oops')"
