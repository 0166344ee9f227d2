"""Parameters that are injected or excluded: what ``tests/test_left_out.py`` does not try."""

import collections
import functools
import sys
import typing  # noqa: F401 - named in a string
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Generic,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
    get_args,
)

import pytest
import typing_extensions

from milo_schema import (
    Injected,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    hidden_parameters,
    profiles,
)
from milo_schema.arguments import ArgumentsError, bind
from tests.callables.helpers import takes
from tests.callables.samples import NAME
from tests.fragments import INTEGER, STRING, record
from tests.modules import module_from

T = TypeVar("T")


class Session(Generic[T]): ...


class FromServer(Injected):
    __slots__ = ()


@pytest.mark.parametrize(
    "annotation",
    [
        "m.Context[A | B, C] | None",
        "Union[m.Context, None]",
        "typing.Optional[m.Context]",
        "t.Optional['m.Context']",
        "Annotated[m.Context, 'x']",
    ],
)
def test_a_context_in_a_string_is_recognized_by_its_name(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    assert function_to_schema(command, strict=True) == record(**NAME)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[complex, FromServer],
        Annotated[complex, FromServer()],
        Annotated[complex, ForwardRef("Injected")],
        Annotated[complex, ForwardRef("Injected()")],
        "Annotated[complex, not_imported.Injected]",
        "Annotated[complex, not_imported.Injected()] | None",
    ],
    ids=repr,
)
def test_injected_may_be_a_subclass_or_a_name(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    takes(command, NAME, ["name"], strict=True)


def test_what_is_excluded_by_name_is_not_read():
    def command(name: str, connection: complex, other: "Missing", third): ...  # noqa: F821

    for func in (command, functools.partial(command, third=1)):
        takes(func, NAME, ["name"], exclude=["connection", "other", "third"], strict=True)


@pytest.mark.parametrize(
    "written", [list, list[int], list[str] | None, Annotated[list, "All."]], ids=repr
)
def test_a_container_is_excluded_with_and_without_arguments(written):
    def command(name: str, given): ...

    command.__annotations__["given"] = written
    takes(command, NAME, ["name"], exclude={list}, strict=True)


def test_a_type_of_json_may_be_excluded():
    def command(name: str, given: int): ...

    takes(command, NAME, ["name"], exclude={int}, strict=True)


@dataclass
class Passage:
    """A class with a schema, so that it is left out only if a rule says so."""

    user: str


Alias = typing_extensions.TypeAliasType("Alias", Passage)
Aliases = typing_extensions.TypeAliasType("Aliases", list[Passage])


class Passages(list[Passage]): ...


class Chapter(Passages): ...


class Shelf(list[T]): ...


BY_NAME = profiles.MCP.with_injected(classes={"Passage"})


def shown_in(profile: profiles.Profile, *annotations: Any, **options: Any) -> list[str]:
    """The parameters of a function with these annotations that the schema shows, and bind takes."""

    names = [f"p{i}" for i in range(len(annotations))]
    code = f"def command({', '.join(names)}): ..."
    module = module_from(code, Passage=Passage, Union=Union, Annotated=Annotated)
    module.command.__annotations__ |= dict(zip(names, annotations, strict=True))
    schema = function_to_schema(module.command, strict=True, profile=profile, **options)
    hidden = [each.name for each in hidden_parameters(module.command, profile=profile, **options)]
    assert sorted([*schema["properties"], *hidden]) == sorted(names)
    for name in hidden:
        given = {"inject": dict.fromkeys(hidden), "profile": profile, **options}
        with pytest.raises(ArgumentsError, match=name):
            bind(module.command, {name: None}, **given)
    return list(schema["properties"])


def test_what_a_bare_name_hides_does_not_depend_on_the_other_parameters():
    for annotations in ([Passage, Alias], [list[Passage], list[Alias]]):
        for whole in (Passage, Alias, Alias | None, "Passage"):
            for within in (list[Passage], list[Passage | None], list[Alias], Aliases, Passages):
                assert shown_in(BY_NAME, whole, within) == ["p1"]
                assert shown_in(BY_NAME, within, whole) == ["p0"]
                assert shown_in(BY_NAME, *annotations, whole, within)[-1] == "p3"


def test_a_class_that_is_not_only_a_name_hides_its_containers():
    exactly = profiles.MCP.with_injected(classes={Passage})
    within = [list[Passage], Aliases, Passages, Chapter, Shelf[Passage]]
    assert shown_in(exactly, Passage, *within, Shelf[int]) == ["p6"]


@pytest.mark.parametrize(
    "annotation",
    ["list[Missing.Passage]", "dict[str, Other] | None", "Missing[Other]"],
)
def test_a_container_of_an_unknown_class_is_reported_whatever_its_name(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    profile = profiles.MCP.with_injected(classes={"Passage", "Other"})
    with pytest.raises(SchemaError, match=r"^command\(given\).*: no '"):
        function_to_schema(command, strict=True, profile=profile)
    exactly = profiles.MCP.with_injected(classes={"m.Passage", "m.Other"})
    schema = function_to_schema(command, strict=True, profile=exactly)
    assert list(schema["properties"]) == ["name"]


def test_milo_keeps_a_list_of_classes_named_context():
    @dataclass
    class Context:
        """A passage of a document."""

        text: str

    def ask(question: str, contexts: list[Context], ctx: Context, one: Context | None = None): ...

    schema = function_to_schema(ask, strict=True)
    assert schema["required"] == ["question", "contexts"]
    assert list(schema["properties"]) == ["question", "contexts"]
    bound = bind(ask, {"question": "Why?", "contexts": [{"text": "So."}]}, inject={"ctx": None})
    assert bound.kwargs["contexts"] == [Context("So.")]


# -- the contexts of MCP's frameworks ----------------------------------------------------------

FOR_MCP = [
    profiles.MCP,
    profiles.MCP_2025,
    profiles.PORTABLE,
    profiles.OPENAI_STRICT,
    profiles.ANTHROPIC_STRICT,
    profiles.GEMINI,
]


@pytest.fixture(params=["mcp.server.mcpserver", "mcp.server.fastmcp", "fastmcp"])
def framework(request, monkeypatch):
    """A module with the public name of a class that is defined below it, and generic."""
    source = "class Context(Generic[T]): ..."
    inner = module_from(source, name=f"{request.param}.inner", Generic=Generic, T=T)
    package = request.param.partition(".")[0]
    for name in {package, request.param}:
        module_from("", name=name)
    vars(sys.modules[request.param])["Context"] = inner.Context
    yield inner.Context
    for name in {package, request.param, inner.__name__}:
        del sys.modules[name]


@pytest.mark.parametrize("profile", FOR_MCP, ids=str)
def test_profile_for_mcp_leaves_out_context_of_frameworks(profile, framework):
    class Mine(framework): ...

    def command(
        name: str,
        a: framework,
        b: framework[int] | None,
        c: Mine | str,
        d: list["framework"],
    ): ...

    closed = profile.closed != "nothing"
    expected = record(name=STRING) | ({"additionalProperties": False} if closed else {})
    given = {"strict": True, "profile": profile, "localns": {"framework": framework}}
    assert function_to_schema(command, **given) == expected


@pytest.mark.parametrize("profile", FOR_MCP, ids=str)
def test_profile_for_mcp_keeps_other_class_named_context(profile):
    @dataclass
    class Context:
        user: str

    def command(ctx: Context, more: list["Context"]): ...

    schema = function_to_schema(command, strict=True, profile=profile)
    assert list(schema["properties"]) == ["ctx", "more"]


@pytest.mark.parametrize("annotation", ["Context", "m.Context | None", "list[Context]"])
def test_unresolved_name_of_a_context_is_left_out(annotation):
    module = module_from(f"def command(name: str, ctx: {annotation!r}): ...")
    schema = function_to_schema(module.command, strict=True, profile=profiles.MCP)
    assert schema == record(name=STRING) | {"additionalProperties": False}


def test_dotted_name_may_lead_to_class_of_another_name():
    """A public name is the one in the module, also inside a class, not its ``__name__``."""
    module = module_from("class _Private: ...\nclass Api:\n    class Inner: ...", name="library")
    vars(module)["Public"] = module._Private

    def command(name: str, a: module._Private, b: module.Api.Inner, c: "Public"): ...  # noqa: F821

    mine = profiles.MCP.replace(injected_classes={"library.Public", "library.Api.Inner"})
    expected = record(name=STRING) | {"additionalProperties": False}
    assert function_to_schema(command, strict=True, profile=mine) == expected
    del sys.modules["library"]
    mine = profiles.MCP.replace(
        injected_classes={"library._Private", "library.Api.Inner", "Public"}
    )
    assert function_to_schema(command, strict=True, profile=mine) == expected


# -- additions of a profile --------------------------------------------------------------------


def test_with_injected_adds_to_what_profile_leaves_out(framework):
    class Marker: ...

    def command(
        name: str,
        ctx: framework,
        request: bytes,
        session: Session | None,
        db: bytes = Marker(),  # type: ignore[assignment]
        *,
        user: Annotated[bytes, Marker],
        **more: Unpack[TypedDict("More", {"a-b": Annotated[bytes, Marker], "request": bytes})],  # type: ignore[misc]
    ): ...

    def is_marked(parameter):
        return type(parameter.default) is Marker or Marker in get_args(parameter.annotation)

    mine = profiles.MCP.with_injected(names="request").with_injected(
        classes=Session, predicates=[is_marked]
    )
    expected = record(name=STRING) | {"additionalProperties": False}
    assert function_to_schema(command, strict=True, profile=mine) == expected
    assert profiles.MCP.injected_names == frozenset()
    assert mine.injected_classes == profiles.MCP.injected_classes | {Session}


def test_predicate_that_raises_is_reported_at_its_parameter():
    def command(name: str, size: int): ...

    def is_large(parameter):
        return parameter.name == "size" and 1 / 0

    mine = profiles.MCP.with_injected(predicates=[is_large])
    with pytest.raises(SchemaError, match=r"^command\(size\): <function .*is_large at .*> of"):
        function_to_schema(command, profile=mine)


def test_one_predicate_is_as_good_as_a_collection_of_one():
    def command(name: str, size: int): ...

    def is_size(parameter):
        return parameter.name == "size"

    for predicates in (is_size, [is_size]):
        mine = profiles.MILO.with_injected(predicates=predicates)
        assert mine.injected_if == (is_size,)
        assert function_to_schema(command, profile=mine)["properties"] == NAME
    with pytest.raises(ValueError, match=r"^predicates has 1, which is not a function$"):
        profiles.MILO.with_injected(predicates=[1])  # type: ignore[list-item]


def test_a_predicate_hides_what_has_no_schema_because_of_its_kind():
    def command(size: complex, /, name: str, *args: int, **kwargs: int): ...

    mine = profiles.MILO.replace(variadics="error").with_injected(
        predicates=[lambda parameter: parameter.name != "name"]
    )
    assert function_to_schema(command, strict=True, profile=mine)["properties"] == NAME
    hidden = hidden_parameters(command, profile=mine)
    assert [each.name for each in hidden] == ["size", "args", "kwargs"]


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


def test_a_string_that_is_not_an_annotation_is_not_a_context():
    def command(given: "a b"): ...  # type: ignore[valid-type]  # noqa: F722

    with pytest.warns(SchemaWarning, match="cannot evaluate 'a b'"):
        assert function_to_schema(command) == record(given=STRING)


def untyped(a) -> complex: ...


def test_exclude_must_be_a_collection():
    why = "TypeError(\"'int' object is not iterable\")"
    reason = f"exclude must be a collection of names and types: {why}"
    with pytest.raises(SchemaError) as caught:
        function_to_schema(untyped, exclude=5)  # type: ignore[arg-type]
    assert (caught.value.message, caught.value.code) == (reason, "user-code")


# -- endless annotations -------------------------------------------------------------------------


def test_too_deep_annotation_is_reported_with_its_path():
    deep: Any = int
    for _ in range(5_000):
        deep = collections.deque[deep]

    def command(name: str, x: deep): ...

    mine = profiles.MCP.with_injected(classes={"Session"})
    with pytest.raises(SchemaError, match=r"nested deeper than 128 levels"):
        function_to_schema(command, profile=mine)


def test_alias_with_endless_arguments_is_reported_with_its_path():
    growing: Any = int
    for _ in range(20):
        growing = list[growing]
    parameters: Any = (T,)
    alias = typing_extensions.TypeAliasType("Alias", list[T], type_params=parameters)

    def command(name: str, x: alias[growing]): ...  # type: ignore[valid-type]

    mine = profiles.MCP.with_injected(classes={"Session"})
    with pytest.raises(SchemaError, match=r"^command\(x\): type arguments nested deeper"):
        function_to_schema(command, strict=True, profile=mine)
