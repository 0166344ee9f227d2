"""Parameters that are injected or excluded."""

import functools
from typing import Annotated, Generic, Optional, TypeVar

import pytest
import typing_extensions

from milo_schema import Injected, SchemaWarning, function_to_schema, profiles
from tests.callables.helpers import takes
from tests.callables.samples import NAME
from tests.schemas import STRING, array_of

T = TypeVar("T")


class Context: ...


class Session(Generic[T]): ...


class LocalSession(Session[int]): ...


@pytest.mark.parametrize(
    "annotation",
    [
        Context,
        Optional[Context],
        Annotated[Context, "The context."],
        Annotated[Context | None, "The context."],
        Annotated[Context, "The context."] | None,
        "Context",
        "Context | None",
        "Optional[Context]",
        "Annotated[Context, 'The context.']",
        "somewhere.Context",
        "somewhere.Context | None",
        "Optional[somewhere.Context]",
    ],
    ids=repr,
)
def test_a_context_needs_no_schema(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    schema = function_to_schema(command, strict=True)
    assert schema == {"type": "object", "properties": NAME, "required": ["name"]}


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[complex, Injected],
        Annotated[complex, Injected()],
        Annotated[complex | None, Injected],
        Annotated[complex, Injected] | None,
        "Annotated[complex, Injected]",
        "Annotated[complex, Injected] | None",
        typing_extensions.TypeAliasType("Given", Annotated[complex, Injected]),
        Optional[typing_extensions.TypeAliasType("More", Annotated[complex, Injected])],
    ],
    ids=repr,
)
def test_an_injected_parameter_needs_no_schema(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    takes(command, NAME, ["name"], strict=True)


def test_a_parameter_is_excluded_by_name():
    def command(name: str, connection: complex, other: "Missing", third): ...  # noqa: F821

    takes(command, NAME, ["name"], exclude=["connection", "other", "third"], strict=True)
    takes(functools.partial(command, third=1), NAME, ["name"],
          exclude={"connection", "other", "third"}, strict=True)  # fmt: skip


@pytest.mark.parametrize(
    "annotation",
    [
        Session,
        Session[int],
        Session[int] | None,
        LocalSession | None,
        LocalSession,
        typing_extensions.TypeAliasType("CurrentSession", Session),
        typing_extensions.TypeAliasType("LastSession", Annotated[Session[int], "The last."]),
        Annotated[Session, "The session."],
        Optional[Session],
        "Session",
        "Session[int] | None",
        "somewhere.Session",
        "Optional[somewhere.Session[int]]",
    ],
    ids=repr,
)
def test_a_parameter_is_excluded_by_type(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    takes(command, NAME, ["name"], exclude=[Session], strict=True)
    takes(command, NAME, ["name"], exclude={Session}, strict=True)
    takes(command, NAME, ["name"], exclude=(Session, "other"), strict=True)


def test_a_parameter_is_injected_by_the_rule_of_a_profile():
    def command(name: str, session: complex, request: "http.Request", db: LocalSession): ...  # noqa: F821

    mine = profiles.MILO.replace(
        injected_names={"session"}, injected_classes={"Request", "LocalSession"}
    )
    assert function_to_schema(command, profile=mine, strict=True) == {
        "type": "object",
        "properties": NAME,
        "required": ["name"],
    }


def test_the_exact_profile_has_no_context_of_its_own():
    def command(name: str, ctx: int): ...

    assert function_to_schema(command, profile=profiles.MCP)["required"] == ["name", "ctx"]


def test_a_union_with_an_injected_class_is_the_callers():
    """A caller may pass the other member."""

    def command(given: Context | str): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\): no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["required"] == ["given"]


def test_a_list_of_an_injected_class_is_the_callers():
    def command(given: list[Context]): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\)\[\]: no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["properties"] == {"given": array_of(STRING)}


def test_an_injected_variadic_is_no_error():
    def command(name: str, *args: int, **kwargs: int): ...

    profile = profiles.MILO.replace(variadics="error")
    schema = function_to_schema(command, profile=profile, exclude=["args", "kwargs"])
    assert schema["properties"] == NAME


def test_an_excluded_parameter_lacks_no_description():
    def command(ctx, session: Session): ...

    takes(command, {}, exclude=["ctx", Session], strict=True, warn_missing_docs=True)
