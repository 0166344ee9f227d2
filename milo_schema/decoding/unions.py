"""Loaders of unions: the JSON type decides which member reads a value, then the turns."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Iterable, Iterator
from milo_schema.annotations.classes import UnresolvedError
from milo_schema.annotations.forms import metadata_of
from milo_schema.annotations.resolution import union_members
from milo_schema.decoding.containers import ANYTHING, EVERY_KIND, never
from milo_schema.decoding.loader import (
    Loader,
    Refused,
    Run,
    UnsupportedError,
    described,
    prepared,
    refused,
    repaired,
    wrong,
)
from milo_schema.schemas.containers import adds_nothing
from milo_schema.schemas.walk import Walk


def union(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``A | B``: a loader of each member, prepared once.

    As in the schema, a member without a schema is left out, unless nothing else is left.
    """
    members: list[Loader] = []
    failure: Exception | None = None
    for arg in args:
        try:
            members += _members(arg, walk)
        except (UnsupportedError, UnresolvedError) as problem:
            if isinstance(problem, UnsupportedError) and problem.path != walk.path:
                raise
            failure = problem
    if failure is not None and not members:
        raise failure
    return one_of(members) if members else never(tp, args, walk)


def _members(arg: Any, walk: Walk) -> Iterator[Loader]:
    """The loaders of the members in one argument of a union."""
    for each, scope in union_members(arg, walk.scope, lambda tp: bool(metadata_of(tp))):
        place = walk if scope is walk.scope else walk.within(scope)
        if not adds_nothing(each, place):
            yield prepared(each, place)


def one_of(members: list[Loader]) -> Loader:
    """A loader of values that any of the *members* reads."""
    if len(members) == 1:
        return members[0]
    kinds = frozenset().union(*(member.kinds for member in members))
    loader = Loader(kinds, _label(members))
    loader.members = members
    loader.turn = max(member.turn for member in members)
    by_kind = {kind: _in_turn(members, kind) for kind in EVERY_KIND & kinds}

    def load(json: Any, run: Run) -> Any:
        kind = type(json)
        asked = by_kind.get(kind)
        if asked is None:
            return wrong(loader, json, run)
        if len(asked) == 1:
            value = asked[0].load(json, run)
        elif kind is dict or kind is list:
            return _chosen(loader, asked, json, run)
        else:
            value = _first(asked, json, run)
        if type(value) is Refused and kind is str and run.repairs:
            return repaired(loader, json, run, value)
        return value

    loader.load = load
    return loader


def numbered(loader: Loader) -> Loader:
    """The loader that accepts decimals as numbers, too."""
    if not loader.members:
        return loader.numbered or loader
    return one_of([numbered(member) for member in loader.members])


def _label(members: Iterable[Loader]) -> str:
    return " or ".join(dict.fromkeys(member.label for member in members))


def _in_turn(members: list[Loader], kind: type) -> list[Loader]:
    """The members that may read JSON of a kind: listed values and formats first, bytes last."""
    able = [member for member in members if kind in member.kinds]
    return sorted(able, key=lambda member: (member.turn, member.exact is not kind))


def _first(asked: list[Loader], json: Any, run: Run) -> Any:
    """The value from the first member that accepts a string or number."""
    for member in asked:
        value = member.load(json, run)
        if type(value) is not Refused:
            return value
    return refused(f"expected {_label(asked)}, got {described(json)}")


def _chosen(loader: Loader, asked: list[Loader], json: Any, run: Run) -> Any:
    """The value of a container; it is read only once, however deep unions are nested."""
    if run.known is not None:
        return _known(loader, asked, json, run)
    run.known = {}
    json = ANYTHING.load(json, run)  # a copy without shared parts
    value = json if type(json) is Refused else _known(loader, asked, json, run)
    run.known = None
    return value


def _known(loader: Loader, asked: list[Loader], json: Any, run: Run) -> Any:
    assert run.known is not None  # noqa: S101 - _chosen() made it
    key = id(loader), id(json)
    if key not in run.known:
        run.known[key] = json, _asked(asked, json, run)  # json is kept alive, so its id stays valid
    return run.known[key][1]


def _asked(asked: list[Loader], json: Any, run: Run) -> Any:
    """The value from the member that fits, or the problems of the member that was meant."""
    if type(json) is dict:
        asked = sorted(asked, key=lambda member: not _knows(member, json))
    problems: list[tuple[bool, Refused]] = []
    for member in asked:
        value = member.load(json, run)
        if type(value) is not Refused:
            return value
        problems.append((not _is_tagged(member, json, run), value))
    return min(problems, key=lambda each: (each[0], len(each[1].problems)))[1]


def _knows(member: Loader, json: dict[str, Any]) -> bool:
    """Whether a member has every property that is given."""
    return member.names is None or json.keys() <= member.names


def _is_tagged(member: Loader, json: Any, run: Run) -> bool:
    """Whether the properties that identify a member match."""
    if type(json) is not dict:
        return True
    return all(
        name in json and type(tag.load(json[name], run)) is not Refused
        for name, tag in member.tags.items()
    )
