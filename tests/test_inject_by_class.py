"""What is injected by name and by class: each row of the table in docs/arguments.md."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal, Protocol

import pytest

from milo_schema import Injected, Profile, SchemaError, Toolbox, profiles, tool_schema
from milo_schema.arguments import ArgumentsError, bind, binder
from tests.every import every

PROFILES = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]


class Session: ...


class SqlSession(Session): ...


class Request: ...


def plain(text: str): ...


def save(text: str, session: Session): ...


def save_by_sql(text: str, session: SqlSession): ...


def save_or_not(text: str, session: Session | None = None): ...


S, SQL = Session(), SqlSession()

# The function, what is injected, and the session that it gets.
TAKEN: dict[str, tuple[Callable[..., Any], dict[Any, Any], Any]] = {
    "by class": (save, {Session: S}, S),
    "an instance of a subclass": (save, {Session: SQL}, SQL),
    "a parameter of a subclass": (save_by_sql, {Session: SQL}, SQL),
    "the nearest class": (save_by_sql, {Session: S, SqlSession: SQL}, SQL),
    "a member of a union": (save_or_not, {Session: S}, S),
    "by name": (save, {"session": S}, S),
    "none by name": (save, {"session": None}, None),
    "both": (save, {Session: S, "session": SQL}, SQL),
}
IGNORED: dict[str, tuple[Callable[..., Any], dict[Any, Any]]] = {
    "a class of the profile": (plain, {Session: S}),
    "a subclass of a class of the profile": (plain, {SqlSession: SQL}),
    "a subclass of the class of the parameter": (save_or_not, {SqlSession: SQL}),
    "a name of the profile": (plain, {"user": "me"}),
    "neither, with a default": (save_or_not, {}),
}
REFUSED: dict[str, tuple[Callable[..., Any], dict[Any, Any], str]] = {
    "neither": (save, {}, "save(session): required but not part of the schema; pass "),
    "wrong class": (save, {Session: "x"},
          "save(): the injected value is of class str, not Session"),
    "wrong class of the profile": (plain, {Session: "x"},
          "plain(): the injected value is of class "),
    "none by class": (save, {Session: None}, "save(): the injected value is of class None, not "),
    "too general": (save_by_sql, {Session: S},
          "save_by_sql(session): the injected value is of class Session, not SqlSession"),
    "wrong class by name": (save_or_not, {"session": 1},
          "save_or_not(session): the injected value is of class int, not Session | None"),
    "a class that nothing has": (save, {Request: Request()},
          "save(): inject= has Request, but no hidden parameter is of that class"),
    "a name that nothing has": (save, {"sesion": S},
          "save(): inject= names 'sesion', which is not a parameter; did you mean session?"),
}  # fmt: skip


def given(profile: Profile, inject: dict[Any, Any]) -> dict[str, Any]:
    """The options of a call whose profile declares a class and a name."""
    mine = profile.with_injected(names=["user"], classes=[Session])
    return {"profile": mine, "inject": inject}


@pytest.mark.parametrize("cell", IGNORED)
@every("profile", PROFILES, ids=lambda each: each.name)
def test_what_the_profile_declares_may_be_offered_to_every_function(cell, profile):
    func, inject = IGNORED[cell]

    assert bind(func, {"text": "a"}, **given(profile, inject)).kwargs == {"text": "a"}


@pytest.mark.parametrize("cell", REFUSED)
@every("profile", PROFILES, ids=lambda each: each.name)
def test_anything_else_is_refused(cell, profile):
    func, inject, reason = REFUSED[cell]

    with pytest.raises(SchemaError) as caught:
        bind(func, {"text": "a"}, **given(profile, inject))
    assert str(caught.value).startswith(reason)


def test_a_class_never_sets_a_parameter_that_callers_see():
    def note(text: str, secret: Annotated[str, Injected] = ""): ...

    bound = binder(note, profile=profiles.MCP)

    assert bound({"text": "a"}, {str: "b"}).kwargs == {"text": "a", "secret": "b"}
    with pytest.raises(ArgumentsError):
        bound({"text": "a", "secret": "c"}, {str: "b"})


def test_a_misspelled_class_is_named():
    class Sesion: ...

    with pytest.raises(SchemaError, match=r"of that class; did you mean Session\?$"):
        bind(save, {"text": "a"}, **given(profiles.MCP, {Sesion: Sesion()}))


def test_a_default_of_none_is_one_of_the_classes():
    def late(text: str, session: Session = None): ...  # type: ignore[assignment]

    with pytest.raises(SchemaError, match=r"is of class int, not Session \| None$"):
        bind(late, {"text": "a"}, **given(profiles.MCP, {"session": 1}))


def test_only_classes_that_python_can_ask_are_checked():
    class Sink(Protocol): ...

    def log(
        mode: Annotated[Literal["a"], Injected],
        sink: Annotated[Sink, Injected],
        untyped: "Missing",  # type: ignore[name-defined]  # noqa: F821
        rate: Annotated[float, Injected],
    ): ...

    profile = profiles.MCP.with_injected(names=["untyped"])
    for rate in (3, 3.5):
        inject = {"mode": "a", "sink": 1, "untyped": 2, "rate": rate}
        assert bind(log, {}, profile=profile, inject=inject).kwargs == inject
    assert bind(log, {}, profile=profile, inject={**inject, Sink: 3}).kwargs == inject


def test_a_binder_tells_what_it_takes_and_what_it_knows():
    mine = profiles.MCP.with_injected(names=["user"], classes=[Session])
    bound = binder(save_by_sql, profile=mine)

    assert [bound.takes(key) for key in (Session, "session", "user", "text", Request)] == [
        *(True, True, False, False, False)
    ]
    assert [bound.knows(key) for key in (Session, "session", "user", "text", Request)] == [
        *(True, True, True, True, False)
    ]


# -- every door ----------------------------------------------------------------------------------


def by_bind(func: Callable[..., Any], options: dict[str, Any]) -> None:
    bound = bind(func, {"text": "a"}, **options)
    func(*bound.args, **bound.kwargs)


def by_tool(func: Callable[..., Any], options: dict[str, Any]) -> None:
    inject = options.pop("inject")
    assert not tool_schema(func, **options).call({"text": "a"}, inject=inject).is_error


def by_tool_async(func: Callable[..., Any], options: dict[str, Any]) -> None:
    inject = options.pop("inject")
    tool = tool_schema(func, **options)
    assert not asyncio.run(tool.call_async({"text": "a"}, inject=inject)).is_error


def by_toolbox(func: Callable[..., Any], options: dict[str, Any]) -> None:
    inject = options.pop("inject")
    tools = Toolbox([func, other], **options)
    assert not tools.call(func.__name__, {"text": "a"}, inject=inject).is_error


def other(user: str = "me"): ...


every_door = pytest.mark.parametrize("door", [by_bind, by_tool, by_tool_async, by_toolbox])


def recording(func: Callable[..., Any], got: list[Any]) -> Callable[..., Any]:
    """The function, which records the session that it gets."""

    def call(text: str, session: Any = "default") -> None:
        got.append(session)

    call.__name__, call.__annotations__ = func.__name__, func.__annotations__
    call.__defaults__ = func.__defaults__
    if "session" in func.__annotations__:
        return call

    def plain(text: str) -> None:
        got.append(text)

    return plain


@every_door
@pytest.mark.parametrize("cell", TAKEN)
@every("profile", PROFILES, ids=lambda each: each.name)
def test_every_door_injects_the_same(cell, profile, door):
    func, inject, expected = TAKEN[cell]
    got: list[Any] = []

    door(recording(func, got), given(profile, inject))

    assert got == [expected]


@every_door
@pytest.mark.parametrize("cell", REFUSED)
@every("profile", PROFILES, ids=lambda each: each.name)
def test_every_door_refuses_the_same(cell, profile, door):
    func, inject, _ = REFUSED[cell]
    got: list[Any] = []

    with pytest.raises(SchemaError):
        door(recording(func, got), given(profile, inject))
    assert got == []


@pytest.mark.parametrize("profile", PROFILES, ids=lambda each: each.name)
def test_a_toolbox_is_offered_what_one_of_its_tools_takes(profile):
    got: list[Any] = []
    saving = recording(save, got)
    tools = Toolbox([saving, other], profile=profile.with_injected(classes=[Session]))

    assert not tools.call("other", inject={Session: S}).is_error
    assert not tools.call("save", {"text": "a"}, inject={Session: S}).is_error
    assert got == [S]
    for key, shown in ((Request, "Request"), ("sesion", "'sesion'; did you mean session?")):
        with pytest.raises(
            SchemaError, match=f"no tool hides a parameter {shown}".replace("?", r"\?")
        ):
            tools.call("other", inject={key: Request()})
