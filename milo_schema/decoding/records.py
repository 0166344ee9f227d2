"""Loaders of records: an object, or an array, with a loader for each field."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable
from milo_schema.annotations.classes import MISSING, is_class, loaded_when_called, static
from milo_schema.annotations.forms import is_typed_dict, split
from milo_schema.callables import records
from milo_schema.callables.signatures import Field, Record
from milo_schema.decoding.containers import ANYTHING, ARRAY, EVERY_KIND, OBJECT
from milo_schema.decoding.loader import (
    CHOICE,
    Loader,
    Refused,
    Run,
    add,
    choices,
    construct,
    described,
    is_object,
    meant,
    named,
    nested,
    prepared,
    quoted,
    refused,
    step_to,
)
from milo_schema.decoding.scalars import STRING
from milo_schema.errors import NOT_PASSED, InjectedFieldError
from milo_schema.json_schema.values import INFINITY
from milo_schema.libraries import rows
from milo_schema.profile import Profile
from milo_schema.schemas.walk import Walk


class Part:
    """A field of a record, or a parameter, with its loader.

    Attributes:
        name: Its name in JSON.
        target: Its name in the constructor; ``None`` if the constructor does not have it.
        loader: The loader of its value.
        required: Whether a value is required.
        absent: The value if none is given: ``MISSING`` if the constructor has a default.
        make: Makes that value, if the constructor has none.
    """

    __slots__ = ("absent", "loader", "make", "name", "required", "target")

    def __init__(self, field: Field, target: str | None, loader: Loader, absent: Any) -> None:
        self.name: str = field.name
        self.target: str | None = target
        self.loader: Loader = loader
        self.required: bool = field.required
        self.absent: Any = absent
        self.make: Any = field.make


closed: Callable[..., Any] = loaded_when_called("schemas.definitions", "closed")
fitting: Callable[..., Any] = loaded_when_called("decoding.metadata", "fitting")
_REQUIRED = refused("required but not given")


def record(tp: Any, _args: Arguments, walk: Walk) -> Loader:
    """A dataclass, TypedDict, NamedTuple, or similar."""
    tp = tp if is_class(tp) else closed(tp, walk)
    loader = Loader(ARRAY if records.is_array(tp) else OBJECT, "an object")
    return named(tp, loader, lambda: _prepare(tp, loader, walk.deferred("")), walk)


def _prepare(tp: Any, loader: Loader, walk: Walk) -> None:
    """Fill in the loader of a record that is already registered."""
    cls, _ = split(tp)
    found = records.read(tp, walk.scope, aliases=walk.profile.aliases)
    targets = _targets(cls, found)
    parts = [part_of(field, targets.get(field.python_name), walk) for field in found.fields]
    loader.names = frozenset(part.name for part in parts)
    loader.tags = {
        part.name: part.loader for part in parts if part.required and part.loader.turn == CHOICE
    }
    if found.is_array:
        loader.label = f"an array of {len(parts)} items"
        read_array(loader, parts, cls, is_open=found.extra is MISSING)
    else:
        make = None if is_typed_dict(cls) else cls
        read_object(loader, parts, extra_of(found, make, walk), make)


def _targets(cls: Any, found: Record) -> dict[str, str]:
    """The name in the constructor of each field that it accepts."""
    for belongs, names in rows("CONSTRUCTORS"):
        if belongs(cls):
            taken: dict[str, str] = names(cls)
            return taken
    fields = static(cls, "__dataclass_fields__", {})
    every = (field.python_name for field in found.fields)
    return {name: name for name in every if name not in fields or fields[name].init}


def part_of(field: Field, target: str | None, walk: Walk) -> Part:
    """A field with its loader."""
    place = walk.at(field, field.scope)
    try:
        loader = (
            untyped(place) if field.annotation is MISSING else prepared(field.annotation, place)
        )
    except InjectedFieldError:
        if field.required:
            raise
        loader = _not_passed()
    absent = _REQUIRED if field.required else MISSING
    if null_is_absent(walk.profile) and not field.required:
        loader = _or_null(loader, absent)
    return Part(field, target, loader, absent)


def _not_passed() -> Loader:
    """The loader of an injected field: whatever a caller passes is refused."""
    loader = Loader(EVERY_KIND, "nothing")
    loader.load = lambda _json, _run: refused(NOT_PASSED)
    return loader


def null_is_absent(profile: Profile) -> bool:
    """Whether null in an optional field means a missing value, according to the profile."""
    return profile.null_is_absent and profile.optional == "null"


def _or_null(loader: Loader, absent: Any) -> Loader:
    """A loader for JSON in which null means a missing value, unless it means ``None``."""
    found = Loader(loader.kinds | {type(None)}, loader.label, turn=loader.turn)

    def load(json: Any, run: Run) -> Any:
        is_absent = json is None and type(None) not in loader.kinds
        return absent if is_absent else loader.load(json, run)

    found.load = load
    return found


def untyped(walk: Walk) -> Loader:
    """The loader of a field without annotation: JSON that is valid for the profile's schema."""
    if walk.profile.untyped is None:
        walk.refuse("no annotation; add one")
    keywords = walk.keywords("untyped")
    return fitting(keywords, ANYTHING) if keywords else ANYTHING


def extra_of(found: Record, make: Any, walk: Walk) -> Loader | bool | None:
    """The loader of additional properties; ``None`` to refuse them, ``False`` to ignore them."""
    if found.extra is MISSING and walk.profile.closed != "everything":
        return ANYTHING if make is None else False
    if found.extra is MISSING or found.extra is False:
        return None
    return prepared(found.extra, walk, found.extra_step)


# -- reading -----------------------------------------------------------------------------------


def read_object(
    loader: Loader, parts: list[Part], extra: Any, make: Any, denied: frozenset[str] | None = None
) -> Loader:
    """Make a loader read an object and pass its fields to *make*, or return them.

    Args:
        loader: The loader.
        parts: The fields.
        extra: The loader of additional properties; ``None`` to refuse, ``False`` to ignore them.
        make: The class of the value; ``None`` for a dictionary.
        denied: The names that an additional property must not have, for the arguments of a call.
    """
    known = [part.name for part in parts]
    fields = [(part.name, part.target, part.loader, part.absent) for part in parts]
    makers = [(part.target, part.make) for part in parts if part.make and part.target]

    def read(json: dict[Any, Any], run: Run) -> Any:
        values: dict[str, Any] = {}
        problems = None
        given = 0
        for name, target, field, value in fields:
            if name in json:
                given += 1
                value = field.load(json[name], run)  # noqa: PLW2901 - the original is not needed
            if type(value) is Refused:
                problems = add(problems, value, step_to(name))
            elif value is not MISSING and target is not None:
                values[target] = value
        if given < len(json) and extra is not False:
            problems = _read_extra(json, known, extra, values, problems, run, denied)
        return problems or _made(make, values, makers)

    return nested(loader, is_object, read)


def _made(make: Any, values: dict[str, Any], makers: list[tuple[str, Any]]) -> Any:
    for target, default in makers:
        if target not in values:
            values[target] = default()
    return values if make is None else construct(make, **values)


def _read_extra(  # noqa: PLR0913, PLR0917 - the state of its only caller
    json: dict[Any, Any],
    known: list[str],
    extra: Loader | None,
    values: dict[str, Any],
    problems: Refused | None,
    run: Run,
    denied: frozenset[str] | None,
) -> Refused | None:
    """Read the properties that are not fields, or refuse them."""
    names = set(known)
    for name, item in json.items():
        if name in names:
            continue
        if type(name) is not str:
            value: Any = refused(f"{described(name)} is a key but not a string")
        elif extra is None or (denied and name in denied):
            value = unknown_name("property" if denied is None else "argument", name, known)
        else:
            value = STRING.load(name, run)
            value = value if type(value) is Refused else extra.load(item, run)
        if type(value) is not Refused:
            values[name] = value
            continue
        problems = add(problems, value, step_to(str(name)))
        if problems.is_full:
            break
    return problems


def unknown_name(what: str, name: str, known: list[str]) -> Refused:
    """A ``Refused`` for a property with an unknown name."""
    there_are = f"; allowed: {choices([quoted(each) for each in known])}" if known else ""
    return refused(f"unknown {what}{meant(name, known) or there_are}")


def read_array(loader: Loader, parts: list[Part], make: Any, *, is_open: bool) -> Loader:
    """Make a loader read the fields of a record from an array."""
    most = INFINITY if is_open else len(parts)
    least = max((at for at, part in enumerate(parts, 1) if part.required), default=0)

    def fits(json: Any) -> bool:
        return type(json) is list and least <= len(json) <= most

    def read(json: list[Any], run: Run) -> Any:
        values: dict[str, Any] = {}
        problems = None
        for index, (part, item) in enumerate(zip(parts, json, strict=False)):
            value = part.loader.load(item, run)
            if type(value) is Refused:
                problems = add(problems, value, f"[{index}]")
            elif part.target is not None:
                values[part.target] = value
        return problems or construct(make, **values)

    return nested(loader, fits, read)
