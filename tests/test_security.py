"""The claims of the security page: code that is evaluated, and actions that never happen."""

import asyncio
import dataclasses
import enum
import inspect
import json
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import attrs
import msgspec
import pydantic
import pytest

import milo_schema
from milo_schema import (
    Ge,
    Injected,
    Schema,
    SchemaError,
    SchemaWarning,
    Toolbox,
    ToolSchema,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, binder, json_to_value
from tests.cases import CASES
from tests.inside import is_valid
from tests.modules import module_from
from tests.needs import lacking
from tests.tools.fuzz.judge import PROFILES, references
from tests.tools.fuzz.objects import alias

MCP = profiles.MCP
ROOT = Path(milo_schema.__file__).parents[1]


# -- evaluated code ----------------------------------------------------------------------------


def test_an_annotation_string_is_evaluated_in_its_own_module():
    ours = module_from("def f(x: 'Mine', y: 'note()'): ...", Mine=int, note=lambda: str)
    assert function_to_schema(ours.f, profile=profiles.MCP)["properties"] == {
        "x": {"type": "integer"},
        "y": {"type": "string"},
    }


def test_a_docstring_is_not_evaluated():
    noted: list[int] = []
    ours = module_from(
        '''
        def f(x: int):
            """Do {noted.append(1)}.

            Args:
                x (noted.append(2)): `noted.append(3)`
            """
        ''',
        noted=noted,
    )
    assert function_to_schema(ours.f)["properties"]["x"]["description"] == "`noted.append(3)`"
    assert noted == []


def test_a_string_that_is_data_is_not_evaluated():
    """As a default, as a Literal's value, as metadata, in a custom schema."""
    noted: list[int] = []
    ours = module_from(
        """
        from typing import Annotated, Literal
        from milo_schema import Description, Schema
        def f(
            a: str = "noted.append(1)",
            b: Literal["noted.append(2)"] = "noted.append(2)",
            c: Annotated[str, "noted.append(3)", Description("noted.append(4)")] = "",
            d: Annotated[str, Schema({"x-a": "noted.append(5)"})] = "",
        ): ...
        """,
        noted=noted,
    )
    assert len(function_to_schema(ours.f)["properties"]) == 4
    assert noted == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, GeneratorExit])
def test_an_interrupt_is_not_swallowed(stop):
    def raised():
        raise stop

    ours = module_from("def f(x: 'raised()'): ...", raised=raised)
    with pytest.raises(stop):
        function_to_schema(ours.f)


# -- actions that never happen: import, open, connect, execute ---------------------------------

AUDITED = """
    import importlib, json, pkgutil, sys, warnings
    import milo_schema
    from milo_schema import SchemaError, profiles, tool_schema, type_to_schema
    from tests.cases import CASES
    from tests.modules import module_from
    from tests.needs import lacking
    from tests.test_concurrency import FRESH
    import pydantic.type_adapter  # pydantic loads this part of itself when it is first asked for it

    warnings.simplefilter("ignore")
    derivations = [
        (case.type, case.profile(profile))
        for case in CASES if not lacking(case.needs)
        for profile in (profiles.MILO, profiles.MCP, profiles.GEMINI)
    ]
    function = module_from(FRESH, name="fresh").f
    seen, is_on = set(), False

    def note(event, args):
        if is_on and event not in HARMLESS:
            what = args[0] if args else None
            if event == "compile":
                what = args[1]
            elif event == "exec":
                what = what.co_filename
            seen.add((event, str(what)))

    HARMLESS = {"builtins.id", "sys._getframe", "object.__getattr__", "object.__setattr__",
                "object.__delattr__", "code.__new__", "function.__new__"}
    sys.addaudithook(note)
    rounds = []
    for _ in range(2):
        seen.clear()
        is_on = True
        for annotation, profile in derivations:
            try:
                type_to_schema(annotation, profile=profile)
            except SchemaError:
                pass
        tool_schema(function)
        is_on = False
        rounds.append(sorted(seen))
    print(json.dumps(rounds))
"""


def run(code: str) -> str:
    """The output of a process that runs *code* beside the tests."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        check=True,
        cwd=ROOT,
        encoding="utf-8",
    ).stdout


@pytest.fixture(scope="module")
def audited() -> list[list[list[str]]]:
    """The audit events of the first derivations of all cases, and of the second ones."""
    rounds: list[list[list[str]]] = json.loads(run(AUDITED))
    return rounds


FINDS_THE_CODE_OF_AN_ALIAS = {"gc.get_referents"}
"""The actions on 3.12 and 3.13 if a name is missing in ``type X = ...``."""


@pytest.mark.slow
def test_a_derivation_compiles_annotations_and_does_nothing_else_to_the_system(audited):
    _, events = audited
    kinds = {event for event, _ in events}
    executed = {name for event, name in events if event == "exec"}
    assert "<annotation>" in executed
    assert executed <= {"<annotation>", "<string>"}  # as a ForwardRef of 3.14 calls its own
    assert kinds - FINDS_THE_CODE_OF_AN_ALIAS == {"compile", "exec"}, events


def test_the_first_derivation_imports_only_this_library_and_the_standard_one(audited):
    events, _ = audited
    imported = {name.partition(".")[0] for event, name in events if event == "import"}
    assert "milo_schema" in imported
    assert imported <= {*sys.stdlib_module_names, "annotationlib", "milo_schema"}
    beyond = {event.partition(".")[0] for event, _ in events}
    usual = {"compile", "exec", "import", "open", "marshal", "os", "ctypes", "gc"}
    assert beyond <= usual
    assert {event for event, _ in events if event.startswith("gc.")} <= FINDS_THE_CODE_OF_AN_ALIAS


def test_a_name_is_not_imported_unless_it_is_well_known():
    code = """
        import sys
        import milo_schema
        def f(x: "sqlite3.Row", y: "xml.dom.Node", z: "decimal.Decimal"): ...
        import warnings
        warnings.simplefilter("ignore")
        before = set(sys.modules)
        print(milo_schema.function_to_schema(f)["properties"])
        print({"decimal", "sqlite3", "xml", "xml.dom"} & set(sys.modules))
    """
    decimal = milo_schema.type_to_schema(Decimal)
    properties = {"x": {"type": "string"}, "y": {"type": "string"}, "z": decimal}
    assert run(code) == f"{properties}\n{{'decimal'}}\n"


# -- actions that never happen: following external references ----------------------------------


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
@pytest.mark.parametrize("profile", PROFILES, ids=str)
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_every_reference_is_to_a_definition_in_the_schema_itself(profile, step):
    """A part of the rows, other ones for the next profile."""
    found = 0
    for case in CASES[PROFILES.index(profile) % step :: step]:
        if case.mcp is None or lacking(case.needs):
            continue
        try:
            schema = type_to_schema(case.type, profile=case.profile(profile))
        except SchemaError:
            continue
        names = [each.removeprefix("#/$defs/") for each in references(schema)]
        assert set(names) <= set(schema.get("$defs", ()))
        found += len(names)
    written_out = {"OMNI", "GEMINI", "ANTHROPIC_STRICT", "BEDROCK_STRICT", "ELICITATION"}
    assert found > 0 or profile.name in written_out


ELSEWHERE = [
    {"$ref": "https://example.com/schema.json"},
    {"$ref": "file:///etc/passwd"},
    {"$ref": "other.json#/$defs/X"},
    {"$dynamicRef": "https://example.com/schema.json"},
    {"$id": "https://example.com/schema.json", "type": "string"},
    {"items": {"anyOf": [{"$ref": "//example.com/x"}]}},
    {"$defs": {"X": {"$ref": "https://example.com/schema.json"}}},
]


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("keywords", ELSEWHERE, ids=str)
def test_an_external_reference_is_refused_wherever_it_is_written(keywords, strict):
    hooked = type("Hooked", (), {"__milo_schema__": classmethod(lambda cls, walk: keywords)})
    told = profiles.MILO.with_types({complex: keywords})
    with pytest.raises(SchemaError, match="Hooked"):
        type_to_schema(hooked, strict=strict)
    with pytest.raises(SchemaError, match="complex"):
        type_to_schema(complex, profile=told, strict=strict)


@pytest.mark.parametrize("keywords", ELSEWHERE, ids=str)
def test_metadata_with_an_external_reference_are_left_out(keywords):
    marked = Annotated[int, Schema(keywords)]
    with pytest.warns(SchemaWarning):
        assert type_to_schema(marked) == {"type": "integer"}
    with pytest.raises(SchemaError):
        type_to_schema(marked, strict=True)


# -- actions that never happen: calling described functions ------------------------------------


class Log(list[str]):
    """The calls; each function that it makes records its name, and fails."""

    def noting(self, name: str) -> Callable[..., Any]:
        def called(*_: object, **__: object) -> Any:
            self.append(name)
            raise AssertionError(name)

        return called


SPECIAL = [
    "__call__", "__eq__", "__ne__", "__lt__", "__hash__", "__bool__", "__len__", "__iter__",
    "__contains__", "__getitem__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__",
    "__repr__", "__str__", "__format__", "__bytes__", "__dir__", "__instancecheck__",
    "__subclasscheck__", "__or__", "__ror__", "__reduce__", "__copy__", "__deepcopy__", "__index__",
    "__int__", "__float__", "__fspath__", "__enter__", "__await__", "__get__", "__set_name__",
]  # fmt: skip


def test_no_code_of_a_class_or_of_its_metaclass_runs():
    log = Log()
    names = [name for name in SPECIAL if name not in ("__get__", "__set_name__")]
    meta = type("Meta", (type,), {name: log.noting(f"meta {name}") for name in names})
    cls: Any = meta.__new__(meta, "Spied", (), {name: log.noting(name) for name in SPECIAL})

    def function(x: cls, y: list[cls], *z: cls) -> cls: ...  # type: ignore[valid-type]

    for derive in (function_to_schema, return_to_schema):
        with pytest.warns(SchemaWarning, match="no JSON Schema for Spied"):
            derive(function)
    with pytest.warns(SchemaWarning, match="no JSON Schema for Spied"):
        type_to_schema(list[cls])
    assert log == []


def test_no_code_of_unknown_defaults_or_metadata_runs():
    log = Log()
    spied = type("Spied", (), {name: log.noting(name) for name in SPECIAL})()
    marked = alias(Annotated, int, spied)  # Annotated[...] would ask for its hash

    def function(x: marked = spied, *, y: Any = spied): ...  # type: ignore[valid-type]

    expected = {"x": {"type": "integer"}, "y": {}}
    assert function_to_schema(function)["properties"] == expected
    assert log == []


def test_a_function_is_not_called_nor_a_class_instantiated():
    log = Log()
    cls = type("Spied", (), {"__init__": log.noting("init"), "__new__": log.noting("new")})

    def function(x: int):
        log.append("called")

    function_to_schema(function)
    tool_schema(function)
    function_to_schema(cls)
    assert log == []


def test_a_default_factory_is_never_called():
    log = Log()
    made = log.noting("factory")
    plain = dataclasses.make_dataclass(
        "plain", [("x", int, dataclasses.field(default_factory=made))]
    )
    by_attrs = attrs.make_class("by_attrs", {"x": attrs.field(factory=made, type=int)})
    by_msgspec = msgspec.defstruct("by_msgspec", [("x", int, msgspec.field(default_factory=made))])
    by_pydantic = pydantic.create_model(
        "by_pydantic", x=(int, pydantic.Field(default_factory=made))
    )

    default = pydantic.Field(default_factory=made)

    def function(x: Any = default): ...

    for cls in (plain, by_attrs, by_msgspec, by_pydantic):
        schema = type_to_schema(cls)
        assert schema["properties"]["x"] == {"type": "integer"}
        assert "required" not in schema
        assert function_to_schema(cls)["properties"]["x"] == {"type": "integer"}
    assert function_to_schema(function)["properties"] == {"x": {}}
    assert log == []


def test_enum_values_are_not_looked_up():
    log = Log()

    class Color(enum.Enum):
        RED = "red"
        _missing_ = classmethod(log.noting("missing"))
        value = property(log.noting("value"))  # type: ignore[assignment]

    assert type_to_schema(Color) == {"type": "string", "enum": ["red"]}
    assert log == []


def test_no_property_of_a_class_is_read():
    log = Log()

    @dataclasses.dataclass
    class Point:
        x: int = 0
        size = property(log.noting("size"))

    class Service:
        client = property(log.noting("client"))

        def run(self, x: int): ...

    assert type_to_schema(Point)["properties"] == {"x": {"type": "integer", "default": 0}}
    assert function_to_schema(Service().run)["properties"] == {"x": {"type": "integer"}}
    assert log == []


# -- hooks that are called ---------------------------------------------------------------------


def test_only_hooks_for_this_library_are_called():
    called: list[str] = []

    class Hooked:
        @classmethod
        def __milo_schema__(cls, walk):
            called.append("__milo_schema__")
            return walk.schema(int)

    class Model(pydantic.BaseModel):
        x: int

        @classmethod
        def __get_pydantic_json_schema__(cls, schema, handler):
            called.append("pydantic")
            return handler(schema)

    def told(_annotation, _walk):
        called.append("with_types")
        return {"type": "string"}

    def transform(schema, _report):
        called.append("transform")
        return schema

    mine = profiles.MCP.replace(transforms=[transform]).with_types({complex: told})

    def function(a: Hooked, b: Model, c: complex): ...

    function_to_schema(function, profile=mine)
    assert sorted(called) == ["__milo_schema__", "pydantic", "transform", "with_types"]


# -- what callers send -------------------------------------------------------------------------


def test_a_function_is_not_called_with_arguments_that_do_not_match():
    calls: list[Any] = []
    refused = 0
    for case in CASES:
        if lacking(case.needs):
            continue

        def note(x):
            calls.append(x)

        note.__annotations__ = {"x": case.annotation}
        try:
            with warnings.catch_warnings(action="ignore"):
                tool = tool_schema(note, profile=case.profile(MCP))
            answers = [tool.call({"x": wrong}) for wrong in case.rejects]
        except SchemaError:
            continue  # its type has no schema, or cannot be read
        assert [answer["isError"] for answer in answers] == [True] * len(case.rejects), case
        refused += len(answers)
    assert calls == []
    assert refused > 400


class Service:
    def find(
        self, query: str, token: Annotated[str, Injected] = "t", user: str = "u", secret: str = "s"
    ) -> str:
        return f"{query} {token} {user} {secret}"

    def search(
        self,
        query: str,
        token: Annotated[str, Injected] = "t",
        user: str = "u",
        secret: str = "s",
        **more: str,
    ) -> str:
        return f"{query} {token} {user} {secret} {more}"


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@pytest.mark.parametrize("name", ["secret", "token", "user", "self", "__class__"])
def test_a_caller_sets_no_hidden_parameter(profile, name):
    hiding = profile.with_injected(names={"user"})
    tool = tool_schema(Service().find, profile=hiding, exclude=["secret"])

    result = tool.call({"query": "q", name: "x"})

    if profile.unknown_arguments == "drop":
        assert result.text == "q t u s"
        return
    assert result.is_error
    assert result.text.startswith(f"find(): .{name}: unknown argument")


@pytest.mark.parametrize("name", ["secret", "token", "user", "self"])
def test_a_caller_sets_no_hidden_parameter_through_kwargs(name):
    hiding = profiles.MCP.with_injected(names={"user"}).replace(variadics="open")
    tool = tool_schema(Service().search, profile=hiding, exclude=["secret"])

    assert tool.call({"query": "q", name: "x"})["isError"] is True
    answer = tool.call({"query": "q", "__class__": "x"})["content"][0]["text"]
    assert answer == "q t u s {'__class__': 'x'}"


@dataclasses.dataclass
class Context:
    """That of a framework: a record, which MCP shows, because it is not its own."""

    user: str = "nobody"


class Hidden:
    """Functions with a parameter that MILO, MCP, both, or the function itself leaves out."""

    @staticmethod
    def by_name(query: str, ctx: Any = "kept") -> Any:
        return ctx

    @staticmethod
    def by_class(query: str, context: Context | None = None) -> Any:
        return context

    @staticmethod
    def by_marker(query: str, token: Annotated[str, Injected] = "kept") -> Any:
        return token

    @staticmethod
    def by_kwargs(query: str, ctx: Any = "kept", **more: Any) -> Any:
        return ctx


FUNCTIONS = [Hidden.by_name, Hidden.by_class, Hidden.by_marker, Hidden.by_kwargs]
READERS: list[tuple[Callable[..., Any], list[Callable[..., Any]]]] = [
    (function_to_schema, [lambda func, arguments: func(**bind(func, arguments).kwargs), lambda func,
       arguments: func(**binder(func)(arguments, repair=True).kwargs)]),
    (lambda func: tool_schema(func).input_schema,
     [lambda func, arguments: tool_schema(func).call(arguments), lambda func,
       arguments: func(**tool_schema(func).bind(arguments).kwargs), lambda func,
       arguments: asyncio.run(tool_schema(func).call_async(arguments)), lambda func,
       arguments: Toolbox([func], repair=True).call(func.__name__, arguments), lambda func,
       arguments: stored(func).with_function(func).call(arguments), lambda func,
       arguments: tool_schema(func).with_profile(profiles.GEMINI).call(arguments)]),
    (lambda func: tool_schema(func, profile=profiles.MILO).input_schema,
     [lambda func, arguments: tool_schema(func, profile=profiles.MILO).call(arguments), lambda func,
       arguments: Toolbox([func], profile=profiles.MILO).call(func.__name__, arguments)]),
]  # fmt: skip
"""Each way to get a schema, with the calls that a caller of that schema makes."""


def stored(func: Callable[..., Any]) -> ToolSchema:
    return ToolSchema.from_mcp(tool_schema(func).to_mcp())


@pytest.mark.parametrize("func", FUNCTIONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize(("schema_of", "doors"), READERS, ids=["function", "tool", "tool of milo"])
def test_a_parameter_that_a_schema_leaves_out_is_set_through_no_door(func, schema_of, doors):
    """With the defaults of that schema and its call, whatever those of others are."""
    names = [*inspect.signature(func).parameters]
    hidden = {name for name in names if name not in schema_of(func)["properties"]} - {"more"}
    assert hidden or schema_of is READERS[1][0]

    answers = [answered(door, func, name) for name in hidden for door in doors]
    assert len(answers) == len(hidden) * len(doors)
    assert [each for each in answers if "forged" in each and "unknown argument" not in each] == []


def answered(door: Callable[..., Any], func: Callable[..., Any], name: str) -> str:
    """The text of the answer to a call that sets a parameter."""
    try:
        answer = door(func, {"query": "q", name: "forged"})
    except ArgumentsError as problem:
        return str(problem)
    return str(getattr(answer, "text", answer))


@pytest.mark.parametrize("made", ["dataclass", "model", "decoder"])
def test_constructors_and_decoders_only_get_parts_that_match(made):
    got: list[Any] = []

    @dataclasses.dataclass
    class Record:
        size: Annotated[int, Ge(1)]

        def __post_init__(self):
            got.append(self.size)

    class Model(pydantic.BaseModel):
        size: int = pydantic.Field(ge=1)

        @pydantic.model_validator(mode="after")
        def note(self):
            got.append(self.size)
            return self

    def decode(json: Any) -> Any:
        got.append(json)
        return json

    class Own:
        @classmethod
        def __milo_schema__(cls, _walk: Any) -> Any:
            return {"type": "integer", "minimum": 1}

    annotation: Any = {"dataclass": Record, "model": Model, "decoder": Own}[made]
    profile = MCP.replace(decoders={Own: decode})
    sends = (0, "1", None, [1], 1.5, True)
    for size in sends:
        json = size if made == "decoder" else {"size": size}
        with pytest.raises(ArgumentsError):
            json_to_value(json, annotation, profile=profile)
    assert got == []
    json_to_value(1 if made == "decoder" else {"size": 1}, annotation, profile=profile)
    assert got == [1]


def test_an_exception_of_a_constructor_is_one_of_the_problems():
    @dataclasses.dataclass
    class Even:
        size: int

        def __post_init__(self):
            if self.size % 2:
                raise ValueError(f"{self.size} is odd")

    with pytest.raises(ArgumentsError) as caught:
        json_to_value([{"size": 1}, {"size": 2}, {"size": "x"}], list[Even], profile=MCP)
    assert [str(each) for each in caught.value.problems] == [
        "[0]: 1 is odd",
        '[2].size: expected an integer, got "x"',
    ]


def test_a_function_shares_nothing_with_the_json_of_a_call():
    sent = {"x": {"a": [1, {"b": []}]}}

    def spoil(x: Any, **more: Any) -> None:
        x["a"][1]["b"].append(1)
        x["a"].append(2)

    tool_schema(spoil, profile=MCP).call(sent)
    assert sent == {"x": {"a": [1, {"b": []}]}}


# -- numbers with one hash ---------------------------------------------------------------------

PRIME = 2**61 - 1  # the hash of a number is its remainder (sys.hash_info.modulus)


def colliding(count: int) -> list[int]:
    """As many numbers with one hash: a set of them takes quadratic time."""
    return [PRIME * at for at in range(1, count + 1)]


@pytest.mark.parametrize("kind", [set[int], frozenset[int], set[tuple[int, ...]]], ids=str)
def test_numbers_with_one_hash_are_refused_beyond_a_limit(kind):
    found = colliding(1_002)
    json = [[each] for each in found] if "tuple" in str(kind) else found
    assert len(json_to_value(json[:1_001], kind)) == 1_001
    reason = "more than 1,000 of its 1,002 values have the same hash; send fewer of them"
    with pytest.raises(ArgumentsError, match=reason) as caught:
        json_to_value(json, kind)
    assert caught.value.problems[0].code == "invalid"
    with pytest.raises(ArgumentsError, match="must be unique, but it is equal to item 0"):
        json_to_value([*json, json[0]], kind)


def test_keys_with_one_hash_are_refused_beyond_a_limit():
    json = {str(each): 1 for each in colliding(1_002)}
    with pytest.raises(ArgumentsError, match="more than 1,000 of its 1,002 values have the same"):
        json_to_value(json, dict[int, int])
    assert len(json_to_value(json, dict[str, int])) == 1_002
    json.popitem()
    assert len(json_to_value(json, dict[int, int])) == 1_001


def test_the_uniqueness_of_numbers_with_one_hash_is_decided_without_it():
    """Their keys are texts, whose hashes no caller can know."""
    assert is_valid([*colliding(5_000), 0.5, 2**70], {"uniqueItems": True})
    assert not is_valid([2**70, float(2**70)], {"uniqueItems": True})
    assert not is_valid([[2**70], [float(2**70)]], {"uniqueItems": True})
    assert is_valid([2**70, hex(2**70)], {"uniqueItems": True})


def test_many_values_without_a_hash_or_with_many_hashes_are_decided_as_few():
    assert len(json_to_value([*range(5_000)], set[int])) == 5_000
    with pytest.raises(ArgumentsError, match="cannot be in a set"):
        json_to_value([[]] * 2_000, set[list[int]])
