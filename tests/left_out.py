"""How a parameter is left out of a schema: the places, spellings, and ways of the product.

The class that is left out has a schema itself. So nothing but a test notices where it is shown.
"""

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Generic,
    NewType,
    Optional,
    TypeVar,
    Union,
)

import pydantic
import typing_extensions

from milo_schema import Injected, Profile

T = TypeVar("T")
TypeAliasType = getattr(typing, "TypeAliasType", typing_extensions.TypeAliasType)


class Base: ...


@dataclass
class Session(Base, Generic[T]):
    """Who is logged in."""

    user: str


PLAIN = Profile(name="PLAIN", variadics="error")


# -- places: where a parameter stands ----------------------------------------------------------


HEAD = """
import functools
from typing import Any, NamedTuple, TypedDict, Unpack
import attrs
"""
SOURCES = {
    "as_parameter": "def made(name: str, given: tp): ...",
    "as_positional_only": "def made(given: tp, /, name: str): ...",
    "as_keyword_only": "def made(name: str, *, given: tp): ...",
    "with_default": "def made(name: str, given: tp = None): ...",
    "in_partial": """
def run(name: str, given: tp): ...
made = functools.partial(run)
""",
    "in_partial_that_gives_it": """
def run(name: str, given: tp): ...
made = functools.partial(run, given=None)
""",
    "in_decorated_function": """
def run(name: str, given: tp): ...
@functools.wraps(run)
def made(*args: Any, **kwargs: Any): ...
""",
    "in_method": """
class Local:
    def run(self, name: str, given: tp): ...
made = Local().run
""",
    "in_class_method": """
class Local:
    @classmethod
    def run(cls, name: str, given: tp): ...
made = Local.run
""",
    "in_static_method": """
class Local:
    @staticmethod
    def run(name: str, given: tp): ...
made = Local.run
""",
    "in_callable_object": """
class Local:
    def __call__(self, name: str, given: tp): ...
made = Local()
""",
    "in_init": "class made:\n    def __init__(self, name: str, given: tp): ...",
    "in_new": "class made:\n    def __new__(cls, name: str, given: tp): ...",
    "in_dataclass": "@dataclass\nclass made:\n    name: str\n    given: tp",
    "in_attrs_class": "@attrs.define\nclass made:\n    name: str\n    given: tp",
    "in_named_tuple": "class made(NamedTuple):\n    name: str\n    given: tp",
    "in_typed_dict": "class made(TypedDict):\n    name: str\n    given: tp",
    "in_unpacked_keys": """
class Options(TypedDict):
    given: tp
def made(name: str, **options: Unpack[Options]): ...
""",
    "in_inherited_unpacked_keys": """
class Parent(TypedDict):
    given: tp
class Options(Parent, total=False): ...
def made(name: str, **options: Unpack[Options]): ...
""",
    "in_model": "class made(pydantic.BaseModel):\n    name: str\n    given: tp",
}
"""A callable for each place, whose parameter ``given`` has the annotation ``tp``."""


def place_of(name: str) -> Callable[[Any], Any]:
    """The function that makes the callable of a place, for an annotation."""

    def make(tp: Any) -> Any:
        namespace = {**globals(), "tp": tp}
        exec(compile(HEAD + SOURCES[name], f"<{name}>", "exec", dont_inherit=True), namespace)
        return namespace["made"]

    make.__name__ = name
    return make


as_parameter, in_dataclass, in_typed_dict, in_unpacked_keys, in_model = map(
    place_of,
    ("as_parameter", "in_dataclass", "in_typed_dict", "in_unpacked_keys", "in_model"),
)
PLACES = [place_of(name) for name in SOURCES if name != "in_model"]
"""All but ``in_model``, which does not keep every spelling."""


class Hook:
    """Metadata that make a text of any type."""

    def __get_pydantic_core_schema__(self, source, handler):
        return handler(str)


# -- forms of the annotation -------------------------------------------------------------------


def alias(value, *parameters):
    return TypeAliasType("Alias", value, type_params=parameters)


First, Second = TypeVar("First"), TypeVar("Second")
Pair = alias(Union[alias(First, First)[First], list[Second]], First, Second)
Tree = alias(dict[str, Union["Tree[T]", list[T]]], T)

FORMS: dict[str, Callable[[Any, str], Any]] = {
    "itself": lambda tp, _: tp,
    "with arguments": lambda tp, _: tp[int],
    "X | None": lambda tp, _: Optional[tp],
    "Annotated": lambda tp, _: Annotated[tp, "The session."],
    "Annotated[X | None]": lambda tp, _: Annotated[Optional[tp], "The session."],
    "Annotated[X] | None": lambda tp, _: Optional[Annotated[tp, "The session."]],
    "string": lambda _, text: text,
    "string in a string": lambda _, text: repr(text),
    "ForwardRef": lambda _, text: ForwardRef(text),
    "string of X | None": lambda _, text: f"{text} | None",
    "string of Optional": lambda _, text: f"Optional[{text}]",
    "string of Annotated": lambda _, text: f"Annotated[{text}, 'The session.']",
    "string | None": lambda _, text: Optional[text],
    "Annotated[string]": lambda _, text: Annotated[text, "The session."],
    "string without its module": lambda _, text: text.replace("Session", "there.Session"),
    "string of X | None without its module": lambda _,
        text: (f"{text.replace('Session', 'there.Session')} | None"),
    "string of a union without its module": lambda _,
        text: (f"{text.replace('Session', 'there.Session')} | int"),
    "alias": lambda tp, _: alias(tp),
    "alias | None": lambda tp, _: Optional[alias(tp)],
    "alias of X | None": lambda tp, _: alias(Optional[tp]),
    "alias of Annotated": lambda tp, _: alias(Annotated[tp, "The session."]),
    "alias of a string": lambda _, text: alias(text),
    "alias of an alias": lambda tp, _: alias(alias(tp)),
    "alias with an argument": lambda tp, _: alias(tp, T)[int],
    "alias of its argument": lambda tp, _: alias(T, T)[tp],
    "alias of its argument | None": lambda tp, _: alias(Optional[T], T)[tp],
    "NewType": lambda tp, _: NewType("Current", tp),
    "NewType | None": lambda tp, _: Optional[NewType("Current", tp)],
    "NewType of X | None": lambda tp, _: NewType("Current", Optional[tp]),
    "NewType of an alias": lambda tp, _: NewType("Current", alias(tp)),
    "NewType of a string": lambda _, text: NewType("Current", text),
    "type parameter with a bound": lambda tp, _: TypeVar("Bounded", bound=tp),
    "type parameter of X and X | None": lambda tp, _: TypeVar("OneOf", tp, Optional[tp]),
    "type parameter with a default": lambda tp, _: typing_extensions.TypeVar("Other", default=tp),
    "union with another type": lambda tp, _: Union[tp, bytes],
    "list": lambda tp, _: list[tp],
    "key of a mapping": lambda tp, _: Mapping[tp, str],
    "deep inside": lambda tp, _: dict[str, tuple[str, Union[bytes, list[Optional[tp]]]]],
    "string of a list": lambda _, text: f"list[{text}]",
    "string of a list without its module": lambda _,
        text: (f"list[{text.replace('Session', 'there.Session')}]"),
    "list of a string": lambda _, text: list[text],
    "list of an alias": lambda tp, _: list[alias(Union[bytes, tp])],
    "alias with two arguments": lambda tp, _: Pair[alias(bytes, T)[bytes], list[tp]],
    "alias that contains itself": lambda tp, _: Tree[tp],
    "argument of a function": lambda tp, _: Callable[[tp], bytes],
    "SkipValidation[X]": lambda tp, _: pydantic.SkipValidation[tp],
    "SkipValidation[X | None]": lambda tp, _: pydantic.SkipValidation[Optional[tp]],
    "SkipValidation[X] | None": lambda tp, _: Optional[pydantic.SkipValidation[tp]],
    "InstanceOf[X]": lambda tp, _: pydantic.InstanceOf[tp],
    "union with InstanceOf[X]": lambda tp, _: Union[bytes, pydantic.InstanceOf[tp]],
    "BeforeValidator": lambda tp, _: Annotated[tp, pydantic.BeforeValidator(str)],
    "AfterValidator": lambda tp, _: Annotated[tp, pydantic.AfterValidator(str)],
    "PlainValidator": lambda tp, _: Annotated[tp, pydantic.PlainValidator(str)],
    "WrapValidator": lambda tp, _: Annotated[tp, pydantic.WrapValidator(lambda x, read: read(x))],
    "BeforeValidator around X | None": lambda tp,
        _: Annotated[Optional[tp], pydantic.BeforeValidator(str)],
    "WithJsonSchema": lambda tp, _: Annotated[tp, pydantic.WithJsonSchema({"type": "string"})],
    "GetPydanticSchema": lambda tp, _: Annotated[tp,
          pydantic.GetPydanticSchema(lambda _, read: read(str))],
    "PlainSerializer": lambda tp, _: Annotated[tp, pydantic.PlainSerializer(str)],
    "Field": lambda tp, _: Annotated[tp, pydantic.Field(description="The session.")],
    "Field with a schema": lambda tp, _: Annotated[tp,
          pydantic.Field(json_schema_extra={"type": "string"})],
    "hook of its own": lambda tp, _: Annotated[tp, Hook()],
    "alias of SkipValidation[X]": lambda tp, _: alias(pydantic.SkipValidation[tp]),
    "BeforeValidator around a string": lambda _,
        text: Annotated[text, pydantic.BeforeValidator(str)],
    "list of SkipValidation[X]": lambda tp, _: list[pydantic.SkipValidation[tp]],
    "BeforeValidator around a list": lambda tp,
        _: Annotated[list[tp], pydantic.BeforeValidator(list)],
}  # fmt: skip


# -- ways to leave a parameter out -------------------------------------------------------------


WAYS: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "name in exclude": (Session, "Session", {"exclude": ["given"]}),
    "class in exclude": (Session, "Session", {"exclude": [Session]}),
    "base class in exclude": (Session, "Session", {"exclude": [Base]}),
    "injected_names": (Session, "Session", {"profile": PLAIN.replace(injected_names=["given"])}),
    "plain name in injected_classes": (Session, "Session",
          {"profile": PLAIN.replace(injected_classes=["Session"])}),
    "dotted name in injected_classes": (Session, "Session",
          {"profile": PLAIN.replace(injected_classes=[f"{__name__}.Session"])}),
    "injected_classes": (Session, "Session",
          {"profile": PLAIN.replace(injected_classes=[Session])}),
    "Injected": (Annotated[Session, Injected], "Annotated[Session, Injected]", {}),
}  # fmt: skip
"""For each way: the annotation, the same as text, and the options of the derivation."""

BY_NAME = {"name in exclude", "injected_names"}
BY_MARKER = {"Injected"}


IN_CONTAINERS = {
    "list",
    "key of a mapping",
    "deep inside",
    "string of a list",
    "string of a list without its module",
    "list of a string",
    "list of an alias",
    "alias with two arguments",
    "alias that contains itself",
    "argument of a function",
    "list of SkipValidation[X]",
    "BeforeValidator around a list",
}
"""The forms that the plain name of a class does not leave out."""


CANNOT_BE = {
    *((form, "plain name in injected_classes") for form in IN_CONTAINERS),
    ("string without its module", "base class in exclude"),
    ("string of X | None without its module", "base class in exclude"),
    ("string of a union without its module", "base class in exclude"),
    ("string of a list without its module", "base class in exclude"),
    ("with arguments", "Injected"),
}
"""The bases of a missing class are unknown; ``Annotated[...]`` accepts no arguments; a plain name
leaves out no container."""
