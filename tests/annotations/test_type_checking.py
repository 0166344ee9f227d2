"""Names that modules import under ``if TYPE_CHECKING:``, imported when an annotation needs them."""

import importlib
import sys
import typing
from decimal import Decimal
from textwrap import dedent
from uuid import UUID

import pytest

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_checking_imports,
    type_to_schema,
)
from milo_schema.arguments import bind
from milo_schema.checks import check
from milo_schema.results import return_to_json
from milo_schema.testing import assert_described, assert_schema
from tests.callables.helpers import gives, since_312, since_314
from tests.fragments import INTEGER, NULL, NUMBER, STRING, array_of, record
from tests.inside import NamesByModule

DECIMAL = type_to_schema(Decimal)
UUID_TEXT = {"type": "string", "format": "uuid"}

PRICES = """
    from __future__ import annotations
    from dataclasses import dataclass
    from decimal import Decimal
    from typing import TYPE_CHECKING, Any
    if TYPE_CHECKING:
        from uuid import UUID as Key

    @dataclass
    class Price:
        amount: Decimal
        key: Key
"""
PRICE = record(amount=DECIMAL, key=UUID_TEXT)


@pytest.fixture(autouse=True)
def clean_imports(tmp_path, monkeypatch):
    """Make the folder of the test importable, and forget its modules afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if not name.startswith("milo_schema"):
            del sys.modules[name]


@pytest.fixture
def write(tmp_path):
    """Write the source of a module; its name."""

    def make(name, source):
        path = tmp_path / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source), encoding="utf-8")
        return name

    return make


@pytest.fixture
def load(write):
    """Write the source of a module and import it."""
    return lambda name, source: importlib.import_module(write(name, source))


@pytest.fixture
def shop(load):
    """The module ``shop`` with postponed annotations and some more source."""
    head = "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
    return lambda source: load("shop", head + dedent(source))


def properties_of(func, **options):
    """The properties, under MCP, of a function with names that all resolve."""
    schema = function_to_schema(func, strict=True, profile=profiles.MCP, **options)
    return schema["properties"]


# -- which imports are read --------------------------------------------------------------------

CHECKED = """
    from __future__ import annotations
    {imports}
    {test}
        from prices import Price
    def f(x: Price): ...
"""


OF_PRICE = CHECKED.format(imports="TYPE_CHECKING = 0", test="if TYPE_CHECKING:")


@pytest.mark.parametrize(
    ("imports", "test"),
    [
        ("from typing import TYPE_CHECKING", "if TYPE_CHECKING:"),
        ("from typing import TYPE_CHECKING as TC", "if TC:"),
        ("import typing", "if typing.TYPE_CHECKING:"),
        ("import typing as t", "if t.TYPE_CHECKING:"),
        ("from typing_extensions import TYPE_CHECKING", "if TYPE_CHECKING:"),
        ("TYPE_CHECKING = False", "if TYPE_CHECKING:"),
        ("MYPY = False", "if MYPY:"),
        ("import sys, typing", "if sys.version_info >= (3,) and typing.TYPE_CHECKING:"),
        ("from typing import TYPE_CHECKING", "if not TYPE_CHECKING:\n        pass\n    else:"),
        ("from typing import TYPE_CHECKING", "if 0:\n        pass\n    elif TYPE_CHECKING:"),
        (
            "from typing import TYPE_CHECKING",
            "if TYPE_CHECKING:\n      if __name__:\n       with open('x'):",
        ),
    ],
)
def test_every_spelling_of_the_block_is_read(load, write, imports, test):
    write("prices", PRICES)
    module = load("shop", CHECKED.format(imports=imports, test=test))
    assert properties_of(module.f, localns=type_checking_imports()) == {"x": PRICE}


@pytest.mark.parametrize(
    ("statement", "annotation", "expected"),
    [
        ("from prices import Price", "Price", PRICE),
        ("from prices import Price as Money", "Money", PRICE),
        ("import prices", "prices.Price", PRICE),
        ("import prices as p", "p.Price", PRICE),
        ("import app.inner", "app.inner.Item", record(n=INTEGER)),
        ("import app.inner as i", "i.Item", record(n=INTEGER)),
        ("import app.inner, app.other", "app.inner.Item | app.other.Thing", None),
        ("from app import inner", "inner.Item", record(n=INTEGER)),
        ("from . import inner", "inner.Item", record(n=INTEGER)),
        ("from .inner import Item", "Item", record(n=INTEGER)),
        ("from .. import prices", "prices.Price", PRICE),
        ("from ..prices import Price", "Price", PRICE),
    ],
)
def test_every_form_of_import_is_followed(load, write, statement, annotation, expected):
    inner = "from dataclasses import dataclass\n@dataclass\nclass Item:\n    n: int\n"
    if ".." in statement:
        package = "top.app"
        write("top.__init__", "")
        write("top.prices", PRICES)
    else:
        package = "app"
    write(f"{package}.__init__", "")
    write(f"{package}.inner", inner)
    write(f"{package}.other", inner.replace("Item", "Thing").replace("n: int", "m: str"))
    write("prices", PRICES)
    head = "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
    source = f"{head}if TYPE_CHECKING:\n    {statement}\ndef f(x: {annotation}): ...\n"
    module = load(f"{package}.shop", source)
    expected = expected or {"anyOf": [record(n=INTEGER), record(m=STRING)]}
    assert properties_of(module.f, localns=type_checking_imports()) == {"x": expected}


@pytest.mark.parametrize(
    ("alias", "annotation", "expected"),
    [
        ('Union["Price", int]', "Cost", {"anyOf": [PRICE, INTEGER]}),
        ('Union["Price", int]', "list[Cost]", array_of({"anyOf": [PRICE, INTEGER]})),
        ('List["Price"]', "Cost | int", {"anyOf": [array_of(PRICE), INTEGER]}),
        ('Annotated["Price", "x"]', "Cost", {**PRICE, "description": "x"}),
        ('Union["Inner", None]', "Cost", {"anyOf": [array_of(PRICE), {"type": "null"}]}),
        ('Literal["Price"]', "Cost", {"type": "string", "enum": ["Price"]}),
        ("Dict[str, T]", "Cost[int]", {"type": "object", "additionalProperties": INTEGER}),
        ('List[ForwardRef("Price", module="others")]', "Cost", array_of(STRING)),
    ],
)
def test_quotes_in_an_imported_alias_are_read_in_its_own_module(
    load, write, alias, annotation, expected
):
    """``ArrayLike`` of pandas is such an alias: only its own module imports what is in quotes."""
    write("prices", PRICES)
    write("others", "Price = str\n")
    write(
        "costs",
        "import others\nfrom typing import *\nT = TypeVar('T')\n"
        "if TYPE_CHECKING:\n    from prices import Price\n"
        f"Inner = List['Price']\nCost = {alias}\n",
    )
    module = load(
        "shop",
        "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
        f"if TYPE_CHECKING:\n    from costs import Cost\ndef f(x: {annotation}): ...\n",
    )
    assert properties_of(module.f, localns=type_checking_imports()) == {"x": expected}


def test_quotes_in_an_alias_that_an_inherited_field_uses_are_read_in_its_module(load, write):
    head = "from __future__ import annotations\nfrom typing import *\n"
    write("prices", PRICES)
    write(
        "base",
        f"{head}if TYPE_CHECKING:\n    from prices import Price\n"
        "Prices = List['Price']\nclass Base(TypedDict):\n    prices: Optional[Prices]\n",
    )
    source = f"{head}from base import Base\nclass Item(Base):\n    n: int\ndef f(x: Item): ...\n"
    module = load("shop", source)
    expected = record(prices={"anyOf": [array_of(PRICE), {"type": "null"}]}, n=INTEGER)
    assert properties_of(module.f, localns=type_checking_imports()) == {"x": expected}


def test_branches_are_chosen_by_the_version_and_the_first_import_that_works_counts(shop):
    module = shop("""
        import sys
        if TYPE_CHECKING:
            if sys.version_info >= (3, 0):
                from decimal import Decimal as A
            else:
                from uuid import UUID as A
            if sys.platform == "no such platform":
                from decimal import Decimal as B
            else:
                from uuid import UUID as B
            try:
                from no_such_module import C
            except ImportError:
                from uuid import UUID as C
            if len(sys.path) or sys.nothing:
                from no_such_module import D
            else:
                from decimal import Decimal as D
            if sys.nothing > 1:
                from uuid import UUID as E
        def f(a: A, b: B, c: C, d: D, e: E): ...
    """)
    assert properties_of(module.f, localns=type_checking_imports()) == {
        "a": DECIMAL,
        "b": UUID_TEXT,
        "c": UUID_TEXT,
        "d": DECIMAL,
        "e": UUID_TEXT,
    }


def test_run_time_names_of_a_module_take_precedence(shop):
    module = shop("""
        if TYPE_CHECKING:
            from no_such_module import Key
        else:
            Key = int
        def f(x: Key): ...
    """)
    names = type_checking_imports(module)
    assert properties_of(module.f, localns=names) == {"x": INTEGER}
    assert dict(names) == {}
    assert "Key" not in names
    with pytest.raises(KeyError):
        names["Key"]


def test_submodules_imported_only_for_type_checkers_are_found(shop, write):
    write("app.__init__", "")
    write("app.inner", "class Item: ...")
    module = shop("""
        import app
        if TYPE_CHECKING:
            import app.inner
            import app.missing
        def f(x: list[app.inner.Item], y: list[app.missing.Thing]): ...
    """)
    names = type_checking_imports()
    profile = profiles.MCP.with_types({"app.inner.Item": {"type": "string"}})
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.f, profile=profile, localns=names)
    assert schema["properties"] == {"x": array_of(STRING), "y": array_of({})}
    assert [str(each.message) for each in caught] == [
        (
            "f(y)[]: cannot evaluate 'app.missing.Thing': AttributeError: "
            "module 'app' has no attribute 'missing'"
        )
    ]


ALIASES = """
    from __future__ import annotations
    from dataclasses import dataclass
    from typing import TYPE_CHECKING, Union
    if TYPE_CHECKING:
        from typing import Any, TypeAlias, TypeVar
        from decimal import Decimal
        from texts import Keys, Wrong
        Price = dict[str, Decimal]
        Later: TypeAlias = "Price | None"
        Json: TypeAlias = dict[str, "Json"] | int
        Ids = list["Id"]
        Id = int
        T = TypeVar("T")
        T.more = Unsaid: str
    def f(
        a: Price, b: Later, c: list[Later], d: Later | int, e: Ids, g: dict[str, T], h: Keys | None
    ): ...
    def recursive(x: Json): ...
    def wrong(x: Wrong): ...
"""


def test_aliases_that_are_defined_for_type_checkers_are_read(load, write):
    write("texts", "from decimal import Decimal as D\nKeys = 'list[D]'\nWrong = 'no annotation'\n")
    module = load("shop", ALIASES.replace("T.more = Unsaid: str", "T.more = 1; Unsaid: str"))
    names = type_checking_imports()
    price = {"type": "object", "additionalProperties": DECIMAL}
    later = {"anyOf": [price, NULL]}
    assert properties_of(module.f, localns=names) == {
        "a": price,
        "b": later,
        "c": array_of(later),
        "d": {"anyOf": [price, INTEGER, NULL]},
        "e": array_of(INTEGER),
        "g": {"type": "object", "additionalProperties": True},
        "h": {"anyOf": [array_of(DECIMAL), NULL]},
    }
    schema = function_to_schema(module.recursive, strict=True, localns=names)
    reference = {"$ref": "#/$defs/Json"}
    json = {"anyOf": [{"type": "object", "additionalProperties": reference}, INTEGER]}
    definitions = {"Json": {"$ref": "#/$defs/dict_str_Json_int"}, "dict_str_Json_int": json}
    assert (schema["properties"], schema["$defs"]) == ({"x": json}, definitions)
    with pytest.raises(SchemaError, match=r"^wrong\(x\): (no 'Wrong'|cannot evaluate)"):
        function_to_schema(module.wrong, strict=True, localns=names)


def test_a_class_for_type_checkers_with_the_name_of_a_module_is_the_module(shop):
    module = shop("""
        import decimal
        if TYPE_CHECKING:
            class decimal: ...
        def f(x: decimal.Decimal): ...
    """)
    names = type_checking_imports(module)
    assert list(names) == []
    assert properties_of(module.f, localns=names) == {"x": DECIMAL}


@since_312
def test_an_alias_statement_for_type_checkers_is_read(shop):
    module = shop("""
        if TYPE_CHECKING:
            from decimal import Decimal
            type Prices = list[Decimal]
            type Pair[T] = tuple[T, T]
        def f(x: Prices): ...
    """)
    names = type_checking_imports(module)
    assert list(names) == ["Decimal", "Prices"]
    assert properties_of(module.f, localns=names) == {"x": array_of(DECIMAL)}


# -- nothing is imported before it is needed ----------------------------------------------------


def test_a_name_is_imported_when_an_annotation_needs_it(shop, write):
    write("prices", PRICES)
    write("other", "class Thing: ...")
    module = shop("""
        if TYPE_CHECKING:
            from prices import Price
            from other import Thing
        def f(x: Price): ...
        def g(x: int): ...
        def h(x: list[Thing]): ...
    """)
    names = type_checking_imports(module)
    assert list(names) == ["Price", "Thing"]
    assert len(names) == 2
    assert "Thing" in names
    function_to_schema(module.g, localns=names)
    assert not {"prices", "other"} & set(sys.modules)
    assert properties_of(module.f, localns=names) == {"x": PRICE}
    assert {"prices", "other"} & set(sys.modules) == {"prices"}
    assert names["Thing"] is sys.modules["other"].Thing


def test_without_the_mapping_nothing_is_imported(load, write):
    write("prices", PRICES)
    module = load("shop", OF_PRICE)
    with pytest.warns(SchemaWarning, match="no 'Price' in shop"):
        assert function_to_schema(module.f)["properties"] == {"x": STRING}
    assert "prices" not in sys.modules


def test_modules_that_import_each_other_are_loaded_by_then(shop, write):
    write(
        "prices",
        """
        from __future__ import annotations
        import shop
        from dataclasses import dataclass
        @dataclass
        class Price:
            shop: shop.Shop
        """,
    )
    module = shop("""
        from dataclasses import dataclass
        if TYPE_CHECKING:
            from prices import Price
        @dataclass
        class Shop:
            name: str
        def f(x: Price): ...
    """)
    expected = {"x": record(shop=record(name=STRING))}
    assert properties_of(module.f, localns=type_checking_imports()) == expected


# -- every module has its own block --------------------------------------------------------------


def test_records_and_bases_of_other_modules_have_the_names_of_those_modules(shop, write):
    write("prices", PRICES)
    write(
        "bases",
        """
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import TYPE_CHECKING, TypedDict
        TC = TYPE_CHECKING
        if TYPE_CHECKING:
            from decimal import Decimal as Key
        @dataclass
        class Base:
            base: Key
        class Options(TypedDict):
            option: Key
        class Repo:
            def get(self, key: Key) -> list[Key]: ...
        """,
    )
    module = shop("""
        from dataclasses import dataclass
        from bases import Base, Options, Repo
        if TYPE_CHECKING:
            from prices import Price
            from builtins import int as Key
        @dataclass
        class Item(Base):
            key: Key
            price: Price
        class Shelf(Repo): ...
        def f(item: Item, options: Options) -> dict[str, Item]: ...
    """)
    names = type_checking_imports()
    item = record(base=DECIMAL, key=INTEGER, price=PRICE)
    expected = {"item": item, "options": record(option=DECIMAL)}
    assert properties_of(module.f, localns=names) == expected
    assert properties_of(module.Item, localns=names) == item["properties"]
    assert properties_of(module.Shelf().get, localns=names) == {"key": DECIMAL}
    gives(module.Shelf().get, array_of(DECIMAL), localns=names)
    assert type_to_schema(module.Item, strict=True, localns=names) == item


@since_312
def test_aliases_and_type_parameters_have_the_names_of_their_module(shop, write):
    write(
        "aliases",
        """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from decimal import Decimal as Key
        type Keys = list[Key]
        type Pair[T] = dict[str, T | Key]
        class Repo[T: list[Key], U: (Key, int)]:
            def get(self, key: T, other: U): ...
        """,
    )
    module = shop("""
        from aliases import Keys, Pair, Repo
        if TYPE_CHECKING:
            from builtins import int as Key
        def f(a: Keys, b: Pair[Key]): ...
    """)
    names = type_checking_imports()
    assert properties_of(module.f, localns=names) == {
        "a": array_of(DECIMAL),
        "b": {"type": "object", "additionalProperties": {"anyOf": [INTEGER, DECIMAL]}},
    }
    assert properties_of(module.Repo.get, localns=names) == {
        "key": array_of(DECIMAL),
        "other": {"anyOf": [DECIMAL, INTEGER]},
    }


@since_314
def test_annotations_that_python_evaluates_late_are_resolved(load, write):
    write("prices", PRICES)
    module = load("shop", OF_PRICE.replace("from __future__ import annotations", ""))
    assert properties_of(module.f, localns=type_checking_imports()) == {"x": PRICE}


def test_one_mapping_serves_arguments_results_tools_and_checks(shop, write):
    write("prices", PRICES)
    module = shop("""
        if TYPE_CHECKING:
            from prices import Price
        def double(price: Price) -> list[Price]:
            '''Double it.

            Args:
                price: Its price.
            '''
            return [price, price]
    """)
    double, names = module.double, type_checking_imports()
    key = UUID(int=1)
    json = {"amount": "1.5", "key": str(key)}
    tool = tool_schema(double, strict=True, profile=profiles.MCP, localns=names)
    assert tool.input_schema["properties"] == {"price": {**PRICE, "description": "Its price."}}
    assert tool.output_schema == array_of(PRICE)
    price = bind(double, {"price": json}, localns=names).arguments["price"]
    assert (price.amount, price.key) == (Decimal("1.5"), key)
    assert return_to_json(double, [price], localns=names) == [json]
    assert check(double, profile=profiles.MCP, localns=names) == []
    assert_described(double, localns=names)
    assert_schema(double, tool.input_schema, profile=profiles.MCP, localns=names)
    result = tool.call({"price": json})
    assert result["structuredContent"] == [json, json]


def test_a_bare_annotation_has_the_names_of_the_calling_module(load, write):
    write("prices", PRICES)
    module = load(
        "shop",
        """
        from typing import TYPE_CHECKING
        from milo_schema import type_checking_imports, type_to_schema
        from milo_schema.arguments import json_to_value
        from milo_schema.results import value_to_json
        if TYPE_CHECKING:
            from prices import Price
        def schema():
            return type_to_schema("list[Price]", strict=True, localns=type_checking_imports())
        def there_and_back(json):
            names = type_checking_imports()
            value = json_to_value(json, "list[Price]", localns=names)
            return value, value_to_json(value, "list[Price]", localns=names)
        """,
    )
    assert module.schema() == array_of(PRICE)
    json = [{"amount": "1.5", "key": str(UUID(int=1))}]
    value, again = module.there_and_back(json)
    assert [type(each).__name__ for each in value] == ["Price"]
    assert again == json


# -- names that cannot be imported -----------------------------------------------------------------

BROKEN = """
    from __future__ import annotations
    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from broken import Thing
        from no_such_module import UUID, Missing
        from prices import NoSuchPrice
    def f(a: list[Thing], b: Thing | int, c: UUID, d: dict[str, NoSuchPrice]) -> Missing: ...
"""


def test_a_failed_import_affects_only_its_name_and_the_message_says_why(load, write):
    write("broken", "raise SystemExit(3)")
    write("prices", PRICES)
    module = load("shop", BROKEN)
    names = type_checking_imports()
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.f, profile=profiles.MCP, localns=names)
    assert schema["properties"] == {
        "a": array_of({}),
        "b": {},
        "c": UUID_TEXT,  # a usual name of the standard library
        "d": {"type": "object", "additionalProperties": True},
    }
    end = "fix that, or pass localns="
    thing = "no 'Thing' in shop: SystemExit: 3; "
    price = "no 'NoSuchPrice' in shop: module 'prices' has no attribute 'NoSuchPrice'; "
    assert [str(each.message) for each in caught] == [
        f"f(a)[]: {thing}{end}",
        f"f(b): {thing}{end}",
        f"f(d){{}}: {price}{end}",
    ]
    with pytest.raises(SchemaError) as refused:
        return_to_schema(module.f, strict=True, localns=names)
    assert str(refused.value) == (
        f"f() -> result: no 'Missing' in shop: No module named 'no_such_module'; {end}"
    )


STARRED = """
    from __future__ import annotations
    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from prices import *
        from decimal import Decimal as Exact
    def f(x: Price, y: Exact): ...
    def g(x: _Hidden): ...
    def h(x: int, y: Exact): ...
"""


@pytest.mark.parametrize(
    ("last_line", "exported"),
    [
        ("", {"Price", "uuid"}),
        ("__all__ = ['Price', '_Hidden']", {"Price", "_Hidden"}),
        ("__all__ = ('Price', 'missing')", {"Price", "missing"}),
    ],
    ids=["public names", "__all__", "a name that is missing"],
)
def test_a_star_import_is_followed_through_all_or_the_public_names(
    load, write, last_line, exported
):
    write("prices", f"import uuid\nPrice, _Hidden, Exact = uuid.UUID, bool, str\n{last_line}")
    module = load("shop", STARRED)
    localns = type_checking_imports()
    assert properties_of(module.h, localns=localns) == {"x": INTEGER, "y": DECIMAL}
    assert "prices" not in sys.modules  # only a missing name needs it
    assert properties_of(module.f, localns=localns) == {"x": UUID_TEXT, "y": DECIMAL}
    assert {*type_checking_imports(module)} == {"Exact", *exported}


def test_a_name_that_a_star_import_does_not_have_is_missing(load, write):
    write("prices", "_Hidden = int")
    module = load("shop", STARRED)
    with pytest.raises(SchemaError) as refused:
        function_to_schema(module.g, strict=True, localns=type_checking_imports())
    way_out = "import it there at run time, or pass localns="
    assert str(refused.value) == f"g(x): no '_Hidden' in shop; {way_out}"


def test_a_star_import_that_fails_is_in_the_message_about_a_missing_name(load, write):
    module = load("shop", STARRED)
    with pytest.raises(SchemaError) as refused:
        function_to_schema(module.f, strict=True, localns=type_checking_imports())
    assert str(refused.value) == (
        "f(x): no 'Price' in shop; import it there at run time, or pass "
        "localns=; 'from prices import *' failed: No module named 'prices'"
    )


def test_a_class_for_type_checkers_affects_only_its_part_and_the_message_says_why(shop):
    module = shop("""
        from typing import Protocol
        if TYPE_CHECKING:
            class Price(Protocol):
                amount: int
            try:
                from no_such_module import Thing
            except ImportError:
                class Thing: ...
            from decimal import Decimal as Amount
            class Amount: ...
        def f(x: list[Price], y: Price | int, z: Thing, a: Amount) -> None: ...
    """)
    names = type_checking_imports()
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.f, profile=profiles.MCP, localns=names)
    assert schema["properties"] == {"x": array_of({}), "y": {}, "z": {}, "a": DECIMAL}
    why = (
        "no 'Price' in shop: this class is for type checkers only; "
        "define it at run time, or pass localns="
    )
    assert [str(each.message) for each in caught][:2] == [f"f(x)[]: {why}", f"f(y): {why}"]
    assert ": no 'Thing' in shop: No module named 'no_such_module'; fix that" in str(
        caught[2].message
    )
    with pytest.raises(SchemaError) as refused:
        function_to_schema(module.f, strict=True, localns=names)
    assert str(refused.value) == f"f(x)[]: {why} (and 2 more problems)"
    given = type_checking_imports(names={"Price": float, "Thing": int})
    properties = function_to_schema(module.f, strict=True, localns=given)["properties"]
    assert properties["x"] == array_of(NUMBER)


def test_an_interrupt_is_not_treated_as_a_failure(load, write):
    write("broken", "raise KeyboardInterrupt")
    module = load("shop", BROKEN)
    with pytest.raises(KeyboardInterrupt):
        function_to_schema(module.f, localns=type_checking_imports())


@pytest.mark.parametrize(
    "source", ["TYPE_CHECKING = (", "\0 TYPE_CHECKING", "class TYPE_CHECKING: ..."]
)
def test_an_unreadable_or_empty_source_has_no_imports(load, write, source):
    module = load("shop", "from __future__ import annotations\ndef f(x: Price): ...\n")
    write("shop", source)
    with pytest.warns(SchemaWarning, match="no 'Price' in shop; import it there"):
        function_to_schema(module.f, localns=type_checking_imports())


def test_a_module_without_a_file_has_no_imports():
    names: dict = {}
    exec("def f(x: 'Price'): ...", names)
    with pytest.warns(SchemaWarning, match="no 'Price' in its module; import it there"):
        function_to_schema(names["f"], localns=type_checking_imports())


def test_other_conditions_are_not_for_type_checkers(shop):
    module = shop("""
        ready = True
        if not ready:
            from uuid import UUID as Key
        if TYPE_CHECKING:
            from uuid import UUID as Id
            Id = int
            typing.Id: type = str
        from calendar import MONDAY as first
        if first:
            from uuid import UUID as Other
        def f(x: Id): ...
    """)
    names: typing.Any = type_checking_imports(module)
    assert properties_of(module.f, localns=names) == {"x": UUID_TEXT}
    assert list(names) == ["Id"]
    assert [str(each) for each in names._block._definitions["Id"]] == [
        "from uuid import UUID as Id",
        "Alias(defines='Id', text='int')",
    ]


def test_names_by_module_are_found_by_a_subclass():
    with pytest.raises(NotImplementedError):
        NamesByModule().of({})


# -- the mapping -----------------------------------------------------------------------------------


def test_more_names_take_precedence_over_those_of_every_module(shop, write):
    write("prices", PRICES)
    module = shop("""
        from dataclasses import dataclass
        Here = str
        if TYPE_CHECKING:
            from prices import Price
        @dataclass
        class Item:
            price: Price
            more: More
        def f(a: Price, b: Here, c: Item, d: More): ...
    """)
    names = type_checking_imports(module, names={"Here": float, "More": int})
    assert properties_of(module.f, localns=names) == {
        "a": PRICE,
        "b": NUMBER,
        "c": record(price=PRICE, more=INTEGER),
        "d": INTEGER,
    }
    assert list(names) == ["Here", "More", "Price"]
    assert names["Here"] is float
    names = type_checking_imports(names={"Price": int})
    hidden = {"localns": names, "exclude": ["c", "d"]}
    assert properties_of(module.f, **hidden) == {"a": INTEGER, "b": STRING}


def test_other_code_reads_the_mapping_of_one_module(load, write):
    write("prices", PRICES)
    module = load("shop", OF_PRICE)

    class Callable:
        __module__ = "shop"

    for obj in (module, module.f, Callable, Callable()):
        names = type_checking_imports(obj)
        assert list(names) == ["Price"]
        hints = typing.get_type_hints(module.f, localns=names)
        assert hints == {"x": sys.modules["prices"].Price}
    for obj in (None, 1, typing.cast("typing.Any", Callable).mro, dict):
        assert dict(type_checking_imports(obj)) == {}


def test_the_mapping_reads_each_module_once(load, write, monkeypatch):
    write("prices", PRICES)
    module = load("shop", OF_PRICE)
    names = type_checking_imports()
    assert properties_of(module.f, localns=names) == {"x": PRICE}
    write("shop", "")
    write("prices", "")
    assert properties_of(module.f, localns=names) == {"x": PRICE}


def test_a_reloaded_module_is_read_again(write):
    write("prices", PRICES)
    prices = importlib.import_module("prices")
    names = type_checking_imports()
    assert type_to_schema(prices.Price, localns=names) == PRICE

    write("prices", PRICES.replace("uuid import UUID", "datetime import date"))
    importlib.invalidate_caches()
    importlib.reload(prices)

    assert type_to_schema(prices.Price, localns=type_checking_imports()) == record(
        amount=DECIMAL, key={"type": "string", "format": "date"}
    )
