"""Which parameters a schema leaves out, and why."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypedDict, Unpack

import pytest

from milo_schema import (
    HiddenParameter,
    Injected,
    SchemaError,
    function_to_schema,
    hidden_parameters,
    profiles,
)


class Session: ...


class LocalSession(Session): ...


class Options(TypedDict):
    session: Session
    limit: int


def is_depends(parameter: Any) -> bool:
    return isinstance(parameter.default, range)


FRAMEWORK = profiles.MCP.with_injected(
    names={"user"}, classes={Session, "Context"}, predicates=[is_depends]
)


def hidden(func: Callable[..., Any], **options: Any) -> list[tuple[str, str, Any]]:
    found = hidden_parameters(func, **{"profile": FRAMEWORK, **options})
    shown = function_to_schema(func, **{"profile": FRAMEWORK, **options})["properties"]
    assert shown.keys().isdisjoint(each.name for each in found)
    return [(each.name, each.why, each.by) for each in found]


def test_each_way_to_leave_a_parameter_out_is_reported():
    def f(
        word: str,
        user: str,
        session: LocalSession,
        either: "list[Session] | None",
        token: Annotated[str, Injected],
        mark: Annotated[str, Injected()],
        given: int = range(3),
        other: bytes = b"",
        named: int = 0,
        limit: int = 3,
    ): ...

    assert hidden(f, exclude=["named", bytes]) == [
        ("user", "injected_names", "user"),
        ("session", "injected_classes", Session),
        ("either", "injected_classes", Session),
        ("token", "Injected", Injected),
        ("mark", "Injected", Injected),
        ("given", "injected_if", is_depends),
        ("other", "exclude", bytes),
        ("named", "exclude", "named"),
    ]


def test_a_hidden_parameter_has_its_annotation_and_whether_it_is_required():
    def f(session: Session, user="me", context: "Session | None" = None): ...

    assert hidden_parameters(f, profile=FRAMEWORK) == [
        HiddenParameter("session", "injected_classes", Session, Session, required=True),
        HiddenParameter("user", "injected_names", "user", None, required=False),
        HiddenParameter("context", "injected_classes", Session, Session | None, required=False),
    ]


@pytest.mark.parametrize(
    ("variadics", "expected"),
    [
        ("omit", [("args", "variadics", "omit"), ("more", "variadics", "omit")]),
        ("open", [("args", "variadics", "open")]),
        ("properties", []),
    ],
)
def test_hidden_variadic_parameters_are_reported(variadics, expected):
    def f(word: str, *args: int, **more: int): ...

    profile = profiles.MCP.replace(variadics=variadics)
    assert hidden(f, profile=profile) == expected
    required = [each.required for each in hidden_parameters(f, profile=profile)]
    assert required == [False] * len(expected)


def test_the_keys_of_an_unpacked_typed_dict_are_parameters():
    def f(**options: Unpack[Options]): ...

    assert hidden(f) == [("session", "injected_classes", Session)]


def test_nothing_is_hidden_by_a_profile_without_injection():
    def f(session: str, user: str): ...

    assert hidden(f, profile=profiles.MCP) == []


def test_bound_arguments_are_not_parameters():
    def f(session: Session, word: str, user: str): ...

    assert hidden(partial(f, Session())) == [("user", "injected_names", "user")]


def test_a_function_without_a_schema_is_an_error():
    with pytest.raises(SchemaError, match=r"^profile must be a Profile"):
        hidden_parameters(hidden, profile="MCP")  # type: ignore[arg-type]
