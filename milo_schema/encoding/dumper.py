"""Write a value as JSON by the rule for its annotation, which also makes the schema.

A ``Dumping`` has a table with a function for each rule, a dumper, which gets the value, the
annotation, its arguments, and the place. So the JSON of a value mirrors its schema.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, Encoders, Iterable, Iterator, Mapping
from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    UnresolvedError,
    repr_of_error,
    with_article,
)
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.resolution import resolve_once
from milo_schema.content import encoder_of
from milo_schema.errors import SchemaError
from milo_schema.json_schema.values import NotJSONError
from milo_schema.schemas import rules
from milo_schema.schemas.containers import by_rule
from milo_schema.schemas.walk import Derivation, Walk

Dumper = Callable[[Any, Any, Arguments, Walk], Any]

MAX_PARTS = 1_000_000
"""The most items and properties of a value in total: an iterator may be endless."""


class Dumping(Derivation):
    """The state that all places of one value share.

    Attributes:
        dumpers: The dumper for each rule.
        scalar: The dumper for every other rule.
        encoders: The functions that write the JSON of users' types.
        known: The results about annotations; see ``once()``.
    """

    __slots__ = ("dumpers", "encoders", "known", "scalar")

    def __init__(self, dumpers: Mapping[Any, Dumper], scalar: Dumper, encoders: Encoders) -> None:
        super().__init__(True, True, by_rule, rules)  # noqa: FBT003
        self.dumpers: Mapping[Any, Dumper] = dumpers
        self.scalar: Dumper = scalar
        self.encoders: Encoders = encoders
        self.known: dict[tuple[Any, int, int], tuple[Any, Any, Scope]] = {}


def dump(value: Any, annotation: Any, walk: Walk) -> Any:
    """The JSON of a value with this annotation."""
    if walk.depth > walk.profile.max_depth:
        raise misfit("nested too deeply, or contains itself", annotation, walk)
    dumping: Any = walk.derivation  # a Dumping
    if dumping.encoders and (encode := encoder_of(value, dumping.encoders)) is not None:
        return by_class(encode(value), walk)
    try:
        rule, args = rules.find(annotation, walk)
        return dumping.dumpers.get(rule, dumping.scalar)(value, annotation, args, walk)
    except UnresolvedError as problem:
        raise misfit(str(problem), annotation, walk) from problem
    except NotJSONError as problem:
        raise misfit(f"{problem} is not JSON", annotation, walk) from problem
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:  # __iter__, or a property
        raise misfit(f"reading it raised {repr_of_error(problem)}", annotation, walk) from problem


def by_class(value: Any, walk: Walk) -> Any:
    """The JSON of a value without an annotation, by its class."""
    if type(value) is object:
        raise misfit("no JSON for an object of class object", object, walk)
    return dump(value, type(value), walk)


def stand_in(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A wrapper around another annotation: an alias, a string, a type parameter."""
    found = once(_meaning, tp, walk)
    if found is None:
        return by_class(value, walk)
    annotation, scope = found
    return dump(value, annotation, walk.within(scope))


def _meaning(tp: Any, walk: Walk) -> tuple[Any, Scope] | None:
    return resolve_once(tp, walk.scope)


def once(find: Callable[[Any, Walk], Any], tp: Any, walk: Walk) -> Any:
    """The result of *find* for an annotation in its scope, computed once for all values."""
    known = walk.derivation.known  # type: ignore[attr-defined]  # of a Dumping
    key = find, id(tp), id(walk.scope)
    if key not in known:
        known[key] = find(tp, walk), tp, walk.scope  # kept alive, so that their ids stay theirs
    return known[key][0]


def misfit(reason: str, annotation: Any, walk: Walk) -> SchemaError:
    """The error about a value that does not match its annotation."""
    return SchemaError(reason, walk.path, annotation, code="unexpected-value")


def is_not(value: Any, annotation: Any) -> str:
    """The message about a value that is not of a type."""
    return f"{display(value)} is not {with_article(display(annotation))}"


def expect(value: Any, kind: Any, annotation: Any, walk: Walk) -> None:
    """Refuse a value that is not an instance of a class."""
    if not issubclass(type(value), kind):
        raise misfit(is_not(value, annotation), annotation, walk)


def each_of(values: Iterable[Any], tp: Any, walk: Walk) -> Iterator[Any]:
    """The items of a value, up to the limit in total."""
    for each in values:
        walk.derivation.size += 1
        if walk.derivation.size > MAX_PARTS:
            raise misfit(f"more than {MAX_PARTS:,} items", tp, walk)
        yield each
