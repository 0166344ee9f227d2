"""Stress tests for ``$defs``: sizes, depths, names and order."""

import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Generic, Literal, Self, TypedDict, TypeVar, Union

import jsonschema_rs
import pytest

from milo_schema import Profile, SchemaError, function_to_schema, profiles, type_to_schema
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, fixed, map_of, obj, record
from tests.inside import reader
from tests.instructions import instructions
from tests.modules import module_from
from tests.needs import lacking

MCP = profiles.MCP
SHARED = profiles.MCP.replace(name="shared", inline=False)

every_spelling = pytest.mark.parametrize("profile", [MCP, SHARED], ids=lambda each: each.name)
pep695 = pytest.mark.skipif(bool(lacking("python>=3.12")), reason=lacking("python>=3.12"))


def schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Every dict in a schema; without recursion, for it may be deep."""
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)


def assert_in_order(schema: dict[str, Any]) -> None:
    """No reference dangles, no definition is unused, and no part is in two places."""
    nodes = list(schemas(schema))
    used = {node["$ref"] for node in nodes if "$ref" in node}

    assert used == {f"#/$defs/{name}" for name in schema.get("$defs", {})}
    assert len({id(node) for node in nodes}) == len(nodes)
    assert "$ref" not in schema


def data(name: str, fields: list[tuple[str, Any]]) -> Any:
    """A dataclass without the methods that these tests do not call: they take most of the time."""
    return dataclasses.make_dataclass(name, fields, repr=False, eq=False)


def chain(length: int) -> Any:
    """The first of *length* dataclasses, each of which has the next one as a field."""
    last = data(f"C{length}", [("x", int)])
    for number in reversed(range(length - 1)):
        last = data(f"C{number}", [("next", last)])
    return last


def tree(depth: int, width: int) -> Any:
    """A dataclass with *width* fields, each another dataclass with *width* fields, ..."""
    children = [tree(depth - 1, width) for _ in range(width)] if depth else []
    fields = [(f"f{number}", child) for number, child in enumerate(children)]
    return data("Leaf" if not depth else f"T{depth}", fields)


def cycle(length: int) -> Any:
    """A dataclass that leads back to itself by way of *length* others."""
    text = "\n".join(
        f"@dataclass(repr=False, eq=False)\n"
        f"class C{number}:\n    next: 'C{(number + 1) % length} | None'"
        for number in range(length)
    )
    return module_from(f"from dataclasses import dataclass\n{text}").C0


def lattice(levels: int, width: int, bottom: Any = int) -> Any:
    """Layers of dataclasses; each has every one of the next layer as a field."""
    layer = [data(f"L0_{number}", [("x", bottom)]) for number in range(width)]
    for level in range(1, levels):
        fields = [(f"f{number}", below) for number, below in enumerate(layer)]
        layer = [data(f"L{level}_{number}", fields) for number in range(width)]
    return layer[0]


# -- large -------------------------------------------------------------------------------------


def test_many_values_members_and_fields_are_all_there() -> None:
    values = [f"v{number}" for number in range(10_000)]
    assert type_to_schema(Literal[tuple(values)]) == {"type": "string", "enum": values}

    arms = tuple(list[Literal[number]] for number in range(500))  # type: ignore[valid-type]
    assert type_to_schema(Union[arms]) == any_of(*map(type_to_schema, arms))

    names = [f"f{number}" for number in range(1_000)]
    wide = dataclasses.make_dataclass("Wide", [(name, int) for name in names])
    assert type_to_schema(wide) == record(**dict.fromkeys(names, INTEGER))


GRAPHS = {
    "chain": (lambda: chain(1_000)),
    "tree": (lambda: tree(9, 2)),
    "cycle": (lambda: cycle(1_000)),
    "lattice": (lambda: lattice(100, 10)),
    "diamonds": (lambda: lattice(20, 2)),
}


@pytest.mark.parametrize("make", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.slow
def test_graph_of_a_thousand_dataclasses_is_written_once(make: Any) -> None:
    annotation = make()  # which takes as long as the rest
    for profile in (MCP, SHARED):
        schema = type_to_schema(annotation, profile=profile)

        assert_in_order(schema)
        assert jsonschema_rs.meta.is_valid(schema)
        # Each class is written about once: a lattice of 1,000 has some 20 fields in each of them.
        assert len(text := json.dumps(schema)) < 5_000_000
        assert json.loads(text) == schema


def test_shared_types_inside_a_definition_are_not_multiplied() -> None:
    """Two recursive types, one in the other; the parts of the inner one would double 50 times."""
    module = module_from(
        """
        from dataclasses import dataclass

        @dataclass
        class Inner:
            inner: "list[Inner]"
            shared: "Shared"

        @dataclass
        class Outer:
            outer: "list[Outer]"
            inner: Inner
        """,
        Shared=lattice(50, 2),
    )
    schema = type_to_schema(module.Outer, profile=MCP)

    assert_in_order(schema)
    assert list(schema["$defs"]) == sorted(
        ["Inner", "Outer", *(f"L{level}_{side}" for level in range(48) for side in range(2))]
    )


@pytest.mark.parametrize("further", [8, 9])
def test_shared_types_are_inlined_up_to_a_thousand_subschemas(further: int) -> None:
    """With the reference to the root: 2 + 110 references * (1 + 8 in a leaf) + 8 is 1,000."""
    leaf = dataclasses.make_dataclass("Leaf", [(f"x{number}", int) for number in range(7)])
    shared = [(f"leaf{number}", leaf) for number in range(110)]
    others = [(f"y{number}", int) for number in range(further)]
    root = dataclasses.make_dataclass("Root", [*shared, *others])

    assert ("$defs" in type_to_schema(root, profile=MCP)) is (further == 9)


@pytest.mark.parametrize("shape", ["chain", "cycle", "diamonds"])
@pytest.mark.slow
def test_work_is_linear_in_the_number_of_classes(shape: str) -> None:
    make = {"chain": chain, "cycle": cycle, "diamonds": lambda length: lattice(length, 2)}[shape]
    few, many = make(70), make(280)
    for profile in (MCP, SHARED):
        type_to_schema(few, profile=profile)  # loads the modules that are loaded late

        less = instructions(lambda: type_to_schema(few, profile=profile))  # noqa: B023
        more = instructions(lambda: type_to_schema(many, profile=profile))  # noqa: B023

        assert more < 5 * less


def test_a_class_costs_the_same_in_a_schema_of_fifty_and_of_two_hundred() -> None:
    def cost(length: int) -> int:
        classes = [dataclasses.make_dataclass(f"C{at}", [("x", int)]) for at in range(length)]
        fields = [(f"f{at}", each) for at, each in enumerate(classes)]
        whole = dataclasses.make_dataclass("Whole", fields)
        return instructions(lambda: type_to_schema(whole, profile=MCP))

    cost(1)  # loads the modules that are loaded late
    assert cost(200) / 200 < 1.1 * cost(50) / 50


@pytest.mark.parametrize("inline", [True, "auto"])
def test_classes_are_inlined_up_to_a_depth_of_64(inline: Any) -> None:
    profile = MCP.replace(inline=inline)

    assert "$defs" not in type_to_schema(chain(65), profile=profile)  # the root is not in another
    assert list(type_to_schema(chain(66), profile=profile)["$defs"]) == ["C1"]


# -- deep --------------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation]
    return annotation


@pytest.mark.parametrize("depth", [500, 5_000])
@pytest.mark.parametrize("strict", [False, True])
def test_five_hundred_levels_are_an_error_that_names_the_limit(depth: int, *, strict: bool) -> None:
    with pytest.raises(SchemaError, match="nested deeper than 128 levels") as caught:
        type_to_schema(nested(depth), profile=MCP, strict=strict)

    assert caught.value.path.endswith("[]" * 128)


@pytest.mark.parametrize("shape", ["list", "dict", "tuple", "optional", "annotated"])
def test_no_kind_of_nesting_is_a_recursion_error(shape: str) -> None:
    text = {
        "list": "list[{}]",
        "dict": "dict[str, {}]",
        "tuple": "tuple[int, {}]",
        "optional": "list[{} | None]",
        "annotated": "Annotated[list[{}], 1]",
    }[shape]
    annotation: Any = int
    names = vars(module_from("from typing import *"))
    for _ in range(200):
        annotation = eval(text.format("T"), names, {"T": annotation})

    with pytest.raises(SchemaError, match="nested deeper than 128 levels"):
        type_to_schema(annotation, profile=MCP)


def doubled(annotation: Any, times: int) -> Any:
    """A few objects in memory, and two to the power of *times* positions when written out."""
    for _ in range(times):
        annotation = tuple[annotation, annotation]
    return annotation


@pytest.mark.slow
def test_too_many_subschemas_are_an_error() -> None:
    assert type_to_schema(doubled(int, 2), profile=MCP)["minItems"] == 2
    with pytest.raises(SchemaError, match="more than 50,000 subschemas"):
        type_to_schema(doubled(int, 30))


T = TypeVar("T")


@dataclasses.dataclass
class Box(Generic[T]):
    content: T


def test_a_generic_class_with_and_without_arguments_is_two_types() -> None:
    def bare_first(a: Box, b: Box[int]): ...  # type: ignore[type-arg, no-untyped-def]

    def bare_last(b: Box[int], a: Box): ...  # type: ignore[type-arg, no-untyped-def]

    expected = {"a": record(content={}), "b": record(content=INTEGER)}
    assert function_to_schema(bare_first, profile=MCP)["properties"] == expected
    assert function_to_schema(bare_last, profile=MCP)["properties"] == expected


def test_endless_type_arguments_are_an_error() -> None:
    # 20 levels are enough: Python takes two to the power of that to hash each argument.
    wide = tuple[(int,) * 1_000]
    tagged = Annotated[(int, *range(1_000))]
    for annotation in (doubled(int, 20), doubled(int, 10), wide, tuple[(wide,) * 50], tagged):
        with pytest.raises(SchemaError, match="or more than 1,000 of them"):
            type_to_schema(Box[annotation])
    assert type_to_schema(Box[Literal[tuple(range(2_000))]])["type"] == "object"


def test_the_limit_of_specializations_is_exact(monkeypatch) -> None:
    monkeypatch.setattr(reader, "MAX_FORMS", 3)
    assert len(type_to_schema(tuple[Box[int], Box[str], Box[bool]])["prefixItems"]) == 3
    with pytest.raises(SchemaError, match="more than 3 specializations of one generic type"):
        type_to_schema(tuple[Box[int], Box[str], Box[bool], Box[float]])


def test_a_callable_of_callables_is_shown_in_short() -> None:
    annotation: Any = int
    for _ in range(30):
        annotation = Callable[[annotation, annotation], annotation]
    with pytest.raises(SchemaError) as caught:
        type_to_schema(annotation, strict=True)
    shown = "Callable[[Callable[[Callable[[Callable[[Callable[...], Callable[...]], Callab..."
    assert caught.value.path == shown


# -- names -------------------------------------------------------------------------------------

MARRIED = """
from dataclasses import dataclass
@dataclass
class Node:
    {field}: int
    other: 'Other | None' = None
@dataclass
class Other:
    node: Node
"""


def married(field: str, name: str) -> dict[str, Any]:
    """The definitions of one of the modules above."""
    other = any_of({"$ref": f"#/$defs/{name}.Other"}, NULL) | {"default": None}
    return {
        f"{name}.Node": obj([field], **{field: INTEGER, "other": other}),
        f"{name}.Other": record(node={"$ref": f"#/$defs/{name}.Node"}),
    }


@pytest.mark.parametrize("order", ["left, right", "right, left"])
def test_mutually_recursive_classes_with_the_same_name_are_distinct(order: str) -> None:
    modules = {
        name: module_from(MARRIED.format(field=name), name=name) for name in ("left", "right")
    }
    first, second = (modules[name].Node for name in order.split(", "))
    schema = type_to_schema(tuple[first, second], profile=MCP)  # type: ignore[valid-type]

    nodes = ({"$ref": f"#/$defs/{name}.Node"} for name in order.split(", "))
    definitions = {**married("left", "left"), **married("right", "right")}
    assert schema == fixed(*nodes) | {"$defs": definitions}
    assert list(schema["$defs"]) == sorted(schema["$defs"])


def test_classes_with_the_same_name_in_one_module_are_distinct() -> None:
    def make(tp: Any) -> Any:
        @dataclasses.dataclass
        class Local:
            x: tp
            next: list[Self]

        return Local

    schema = type_to_schema(tuple[make(int), make(str)], profile=MCP)  # type: ignore[misc]
    bodies = schema["$defs"]
    names = [item["$ref"].removeprefix("#/$defs/") for item in schema["prefixItems"]]

    assert [bodies[name] for name in names] == [
        record(x=tp, next=array_of({"$ref": f"#/$defs/{name}"}))
        for tp, name in zip([INTEGER, STRING], names, strict=True)
    ]


@pep695
def test_alias_used_with_two_arguments_is_two_definitions() -> None:
    module = module_from("type Tree[T] = T | list[Tree[T]]\nTYPE = tuple[Tree[int], Tree[str]]")
    schema = type_to_schema(module.TYPE, profile=MCP)

    numbers, texts = {"$ref": "#/$defs/Tree_int"}, {"$ref": "#/$defs/Tree_str"}
    trees = [any_of(INTEGER, array_of(numbers)), any_of(STRING, array_of(texts))]
    definitions = dict(zip(("Tree_int", "Tree_str"), trees, strict=True))
    assert schema == fixed(numbers, texts) | {"$defs": definitions}


def test_equal_arguments_written_twice_are_one_definition() -> None:
    module = module_from(
        """
        from dataclasses import dataclass
        from typing import *
        T = TypeVar("T")
        @dataclass
        class Tree(Generic[T]):
            value: T
            children: "list[Tree[T]]"
        TYPE = tuple[Tree[list[int]], Tree[List[int]], Tree["list[int]"]]
        """
    )
    schema = type_to_schema(module.TYPE, profile=MCP)

    assert list(schema["$defs"]) == ["Tree_list_int"]


def test_type_that_occurs_first_inside_a_default_is_described() -> None:
    @dataclasses.dataclass
    class Late:
        x: int = 0

    def f(first: object = Late(1), second: Late = Late(2)) -> None:  # noqa: B008
        pass

    assert function_to_schema(f, profile=MCP) == obj(
        [],
        first={"default": {"x": 1}},
        second=obj([], x={"type": "integer", "default": 0}) | {"default": {"x": 2}},
    ) | {"additionalProperties": False}


def test_names_have_only_characters_that_every_reader_supports() -> None:
    written = {
        "Größe": "Gr_e", "名前": "Type", "_Größe": "_Gr_e", "_": "_", "__x__": "__x__",
        "_Order": "_Order", "a__b": "a__b", "N" * 80: "N" * 80, "N" * 81: "N" * 77 + "...",
    }  # fmt: skip
    awkward = {
        name: dataclasses.make_dataclass(name, [("next", f"list[{name}]")], namespace={})
        for name in written
    }
    for name, cls in awkward.items():
        names: dict[str, Any] = awkward
        cls.__module__ = module_from("", **names).__name__
        schema = type_to_schema(cls, profile=MCP)
        assert_in_order(schema)
        assert list(schema["$defs"]) == [written[name]]


class Money:
    """A class that a profile describes."""


class Currency:
    @classmethod
    def __milo_schema__(cls, _walk: Any) -> dict[str, Any]:
        return {"type": "string", "enum": ["EUR", "USD"], "description": "By ISO 4217."}


class Price(TypedDict):
    amount: Money
    currency: Currency


@pytest.mark.parametrize("written", [{"type": "string"}, lambda _tp, _walk: {"type": "string"}])
@every_spelling
def test_scalar_that_a_hook_or_a_profile_writes_is_not_a_definition(
    written: Any, profile: Profile
) -> None:
    """Not even where so many named types are shared that they become definitions."""

    def pay(price: Price, least: Money, currencies: dict[str, Currency]) -> None:
        """Pay.

        Args:
            least: What to pay at least.
        """

    profile = profile.with_types({Money: written})
    currency = Currency.__milo_schema__(None)
    price = record(amount=STRING, currency=currency)
    schema = function_to_schema(pay, profile=profile)
    assert schema.pop("$defs", {"Price": price}) == {"Price": price}
    assert schema == record(
        price=(price if profile.inline else {"$ref": "#/$defs/Price"}),
        least=STRING | {"description": "What to pay at least."},
        currencies=map_of(currency),
    ) | {"additionalProperties": False}

    large = type_to_schema(lattice(20, 2, bottom=tuple[Money, Currency]), profile=profile)
    assert_in_order(large)
    assert large["$defs"]["L0_0"] == record(x=fixed(STRING, currency))


@every_spelling
def test_object_that_a_profile_writes_is_a_definition_like_any_other(profile: Profile) -> None:
    money = obj([], amount=STRING)
    schema = type_to_schema(list[Money], profile=profile.with_types({Money: money}))
    apart = array_of({"$ref": "#/$defs/Money"}) | {"$defs": {"Money": money}}
    assert schema == (array_of(money) if profile.inline else apart)


def test_shared_types_below_many_recursive_ones_are_written_once() -> None:
    """The contents of ``$defs`` count: 20 recursive types that share 30 others."""
    leaves = [
        dataclasses.make_dataclass(f"L{i}", [(f"l{i}_{k}", int) for k in range(20)])
        for i in range(30)
    ]
    module = module_from("")
    for name in (f"R{i}" for i in range(20)):
        fields = [(f"x{i}", leaf) for i, leaf in enumerate(leaves)]
        cls = dataclasses.make_dataclass(name, [*fields, ("me", f"{name} | None")])
        cls.__module__ = module.__name__
        setattr(module, name, cls)
    fields = [(f"r{i}", getattr(module, f"R{i}")) for i in range(20)]
    schema = type_to_schema(dataclasses.make_dataclass("Top", fields), profile=MCP)

    assert_in_order(schema)
    assert len(str(schema)) < 60_000
    assert schema["$defs"].keys() == {f"L{i}" for i in range(30)} | {f"R{i}" for i in range(20)}


@every_spelling
def test_definition_that_looks_like_a_reference_in_a_default_is_data(profile: Profile) -> None:
    class Options(TypedDict):
        raw: dict[str, str]

    def f(options: Options = {"raw": {"$ref": "#/$defs/Nowhere"}}) -> None:  # noqa: B006
        pass

    schema = function_to_schema(f, profile=profile)

    assert json.dumps(schema).count("Nowhere") == 1


# -- order -------------------------------------------------------------------------------------


def test_definitions_are_the_same_under_every_order_of_parameters() -> None:
    modules = [module_from(MARRIED.format(field=name), name=name) for name in ("left", "right")]
    annotations = {
        "a": modules[0].Node,
        "b": modules[1].Node,
        "c": list[modules[0].Other],  # type: ignore[name-defined]
        "d": dict[str, modules[1].Other],  # type: ignore[name-defined]
        "e": cycle(3),
    }
    found = set()
    for seed in range(20):
        names = random.Random(seed).sample(sorted(annotations), len(annotations))
        namespace: dict[str, Any] = dict(annotations)
        parameters = ", ".join(f"{name}: {name.upper()}" for name in names)
        upper = {name.upper(): annotations[name] for name in namespace}
        function = module_from(f"def f({parameters}): ...", **upper).f
        schema = function_to_schema(function, profile=MCP)
        assert list(schema["properties"]) == names
        schema["properties"] = dict(sorted(schema["properties"].items()))
        schema["required"].sort()
        found.add(json.dumps(schema))

    assert len(found) == 1


@dataclasses.dataclass
class Tree:
    branches: list["Tree | None"]
    named: dict[str, "list['Tree | None'] | Tree"]
    data: list["Json | None"]


Json = Union[str, list["Json | None"]]


def test_quoted_part_of_an_annotation_is_a_definition_only_if_nothing_else_ends_its_recursion():
    tree = {"$ref": "#/$defs/Tree"}
    branches, data = array_of(any_of(tree, NULL)), array_of({"$ref": "#/$defs/Json_None"})
    assert type_to_schema(list[Tree], profile=MCP) == array_of(tree) | {
        "$defs": {
            "Json_None": any_of(STRING, data, NULL),
            "Tree": record(branches=branches, named=map_of(any_of(branches, tree)), data=data),
        }
    }


def test_the_parts_of_a_deep_chain_are_each_in_one_place() -> None:
    leaf = dataclasses.make_dataclass("Leaf", [("x", list[int])])
    link: Any = int
    for number in range(70):  # deeper than what is inlined; a leaf is used often, a link once
        link = dataclasses.make_dataclass(f"Link{number}", [("next", link), ("leaf", leaf)])

    schema = type_to_schema(link, profile=MCP)
    assert [*schema["$defs"]] == ["Link63"]
    assert_in_order(schema)
