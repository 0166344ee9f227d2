"""Annotations that cannot be evaluated, and the names that a caller passes for them."""

import gc
import re
import weakref
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, TypedDict, TypeVar

import pytest

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from tests.callables.helpers import gives, since_312, since_314, takes, warnings_of
from tests.fragments import (
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    any_of,
    array_of,
    fixed,
    map_of,
    record,
)
from tests.modules import module_from

Item = TypeVar("Item")

TYPE_CHECKED = """
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from money import Amount

    def pay(a: int, b: Amount, c: list[str] | None = None, *, d: list[Amount]) -> Amount: ...
"""


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_missing_name_is_an_error_in_strict_mode(future, profile):
    module = module_from(TYPE_CHECKED, future=future, name="payments")
    for derive, place, more in (
        (function_to_schema, "pay(b)", " (and 1 more problem)"),
        (return_to_schema, "pay() -> result", ""),
    ):
        with pytest.raises(SchemaError) as caught:
            derive(module.pay, strict=True, profile=profile)
        assert str(caught.value) == (
            f"{place}: no 'Amount' in payments; import it there at run time, or pass localns={more}"
        )


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_localns_supplies_missing_names_of_nested_records(future):
    module = module_from(
        """
        from dataclasses import dataclass
        from typing import TypedDict

        @dataclass
        class Server:
            name: Missing
            more: list[Missing]

        class Fleet(TypedDict):
            servers: list[Server]
            of: Missing

        def command(fleet: Fleet): ...
        """,
        future=future,
    )
    server = {"name": INTEGER, "more": array_of(INTEGER)}
    fleet = record(servers=array_of(record(**server)), of=INTEGER)
    takes(module.Server, server, ["name", "more"], localns={"Missing": int})
    takes(module.command, {"fleet": fleet}, ["fleet"], localns={"Missing": int})


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_an_annotation_that_raises_affects_only_its_own_parameter(future):
    module = module_from("def command(a: int, b: int[str], c: list[str]): ...", future=future)
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command)
    assert schema["properties"] == {"a": INTEGER, "b": STRING, "c": array_of(STRING)}
    assert [str(each.message) for each in caught] == [
        "command(b): cannot evaluate 'int[str]': TypeError: type 'int' is not subscriptable"
    ]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_missing_name_affects_only_its_part_of_an_annotation(future):
    module = module_from(
        """
        from typing import Annotated, Literal, Optional, Union
        from milo_schema import Ge
        class Item: ...
        def command(
            a: dict[str, list[Missing]],
            b: Optional[list[there.Missing[int]]],
            c: tuple[Missing, int],
            d: Annotated[int, Missing(3), Ge(1)],
            e: Literal[Missing.RED],
            f: Union[list[Missing], str],
        ) -> list[Missing | int]: ...
        """,
        future=future,
    )
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command, profile=profiles.MCP)
    assert schema["properties"] == {
        "a": map_of(array_of({})),
        "b": any_of(array_of({}), NULL),
        "c": fixed({}, INTEGER),
        "d": {"type": "integer", "minimum": 1},
        "e": {},
        "f": any_of(array_of({}), STRING),
    }
    places = ["(a){}[]", "(b)[]", "(c)[0]", "(d)", "(e)", "(f)[]"]
    assert [each.message.path for each in caught] == [f"command{place}" for place in places]
    names = ["Missing", "there.Missing", "Missing", "Missing", "Missing.RED", "Missing"]
    for each, name in zip(caught, names, strict=True):
        reason = rf"no '{name}' in {module.__name__}; import it there"
        assert re.match(reason, each.message.message)
    with pytest.warns(SchemaWarning, match=r"^command\(\) -> result\[\]: no 'Missing' in "):
        assert return_to_schema(module.command, profile=profiles.MCP) == array_of({})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Annotated[int, 1]", INTEGER),
        ("AsyncGenerator[int, None]", "no JSON Schema for AsyncGenerator[int, None]"),
        ("date", {"type": "string", "format": "date"}),
        ("uuid.UUID", {"type": "string", "format": "uuid"}),
        ("Decimal", type_to_schema(Decimal)),
        ("Enum", "Enum has no members, so no value is valid"),
        ("Fraction", type_to_schema(Fraction)),
        ("IPv4Address", {"type": "string", "format": "ipv4"}),
        ("Path", STRING),
        ("UUID", {"type": "string", "format": "uuid"}),
        ("collections.abc.Sequence[int]", array_of(INTEGER)),
    ],
)
def test_each_module_of_the_standard_library_needs_no_import(name, expected):
    func: Any = module_from("def func(x): ...").func
    func.__annotations__["x"] = name
    if type(expected) is str:
        with pytest.raises(SchemaError, match=re.escape(expected)):
            function_to_schema(func, strict=True)
    else:
        assert function_to_schema(func, strict=True)["properties"] == {"x": expected}


def test_common_names_of_the_standard_library_need_no_import():
    module = module_from(
        """
        def command(
            a: Optional[UUID],
            b: Sequence[Mapping[str, Decimal]],
            c: datetime,
            lasts: timedelta,
            d: datetime.date,
            e: "typing.Literal['a']",
            f: collections.abc.Iterable[Path] | ipaddress.IPv4Address,
            g: Callable[[int], int] | Annotated[str, "Text."],
            **more: Unpack[More],
        ) -> Iterator[date]: ...
        """,
        future=True,
    )
    vars(module)["More"] = TypedDict("More", {"h": "NotRequired[time]"})  # type: ignore[operator]  # noqa: F821
    with pytest.warns(SchemaWarning, match=r"^command\(g\): no JSON Schema for Callable"):
        schema = function_to_schema(module.command, profile=profiles.MCP)
    text = {"type": "string", "description": "Text."}
    decimal = type_to_schema(Decimal)
    assert schema["properties"] == {
        "a": any_of({"type": "string", "format": "uuid"}, NULL),
        "b": array_of({"type": "object", "additionalProperties": decimal}),
        "c": {"type": "string", "format": "date-time"},
        "lasts": {"type": "string", "format": "duration"},
        "d": {"type": "string", "format": "date"},
        "e": {"type": "string", "enum": ["a"]},
        "f": any_of(array_of(STRING), {"type": "string", "format": "ipv4"}),
        "g": text,
        "h": {"type": "string", "format": "time"},
    }
    assert "h" not in schema["required"]
    gives(module.command, array_of({"type": "string", "format": "date"}))


@pytest.mark.parametrize("name", ["Collection", "Generator", "Text", "Pattern", "datetime.nothing"])
def test_an_ambiguous_name_is_not_guessed(name):
    module = module_from(f"def command(x: '{name}'): ...")
    with pytest.warns(SchemaWarning, match=rf"^command\(x\): (no|cannot evaluate) '{name}'"):
        assert function_to_schema(module.command)["properties"] == {"x": STRING}


def test_localns_precedes_the_module_and_both_precede_the_standard_library():
    source = "UUID = int\nName = str\ndef command(a: 'list[UUID]', b: 'list[Path]', c: 'Name'): ..."
    given = {"a": array_of(INTEGER), "b": array_of(NUMBER), "c": INTEGER}
    names = {"Path": float, "Name": int}
    takes(module_from(source).command, given, ["a", "b", "c"], localns=names)


def with_missing_name():
    def command(x: "Optional[Missing]"): ...  # noqa: F821

    return command


def test_a_missing_name_keeps_no_frame_alive():
    """The caches of typing keep the stand-in for the name."""
    command = with_missing_name()
    kept = weakref.ref(command)
    warnings_of(command)
    del command
    gc.collect()
    assert kept() is None


# -- content of MCP ----------------------------------------------------------------------------


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
@pytest.mark.parametrize(
    "annotation",
    [
        "ImageContent",
        "types.ImageContent",
        "ImageContent | None",
        "list[TextContent | types.ImageContent]",
        "tuple[str, Sequence[ImageContent]]",
        "dict[str, int] | Missing | CallToolResult",
        "Annotated[ImageContent, 'A shot.']",
        "Iterator[ImageContent]",
    ],
)
def test_content_that_only_type_checkers_import_is_known_by_its_name(annotation, future):
    head = "from collections.abc import *\nfrom typing import Annotated\n"
    module = module_from(f"{head}def shot() -> {annotation}: ...", future=future)
    for profile in (profiles.MILO, profiles.MCP, profiles.PORTABLE):
        assert return_to_schema(module.shot, strict=True, profile=profile) is None


def test_other_names_are_not_content():
    module = module_from("def shot() -> 'list[Missing] | MyImageContent': ...")
    with pytest.warns(SchemaWarning):
        schema = return_to_schema(module.shot, profile=profiles.MCP)
    assert schema == {}


@since_312
def test_a_missing_name_affects_only_its_part_of_an_alias():
    module = module_from(
        """
        type Items = list[Missing] | int
        type Pair[T] = dict[str, T | Missing]
        type Deep = tuple[Items, Missing]
        type Lost = Missing
        class Repo[T: list[Missing]]:
            def get(self, x: T): ...
        def command(a: Items, b: Pair[int], c: Deep, d: Lost): ...
        """
    )
    items = {"anyOf": [array_of({}), INTEGER]}
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command, profile=profiles.MCP)
    assert schema["properties"] == {"a": items, "b": map_of(True), "c": fixed(items, {}), "d": {}}
    places = sorted(each.message.path for each in caught)
    assert places == ["command(a)[]", "command(b){}", "command(c)[1]", "command(d)"]
    with pytest.raises(SchemaError, match=r"^command\(a\)\[\]: no 'Missing' in "):
        function_to_schema(module.command, profile=profiles.MCP, strict=True)
    names = {"Missing": str}
    schema = function_to_schema(module.command, localns=names, profile=profiles.MCP, strict=True)
    assert schema["properties"]["b"]["additionalProperties"] == {"anyOf": [INTEGER, STRING]}
    with pytest.warns(SchemaWarning, match=r"^Repo.get\(x\)\[\]: no 'Missing' in "):
        takes(module.Repo.get, {"x": array_of(STRING)}, ["x"], exact={"x": array_of({})})
    takes(module.Repo.get, {"x": array_of(INTEGER)}, ["x"], localns={"Missing": int})


@since_312
def test_an_alias_that_raises_another_error_affects_the_whole_annotation():
    module = module_from(
        """
        type Wrong = int[Missing]
        type Zero = list[1 / 0]
        def outer():
            type Late = list[soon] | int
            def command(a: Late): ...
            return command
            soon = int
        def command(a: Wrong, b: Zero): ...
        """
    )
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command, profile=profiles.MCP)
    assert schema["properties"] == {"a": {}, "b": {}}
    assert [each.message.path for each in caught] == ["command(a)", "command(b)"]
    with pytest.warns(SchemaWarning, match=r"^command\(a\): cannot evaluate Late.__value__: Name"):
        takes(module.outer(), {"a": STRING}, ["a"], exact={"a": {}})


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_missing_attribute_affects_only_its_part_of_an_annotation(future):
    module = module_from(
        """
        import concurrent, typing
        import os.path
        def command(
            a: list[concurrent.missing.Thing],
            b: concurrent.missing.Thing | int,
            c: dict[str, os.path.Missing] | os.PathLike[str],
            d: typing.Optional[typing.Missing],
            e: typing.Literal["a"] | os.Missing[int],
        ): ...
        """,
        future=future,
    )
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command, profile=profiles.MCP)
    assert schema["properties"] == {
        "a": array_of({}),
        "b": {},
        "c": any_of(map_of(True), STRING),
        "d": {},
        "e": {},
    }
    why = "cannot evaluate '{0}': AttributeError: module '{1}' has no attribute '{2}'"
    assert [str(each.message).partition(": ")[::2] for each in caught][:2] == [
        ("command(a)[]", why.format("concurrent.missing.Thing", "concurrent", "missing")),
        ("command(b)", why.format("concurrent.missing.Thing", "concurrent", "missing")),
    ]
    with pytest.raises(SchemaError, match=r"^command\(a\)\[\]: cannot evaluate 'concurrent.miss"):
        function_to_schema(module.command, profile=profiles.MCP, strict=True)


def test_an_annotation_in_quotes_can_be_a_member_of_a_union_by_its_name():
    module = module_from(
        """
        Json = "dict[str, int]"
        def command(a: "Json | None", b: "list[int] | Json"): ...
        """
    )
    json = {"type": "object", "additionalProperties": INTEGER}
    schema = function_to_schema(module.command, profile=profiles.MCP, strict=True)
    assert schema["properties"] == {"a": any_of(json, NULL), "b": any_of(array_of(INTEGER), json)}


def test_a_missing_name_in_the_base_of_a_methods_class_is_named():
    class Base(Generic[Item]):
        def take(self, item: Item): ...

    class Sub(Base["Missing"]): ...

    with pytest.raises(SchemaError, match="no 'Missing' in tests"):
        function_to_schema(Sub().take, strict=True)
