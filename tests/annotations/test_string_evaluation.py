"""Annotation strings evaluate as in Python: each is compared with plain ``eval()``."""

import ast
import collections.abc
import decimal
import enum
import importlib
import inspect
import json
import random
import re
import sys
import typing
import warnings
import zlib
from dataclasses import dataclass

import pytest

from milo_schema import (
    Description,
    Ge,
    MaxLen,
    SchemaError,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.annotations import evaluation
from milo_schema.annotations.classes import Unresolved, UnresolvedError
from milo_schema.annotations.evaluation import GuardedModule, evaluate, names_in, placeholder_for
from milo_schema.annotations.forms import metadata_of, split
from milo_schema.annotations.scopes import Scope
from tests.cases import CASES
from tests.every import every
from tests.fragments import taking
from tests.modules import module_from
from tests.needs import lacking

ADDRESS = re.compile(r"0x[0-9a-f]+")


def shape(tp):
    """The parts of an annotation that readers see: head, arguments and metadata, at every level."""
    head, args = split(tp)
    if head is tp:
        seen = id_of(tp) if isinstance(tp, collections.abc.Hashable) else ADDRESS.sub("", repr(tp))
        return type(tp), seen
    return id_of(head), [shape(arg) for arg in args], [shown(each) for each in metadata_of(tp)]


def id_of(obj):
    """The identity of an object: the repr of values and fresh objects, other objects themselves."""
    if isinstance(obj, type):
        return id(obj)
    return shown(obj)


def shown(obj):
    return type(obj), ADDRESS.sub("", repr(obj))


def outcome(make):
    """The result of an evaluation: the shape and schemas of a type, or an error."""
    for clear in typing._cleanups:  # type: ignore[attr-defined]
        clear()  # otherwise, it gives int | str for str | int, which is equal
    try:
        tp = make()
    except UnresolvedError as problem:
        return type(problem.__cause__), str(problem.__cause__)
    except Exception as problem:
        return type(problem), str(problem)
    return shape(tp), [schema(tp, profile) for profile in (profiles.MILO, profiles.MCP)]


def schema(tp, profile):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = json.dumps(type_to_schema(tp, profile=profile))
        except SchemaError as problem:
            found = str(problem)
    return ADDRESS.sub("", found), [ADDRESS.sub("", str(each.message)) for each in caught]


def plainly(text, names, scope):
    """The result of Python, with stand-ins for missing names and attributes."""
    code = compile(text.strip(), "<annotation>", "eval")
    known = dict(names)
    while True:
        try:
            found = eval(code, known)
        except NameError as problem:
            name = str(problem.name)
            if name in known:
                raise
            known[name] = placeholder_for(name, text, scope, problem)
        except (AttributeError, TypeError):
            used = {name: known.get(name) for name in code.co_names}
            modules = {name: each for name, each in used.items() if inspect.ismodule(each)}
            texts = {name: each for name, each in used.items() if isinstance(each, str)}
            if not modules and not texts:
                raise
            known |= {name: GuardedModule(name, each) for name, each in modules.items()}
            known |= {name: typing.ForwardRef(each) for name, each in texts.items()}
        else:
            if isinstance(found, Unresolved):
                raise found.cause
            return found


def assert_same(text, names):
    scope = Scope(extra=names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        found = outcome(lambda: evaluate(text, scope))
        assert found == outcome(lambda: plainly(text, names, scope)), text


class Color(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int


T = typing.TypeVar("T")


class Page(typing.Generic[T]):
    pass


class Meta(type):
    """Unions of its classes are not unions."""

    def __or__(cls, other):
        return list

    __ror__ = __or__


class Odd(metaclass=Meta):
    pass


class Unhashable:
    __hash__ = None

    def __repr__(self):
        return "Unhashable()"


class Unwilling:
    def __hash__(self):
        raise ZeroDivisionError("no hash")


NAMES = {
    **{name: getattr(typing, name) for name in typing.__all__},
    "typing": typing,
    "abc": collections.abc,
    "decimal": decimal,
    "Json": int | list[str] | None,
    **{each.__name__: each for each in (Color, Point, Page, Odd, Unhashable, Unwilling)},
    **{each.__name__: each for each in (Ge, MaxLen, Description)},
}
TEMPLATES = [
    "Optional[{}]",
    "Annotated[{}, Description('It.')]",
    "Annotated[{}, Unhashable()]",
    "Annotated[{}, Unwilling()]",
    "Annotated[{}]",
    "Literal[{}]",
    "Literal['a', {}]",
]


EXPRESSED = [case for case in CASES if not lacking(case.needs)]


@every("case", EXPRESSED)
def test_a_string_with_the_annotation_of_a_case_evaluates_as_in_python(case):
    """In two of the templates, other ones for another row."""
    first = zlib.crc32(str(case).encode())
    for template in (first, first + 3):
        assert_same(TEMPLATES[template % 7].format("Case"), {**NAMES, "Case": case.type})


@pytest.mark.long
@every("case", EXPRESSED)
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_string_with_the_annotation_of_any_case_evaluates_as_in_python(template, case):
    assert_same(template.format("Case"), {**NAMES, "Case": case.type})


TEXTS = [
    "Literal['a', 'b']", "Literal['a', 'a']", "Literal['a', b'a']", "Literal[1, True, None, 1.0]",
    "Literal['a', 1]", "Literal[Color.RED]", "Literal[Literal['a', 'b'], 'b']",
    "Literal[('a', 'b')]", "Literal['a',]", "Literal[()]", "Literal[]", "Literal['a' 'b']",
    "Literal['a' if 1 else 'b']", "Literal['a'] if 0 else Literal['b']",
    "Literal['a'] | Literal['b']", "Literal['a'] | None | Literal['a']", "Literal['a'][0]",
    "Literal['a', 'b'][0], Literal['c']", "Literal['a' # ]", "Literal['#', 'b']",
    "Literal['a'] # ]", "Literal['a':'b']", "Literal['a', x := 'b']", "Literal[*('a', 'b')]",
    "Literal[x for x in 'ab']", "Literal[\n'a',\n'b']", "Literal[ 'a' ]", " Literal['a'] ",
    "Literal\n['a']", "Literal['\\\\', '\\'', \"]\"]", "Literal[f'{1}']", "Optional[int]",
    "Optional[None]", "Optional[Optional[int]]", "Optional['int']", "Optional[int, str]",
    "Optional[(int,)]", "Optional[...]", "Optional[Generic]", "Optional[Any]", "Optional[Odd]",
    "Optional[1]", "Optional[Page[int]]", "Optional[Json]", "Optional[int] | str",
    "Optional[Literal['a']]", "Annotated[int, Ge(1), Description('A [text], (with) # signs.')]",
    "Annotated[int]", "Annotated[int,]", "Annotated[()]", "Annotated[None, 'text']",
    "Annotated['int', 'text']", "Annotated[Annotated[int, Ge(1)], Description('It.')]",
    "Annotated[Generic, 1]", "Annotated[1, 2]", "Annotated[int, nowhere]",
    "Annotated[nowhere, 1]", "Annotated[int, 1 / 0]",
    "Annotated[int, Ge(1)], Annotated[int, Ge(2)]", "Annotated[int, {'a': [1]}]",
    "Annotated[Literal['a'], Unhashable()] | None", "typing.Optional[int]", "typing.Literal['a']",
    "Nowhere[int]", "nowhere.Thing | None", "list[nowhere.Thing[int]] | Nowhere | 'Here' | int",
    "None | nowhere | Literal['a']", "Annotated[int, nowhere(1), Ge(1)]",
    "uuid.UUID | UUID | Path", "Literal.nowhere", "decimal.Decimal | None", "abc.Sequence[int]",
    "Callable[[int], str]", "tuple[int, ...]", "tuple[()]", "Page[Literal['a']]", "int | 'str'",
    "None | None", "1 +", "", "x\0", "Optional[" * 120 + "int" + "]" * 120,
    "Optional[" * 250 + "int" + "]" * 250,
]  # fmt: skip


@every("text", TEXTS)
def test_a_string_evaluates_as_in_python(text):
    evaluation._codes.clear()
    assert_same(text, NAMES)
    assert_same(text, NAMES)  # now its code is kept


LEAVES = [
    *("int", "str", "None", "Color", "Point", "Page", "Odd", "Json", "Any", "decimal.Decimal"),
    *("'a'", "'b'", "1", "True", "...", "nowhere", "'int'", "Generic", "Unhashable()"),
]
HEADS = [
    *("Optional", "Literal", "Annotated", "Union", "list", "dict", "tuple", "Page", "List"),
    *("typing.Literal", "abc.Sequence"),
]


def random_text(draw, depth=0):
    kind = draw.random()
    if depth > 2 or kind < 0.3:
        return draw.choice(LEAVES)
    parts = [random_text(draw, depth + 1) for _ in range(draw.choice((1, 1, 2, 3)))]
    if kind < 0.4:
        return " | ".join(parts)
    return f"{draw.choice(HEADS)}[{', '.join(parts)}]"


@pytest.mark.parametrize("seed", range(10))
def test_random_strings_evaluate_as_in_python(seed):
    draw = random.Random(seed)
    for _ in range(200):
        assert_same(random_text(draw), NAMES)


MODULES = [
    "pydantic.types",
    *("importlib.metadata", "importlib.resources", "tomllib", "dataclasses", "functools"),
    *("packaging.version", "packaging.specifiers", "referencing._core", "jsonschema.validators"),
    *("pydantic.main", "pydantic.fields", "annotated_types", "attr._make"),
    *("_pytest.config", "_pytest.python", "_pytest.fixtures", "hypothesis.core"),
]


def annotations_in(module):
    """The source of each annotation in a module, without the huge schema of pydantic's schemas."""
    tree = ast.parse(inspect.getsource(module))
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if (annotation := getattr(node, field, None)) is not None:
                text = ast.unparse(annotation)
                if "core_schema" not in text and "CoreSchema" not in text:
                    yield text


@pytest.mark.parametrize("name", MODULES)
def test_annotations_of_a_real_module_evaluate_as_in_python(name):
    try:
        module = importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed")
    for text in sorted(set(annotations_in(module))):
        assert_same(text, {**vars(typing), **vars(module)})


def test_the_cache_of_compiled_strings_is_limited():
    for number in range(2 * evaluation.MAX_CODES):
        assert evaluate(f"int if {number} else int", Scope()) is int
        assert len(evaluation._codes) <= evaluation.MAX_CODES


def test_a_long_string_is_not_cached():
    text = f"int if '{'x' * evaluation.MAX_LENGTH}' else str"
    assert evaluate(text, Scope()) is int
    assert text not in evaluation._codes


def test_names_inside_a_forward_reference_are_those_of_its_module():
    module = module_from("Item = int")

    take = taking(typing.ForwardRef("list['Item']", module=module.__name__))
    found = function_to_schema(take)["properties"]["x"]
    assert found == {"type": "array", "items": {"type": "integer"}}


def test_a_string_is_evaluated_each_time_in_its_own_scope():
    one = module_from("Item = int\ndef take(x: 'list[Item]'): ...")
    other = module_from("Item = str\ndef take(x: 'list[Item]'): ...")
    found = [function_to_schema(each.take)["properties"]["x"] for each in (one, other)]
    assert found == [
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "string"}},
    ]


def test_metadata_are_evaluated_once():
    made = []

    def make():
        made.append(1)
        return Ge(len(made))

    names = {**NAMES, "make": make}
    assert metadata_of(evaluate("Annotated[int, make()]", Scope(extra=names))) == (Ge(1),)
    assert made == [1]


def test_a_name_that_typing_also_has_may_mean_something_else():
    class Literal:
        def __class_getitem__(cls, values):
            return values

    assert evaluate("Literal[int, str]", Scope(extra={"Literal": Literal})) == (int, str)
    assert sys.modules["typing"].Literal is not Literal


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("list['a.Context | int']", {"list", "Context", "int"}),
        ("Literal['a']", {"Literal"}),
        ("Annotated[Context, 'a']", {"Annotated", "Context"}),
        ("(", set()),
    ],
)
def test_the_names_of_types_in_a_string_are_found_at_any_depth(text, names):
    assert set(names_in(text)) == names
