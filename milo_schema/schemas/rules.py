"""The rule for each type, such as ``datetime``; begin with the tables at the bottom.

A rule is ``rule(tp, args, walk, step) -> fragment``. *tp* is the annotation as it is written and
*args* are its arguments. *walk* is the place around the annotation, and *step* leads from there to
the annotation: a rule that complains, or that describes an annotation inside, uses
``walk.at(step)``. A type that always has the same few keywords has them in the table, instead of a
rule.

To find the code for a type, search the tables: ``containers.RULES`` has types that are always
loaded (it begins with ``walk.PLAIN``), ``NAMED`` has types by name, because their module may not be
loaded, and ``FAMILIES`` has kinds of types that need a test.
"""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections
import sys

from milo_schema.annotations import Any, Arguments, Callable, Fragment
from milo_schema.annotations.classes import (
    UnresolvedError,
    bare_name,
    class_name,
    inherits,
    loaded_when_called,
    loaded_when_used,
    mro,
)
from milo_schema.annotations.evaluation import is_reference
from milo_schema.annotations.forms import is_alias, is_form, is_typed_dict, metadata_of, split
from milo_schema.callables import records
from milo_schema.json_schema import DECIMAL
from milo_schema.schemas.containers import (
    BY_IDENTITY,
    MAY_BE_OPTIONAL,
    Rule,
    anything,
    array,
    as_rule,
    counter,
    mapping,
    never,
)
from milo_schema.schemas.walk import Step, Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import generics, resolution
    from milo_schema.schemas import annotated as markers
    from milo_schema.schemas import definitions
else:
    definitions = loaded_when_used("schemas.definitions")
    generics = loaded_when_used("annotations.generics")
    markers = loaded_when_used("schemas.annotated")
    resolution = loaded_when_used("annotations.resolution")


# -- rules for rare annotations, loaded when they are needed -----------------------------------

literal: Callable[..., Any] = loaded_when_called("schemas.choices", "literal")
enumeration: Callable[..., Any] = loaded_when_called("schemas.choices", "enumeration")
record: Callable[..., Any] = loaded_when_called("schemas.named", "record")
model: Callable[..., Any] = loaded_when_called("schemas.named", "model")
alias: Callable[..., Any] = loaded_when_called("schemas.named", "alias")
forward: Callable[..., Any] = loaded_when_called("schemas.named", "forward")
hook: Callable[..., Any] = loaded_when_called("schemas.custom", "hook")
unknown: Callable[..., Any] = loaded_when_called("schemas.custom", "unknown")
unsupported: Callable[..., Any] = loaded_when_called("schemas.unsupported", "unsupported")

fields_of_class: Callable[..., Any] = loaded_when_called("schemas.named", "fields_of_class")
own_schema: Callable[..., Any] = loaded_when_called("schemas.custom", "own_schema")
registered: Callable[..., Any] = loaded_when_called("schemas.custom", "registered")
import_schema: Callable[..., Any] = loaded_when_called("schemas.custom", "import_schema")


# -- finding a rule ----------------------------------------------------------------------------


def find(tp: Any, walk: Walk) -> tuple[Rule, Arguments]:
    """The rule for an annotation, and the arguments to give it."""
    return find_for(tp, *split(tp), walk)


def find_for(tp: Any, head: Any, args: Arguments, walk: Walk) -> tuple[Rule, Arguments]:
    """The rule for an annotation that has been split.

    In this order: the profile's types, the tables, the families, the tables for a base class.
    """
    if walk.profile.types and (schema := own_schema(tp, head, walk)) is not None:
        return registered(schema), args
    is_class = issubclass(type(head), type)
    name = class_name(head) if is_class else bare_name(head)
    if (rule := BY_IDENTITY.get(id(head)) or _named(head, name)) is not None:
        return rule, args
    families = PLAIN_CLASS_FAMILIES if type(head) is type else CLASS_FAMILIES
    for belongs, rule in families if is_class else FAMILIES:
        if belongs(head):
            return rule, args
    return by_base(head, args, walk) if is_class else (unknown, args)


def by_base(head: type, args: Arguments, walk: Walk) -> tuple[Rule, Arguments]:
    """The rule of the nearest base class in the tables, and the arguments of that base."""
    for base in mro(head)[1:-1]:  # never through object
        if (rule := BY_IDENTITY.get(id(base)) or _named(base, class_name(base))) is not None:
            return rule, generics.base_arguments(head, args, base, walk.scope.fallback)
    return unknown, args


def _named(head: Any, name: str) -> Rule | None:
    for module, rule in _NAMED.get(name, ()):
        if getattr(sys.modules.get(module), name, None) is head:
            if module == "typing":
                BY_IDENTITY[id(head)] = rule
                _met.append(head)
            return rule
    return None


def endless(tp: Any, walk: Walk) -> str:
    """The reason why an annotation never ends in a type; empty if it does."""
    try:
        _ = [*resolution.steps(tp, walk.scope)]
    except UnresolvedError as problem:
        return str(problem)
    return ""


# -- special forms -----------------------------------------------------------------------------


def stand_in(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A wrapper around another annotation: a qualifier, a type parameter, a ``NewType``."""
    inner = walk.at(step)
    if (found := resolution.resolve_once(tp, walk.scope)) is not None:
        value, scope = found
        return (inner if scope is walk.scope else inner.within(scope)).schema(value)
    if is_form(tp, "Self"):
        return inner.unsupported(tp, "Self is used outside of a class")
    return {}  # an unbound type parameter, or a qualifier without a type


def container(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A container that may contain itself, ``class Tree(dict[str, "Tree"])``: a named type."""
    rule, given = by_base(split(tp)[0], args, walk)
    return definitions.define(tp, lambda walk: rule(tp, given, walk, ""), walk.at(step))


def annotated(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``Annotated[T, ...]``: a single string describes T; ``markers`` reads other metadata."""
    metadata = metadata_of(tp)
    others = [piece for piece in metadata if type(piece) is not str]
    if others or not metadata or walk.profile.markers:
        found: Fragment = markers.annotated(tp, args, metadata, walk, step)
        return found
    fragment = walk.at(step).schema(args[0])
    if walk.profile.bare_descriptions:
        fragment["description"] = metadata[-1]
    return fragment


def boolean(_tp: Any, _args: Arguments, _walk: Walk, _step: Step) -> Fragment:
    """``TypeIs[T]``: the result of a type guard (PEP 742)."""
    return {"type": "boolean"}


def text(_tp: Any, _args: Arguments, _walk: Walk, _step: Step) -> Fragment:
    """``AnyStr``: a string, because JSON has no bytes."""
    return {"type": "string"}


# -- the tables --------------------------------------------------------------------------------


NAMED: dict[str, Rule | Fragment] = {
    "builtins.frozendict": mapping,
    "collections.deque": array,
    "collections.defaultdict": mapping,
    "collections.OrderedDict": mapping,
    "collections.ChainMap": mapping,
    "collections.Counter": counter,
    "collections.UserDict": mapping,
    "collections.UserList": array,
    "collections.UserString": {"type": "string"},
    "collections.abc.ByteString": {"type": "string", "contentEncoding": "base64"},
    "collections.abc.Buffer": {"type": "string", "contentEncoding": "base64"},
    "typing_extensions.Buffer": {"type": "string", "contentEncoding": "base64"},
    # special forms
    "typing.Any": anything,
    "typing.LiteralString": {"type": "string"},
    "typing.Never": never,
    "typing.NoReturn": never,
    "typing.Literal": literal,
    "typing.Annotated": annotated,
    "typing.Required": stand_in,
    "typing.NotRequired": stand_in,
    "typing.ReadOnly": stand_in,
    "typing_extensions.ReadOnly": stand_in,
    "typing.Final": stand_in,
    "typing.ClassVar": stand_in,
    "typing.Self": stand_in,
    "typing.TypeGuard": boolean,
    "typing.TypeIs": boolean,
    "typing_extensions.TypeIs": boolean,
    # strings in JSON
    "datetime.datetime": {"type": "string", "format": "date-time"},
    "datetime.date": {"type": "string", "format": "date"},
    "datetime.time": {"type": "string", "format": "time"},
    "datetime.timedelta": {"type": "string", "format": "duration"},
    "decimal.Decimal": {"type": "string", "pattern": DECIMAL},
    "uuid.UUID": {"type": "string", "format": "uuid"},
    "ipaddress.IPv4Address": {"type": "string", "format": "ipv4"},
    "ipaddress.IPv6Address": {"type": "string", "format": "ipv6"},
    "ipaddress.IPv4Interface": {"type": "string"},  # not the format ipv4, which has no /24
    "ipaddress.IPv6Interface": {"type": "string"},
    "ipaddress.IPv4Network": {"type": "string"},
    "ipaddress.IPv6Network": {"type": "string"},
    "pathlib.PurePath": {"type": "string"},
    "pathlib.Path": {"type": "string"},  # same as its base, but listed so that no family claims it
    "os.PathLike": {"type": "string"},
    "re.Pattern": {"type": "string", "format": "regex"},
    "zoneinfo.ZoneInfo": {"type": "string"},
}
"""Types by dotted name, found if their module is loaded; a subclass has the rule of its base."""


def _is_enum(cls: type) -> bool:
    return type(cls) is not type and inherits(cls, getattr(sys.modules.get("enum"), "Enum", None))


CLASS_FAMILIES: tuple[tuple[Callable[[Any], object], Rule], ...] = (
    (records.describes_itself, hook),
    (records.is_asked, model),
    (_is_enum, enumeration),
    *((belongs, record) for belongs, _ in records.READERS),
    (records.reader_of_library, record),
    (lambda cls: cls is abc.Hashable, anything),  # tested here, because many classes derive from it
    (loaded_when_called("annotations.generics", "has_quoted_base"), container),
)
"""Kinds of classes that need a test, in the order of the tests."""

PLAIN_CLASS_FAMILIES = tuple(
    row for row in CLASS_FAMILIES if row[0] not in (_is_enum, is_typed_dict)
)
"""The same for a class without a metaclass."""

FAMILIES: tuple[tuple[Callable[[Any], object], Rule], ...] = (
    (is_reference, forward),
    (is_alias, alias),
    (lambda head: is_form(head, "AnyStr"), text),
    (loaded_when_called("annotations.resolution", "is_wrapper"), stand_in),
)
"""Kinds of annotations that are not classes, in the order of the tests."""


_NAMED: dict[str, list[tuple[str, Rule]]] = {}
for _dotted, _entry in NAMED.items():
    _module, _dot, _name = _dotted.rpartition(".")
    _NAMED.setdefault(_name, []).append((_module, as_rule(_entry)))

_met: list[Any] = []
"""The forms of ``typing`` in ``BY_IDENTITY``; kept alive, so that no other object has their ids."""

MAY_BE_OPTIONAL.update((annotated, stand_in, forward, alias))
