"""Parameters that are injected or excluded."""

import functools
import typing  # noqa: F401 - named in a string
from typing import (
    Annotated,
    Generic,
    Optional,
    TypeVar,
    Union,  # noqa: F401 - named in a string
)

import pytest
import typing_extensions

from milo_schema import Injected, SchemaError, SchemaWarning, function_to_schema, profiles
from tests.callables.helpers import takes
from tests.callables.samples import NAME
from tests.fragments import INTEGER, STRING, array_of, record

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


def test_profile_mcp_keeps_a_parameter_named_ctx():
    def command(name: str, ctx: int): ...

    assert function_to_schema(command, profile=profiles.MCP)["required"] == ["name", "ctx"]


def test_a_union_with_an_injected_class_is_not_injected():
    """A caller may pass the other member."""

    def command(given: Context | str): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\): no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["required"] == ["given"]


def test_a_list_of_an_injected_class_is_not_injected():
    def command(given: list[Context]): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\)\[\]: no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["properties"] == {"given": array_of(STRING)}


def test_an_excluded_variadic_is_not_an_error_where_the_profile_refuses_variadics():
    def command(name: str, *args: int, **kwargs: int): ...

    profile = profiles.MILO.replace(variadics="error")
    schema = function_to_schema(command, profile=profile, exclude=["args", "kwargs"])
    assert schema["properties"] == NAME


def test_an_excluded_parameter_needs_no_description():
    def command(ctx, session: Session): ...

    takes(command, {}, exclude=["ctx", Session], strict=True, warn_missing_docs=True)


def test_a_type_alias_may_be_excluded():
    session = typing_extensions.TypeAliasType("session", int)

    def command(one: session, two: int): ...  # type: ignore[valid-type]

    assert function_to_schema(command, exclude=[session])["properties"] == {"two": INTEGER}  # type: ignore[list-item]


@pytest.mark.parametrize(
    "annotation",
    [
        "Union[m.Context, None]",
        "typing.Optional[m.Context]",
        "Annotated[m.Context, 'x']",
        "m.Context[A | B, C] | None",
        "t.Optional['m.Context']",
    ],
)
def test_a_context_in_a_string_is_recognized_by_its_name(annotation):
    def command(given, size: int): ...

    command.__annotations__["given"] = annotation
    assert function_to_schema(command, strict=True) == record(size=INTEGER)


def test_a_string_that_is_not_an_annotation_is_not_a_context():
    def command(given: "a b"): ...  # type: ignore[valid-type]  # noqa: F722

    with pytest.warns(SchemaWarning, match="cannot evaluate 'a b'"):
        assert function_to_schema(command) == record(given=STRING)


def untyped(a) -> complex: ...


def test_exclude_must_be_a_collection():
    reason = (
        "exclude= is no collection of names and types: TypeError(\"'int' object is not iterable\")"
    )
    with pytest.raises(SchemaError) as caught:
        function_to_schema(untyped, exclude=5)  # type: ignore[arg-type]
    assert caught.value.reason == reason
