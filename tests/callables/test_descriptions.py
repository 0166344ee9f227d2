"""Where the descriptions of callables and parameters come from."""

import functools
import inspect
import operator
import sys
import types
import warnings
from typing import Any

import attrs
import pytest

from milo_schema import SchemaWarning, function_to_schema, profiles, tool_schema
from tests.callables.helpers import takes
from tests.callables.samples import NAME
from tests.every import every
from tests.fragments import STRING

FROM_CLASS = STRING | {"description": "From the class."}
FROM_INIT = STRING | {"description": "From __init__."}
WHO = {"name": STRING | {"description": "Who."}}


def test_a_class_is_described_by_its_docstring_and_that_of_init_even_an_inherited_one():
    class Both:
        """A class.

        Args:
            a: From the class.
            b: From the class.
        """

        def __init__(self, a: str, b: str, c: str) -> None:
            """Make it.

            Args:
                b: From __init__.
                c: From __init__.
            """

    class Derived(Both): ...

    for cls in (Both, Derived):
        takes(cls, {"a": FROM_CLASS, "b": FROM_INIT, "c": FROM_INIT}, ["a", "b", "c"])


def test_a_callable_object_is_described_by_its_call():
    class Command:
        """A command.

        Args:
            name: What it is made with.
        """

        def __init__(self, name: int) -> None: ...

        def __call__(self, name: str) -> None:
            """Do it.

            Args:
                name: Who.
            """

    takes(Command(1), WHO, ["name"])


class Base:
    def run(self, name: str):
        """Run it.

        Args:
            name: Who.
        """

    __call__ = run

    @functools.cached_property
    def other(self): ...

    @functools.lru_cache  # noqa: B019 - it is not called
    def cached(self, name: str): ...

    cached.__doc__ = run.__doc__


class Derived(Base):
    def run(self, name: str): ...
    def __call__(self, name: str): ...


INHERITING = {
    "a bound method": Derived().run,
    "an unbound method": Derived.run,
    "an object": Derived(),
    "a partial": functools.partial(Derived().run),
    "a partial of the method itself": functools.partial(Base().run),
    "a cached method": Base().cached,
}


@every("fact", INHERITING)
def test_an_inherited_docstring_is_found_as_by_inspect(fact):
    takes(INHERITING[fact], WHO, ["name"])
    assert inspect.getdoc(Derived.run) == inspect.getdoc(Base.run)


@pytest.mark.parametrize("doc", [None, 3, b"Args:\n    name: Who.", ["name"], ""])
def test_without_a_docstring_that_is_text_there_are_no_descriptions(doc):
    def command(name: str): ...

    command.__doc__ = doc
    takes(command, NAME, ["name"])


def test_a_docstring_may_name_a_variadic_with_its_stars():
    def command(name: str, **options: int):
        """Do it.

        Args:
            name: Who.
            **options: How.
        """

    takes(command, WHO, ["name"], extra={"type": "integer", "description": "How."})


class Greeter:
    """Greet people."""

    def __call__(self, name: str) -> str:
        """Call it.

        Args:
            name: Who.
        """


class FriendlyGreeter(Greeter): ...


class Wrapping:
    """A decorator."""

    def __init__(self, func: Any) -> None:
        functools.update_wrapper(self, func)

    def __call__(self, *args: Any) -> Any:
        """Call the function."""


def test_the_class_of_a_callable_object_describes_it_before_its_method():
    for profile in (profiles.MILO, profiles.MCP, profiles.FASTMCP):
        tool = tool_schema(Greeter(), name="greet", profile=profile)
        assert tool.description.startswith("Greet people.")
        tool = tool_schema(FriendlyGreeter(), name="greet", profile=profile)
        assert tool.description.startswith("Call it.")
        named = Greeter()
        named.__doc__ = "Greet one person."
        tool = tool_schema(named, name="greet", profile=profile)
        assert tool.description.startswith("Greet one person.")
    assert function_to_schema(Greeter())["properties"] == WHO


def test_the_class_of_a_decorator_does_not_describe_the_function_in_it():
    def run(name: str) -> None:
        """Run it."""

    def silent(name: str) -> None: ...

    assert tool_schema(Wrapping(run), name="run").description == "Run it."
    assert tool_schema(Wrapping(silent), name="run").description == "A decorator."


@pytest.mark.parametrize(
    ("func", "description"),
    [
        (len, "Return the number of items in a container."),
        (functools.partial(len), "Return the number of items in a container."),
        ("".join, "".join.__doc__),
        (type("Silent", (), {"__call__": lambda self, x: x})(), None),
        pytest.param(
            operator.attrgetter("a"),
            None,
            marks=pytest.mark.skipif(sys.version_info < (3, 13), reason="it has no signature"),
        ),
        (attrs.make_class("Made", {"x": attrs.field(type=int)}), None),
        (type("Undocumented", (), {}), None),
    ],
)
def test_a_description_is_not_taken_from_a_generated_docstring(func, description):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        assert tool_schema(func, name="tool", profile=profiles.MCP).description == description


def test_a_method_of_a_partial_has_the_docstring_of_its_function():
    def scale(factor: int, name: str):
        """Scale it.

        Args:
            name: What is scaled.
        """

    tool = tool_schema(types.MethodType(functools.partial(scale), 3))
    assert tool.description == "Scale it."
    name = STRING | {"description": "What is scaled."}
    assert tool.input_schema["properties"] == {"name": name}
