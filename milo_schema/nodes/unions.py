"""Nodes of unions, and of ``Never``, which has no members."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from milo_schema import libraries
from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import inherits, is_any, is_class, is_named_sentinel, loaded
from milo_schema.annotations.forms import display, is_form, is_generic_class, with_metadata
from milo_schema.annotations.resolution import try_resolve
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema.sentences import describe, either
from milo_schema.json_schema.subschemas import simplify, step_to
from milo_schema.json_schema.values import json_key
from milo_schema.nodes import Definitions, Named, Reader
from milo_schema.nodes.annotated import Annotated
from milo_schema.nodes.base import (
    EVERY_KIND,
    NO_KIND,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    add,
    field_at,
    is_final,
    is_not,
    refuse,
    refuse_json,
    refuse_kind,
    refuse_value,
)
from milo_schema.nodes.choices import Choice, with_texts
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.definitions import undecodable_in
from milo_schema.nodes.fields import is_instance_of
from milo_schema.nodes.scalars import NULL, PLAIN, AnyNumber, Scalar


class Union(Node):
    """``A | B``.

    Attributes:
        options: Its members.
        supported: Those that are not impossible; only the first one if all are.
        unreadable: Those that cannot be read from JSON, because a part of them has no schema.
    """

    __slots__ = ("_alone", "_by_kind", "_flat", "annotation", "options", "supported", "unreadable")

    def __init__(
        self,
        annotation: Any,
        options: list[Node],
        supported: list[Node],
        unreadable: Sequence[Node] = (),
    ) -> None:
        self.annotation: Any = annotation
        self.options: list[Node] = options
        self.supported: list[Node] = supported
        self.unreadable: Sequence[Node] = unreadable
        self._flat: list[Node] | None = None
        self._by_kind: dict[type, list[Node]] | None = None
        self._alone: list[Node] | None = None

    # -- schema --------------------------------------------------------------------------------

    def schema(self, out: Definitions) -> Json:
        """``anyOf`` the members, null last."""
        branches = [option.schema(out) for option in self.supported]
        if {} in branches and self.is_unknown:
            return {}
        if out.profile.choices != "enum":
            branches = with_texts(branches, out.profile.choices)
        return simplify({"anyOf": branches})

    @property
    def is_unknown(self) -> bool:  # type: ignore[override]
        """Whether a member is, so that any JSON may be a value of the union."""
        return any(option.is_unknown for option in self.supported)

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Those of the members that can be read: a call does without the others."""
        readable = [each for each in self.options if not is_any(each, self.unreadable)]
        return [each for node in readable or self.options for each in node.undecodable]

    @property
    def describes_class(self) -> bool:  # type: ignore[override]
        """Whether it may turn out to be a single class."""
        return all(option.describes_class for option in self.options)

    @property
    def accepts_null(self) -> bool:  # type: ignore[override]
        """Whether one of the members is ``None``."""
        for option in self.options:  # noqa: SIM110 - asked for every field: a generator costs more
            if option is NULL or option.accepts_null:
                return True
        return False

    def without_null(self) -> Node:
        """The union without ``None``, also in the unions in it."""
        others = [option.without_null() for option in self.options if option is not NULL]
        if len(others) == 1:
            return others[0]
        if not others:
            return self
        left_out = [each for each in self.options if not is_any(each, self.supported)]
        supported = [each for each in others if not is_any(each, left_out)]
        return Union(self.annotation, others, supported or others[:1], self.unreadable)

    def without_class(self, cls: type) -> Node:
        """The union without members of a class, unless only ``None`` is left."""
        others = [option for option in self.options if option.cls is not cls]
        if all(option is NULL for option in others):
            return self
        if len(others) == 1:
            return others[0]
        supported = [option for option in self.supported if is_any(option, others)]
        return self.replace(options=others, supported=supported or others[:1])

    # -- loading -------------------------------------------------------------------------------

    def members(self) -> Iterator[Node]:
        """The members, and those of the unions in it, each once."""
        if self._flat is None:
            seen: dict[int, Node] = {}
            for option in self.supported:
                for member in option.members():
                    seen.setdefault(id(member), member)
            self._flat = list(seen.values())
        yield from self._flat

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """The classes of JSON that any of the members accepts."""
        return frozenset().union(*(member.kinds for member in self.members()))

    @property
    def plain(self) -> frozenset[type]:  # type: ignore[override]
        """Those of its members, if all are types that JSON has: no other one reads texts."""
        are_plain = all(isinstance(each, Scalar) and each.plain for each in self.options)
        return NO_KIND.union(*(each.plain for each in self.options if are_plain))

    @property
    def types(self) -> list[str]:
        """Those of the members."""
        return [*dict.fromkeys(each for member in self.members() for each in member.types)]

    @property
    def label(self) -> str:  # type: ignore[override]
        """Those of the members."""
        return label_of(self.members())

    @property
    def priority(self) -> int:  # type: ignore[override]
        """The last priority of a member."""
        return max(member.priority for member in self.members())

    def with_numbers(self) -> Node:
        """The union with members that accept decimals as numbers, too."""
        members = [member.with_numbers() for member in self.members()]
        return Union(self.annotation, members, members)

    def holds(self, json: Any) -> bool:
        """Whether a member does."""
        return any(member.holds(json) for member in self.members())

    def load(self, json: Any, run: Loading) -> Any:
        """The value from the member that fits; the JSON type decides, then the priorities."""
        kind = type(json)
        if (by_kind := self._by_kind) is None:
            by_kind = self._by_kind = self._sort()
        if (able := by_kind.get(kind)) is None:
            return refuse_kind(self, json)
        if len(able) == 1:
            return able[0].load(json, run)
        if kind is not dict and kind is not list:
            return _load_first(able, json, run)
        if run.known is None:
            json = ANYTHING.load(json, run)  # a copy without shared parts
            if type(json) is Refusal:
                return json
            run = run.remembering()
        known: Any = run.known
        key = id(self), id(json)
        if key in known:  # it is read only once, however deep unions are nested
            return known[key][1]
        refused: list[Refusal] = []
        able = able if kind is list else sorted(able, key=lambda member: _lost(member, json))
        for member in able:
            value = member.load(json, run)
            if is_final(value):
                break
            refused.append(value)
        else:
            value = _of_the_meant(able, refused, json, run)
        known[key] = json, value  # the JSON stays alive, so that its id stays valid
        return value

    def _sort(self) -> dict[type, list[Node]]:
        """The members that may read JSON of a kind: listed values and formats first, bytes last."""
        found: dict[type, list[Node]] = {}
        members = list(self.members())
        for kind in EVERY_KIND:
            able = [member for member in members if kind in member.kinds]
            if able:
                able.sort(key=lambda member: (member.priority, member.exact is not kind))
                found[kind] = able
        return found

    # -- dumping -------------------------------------------------------------------------------

    def dump(self, value: Any, run: Dumping) -> Any:
        """The member that fits: the one with the class of the value, otherwise the first."""
        kind = type(value)
        members = [member for member in self._all_members() if type(member) is not Never]
        if value is not None:
            others = [member for member in members if member is not NULL]
            if len(others) == 1:
                other = others[0]  # for its own error, which has the path
                return other.dump(value, run) if run.is_direct else run.dump(value, other)
        members.sort(key=lambda member: member.cls is not kind)
        key = id(value), id(self), run.is_exact
        if (known := run.decided.get(key)) is not None:
            run.progress.is_shared = True
            return known[1]
        # The first member that the value is of, or else that accepts its JSON.
        runs = (run,) if run.is_exact else (run.exactly(), run)
        for each, member in product(runs, members):
            found = member.dump(value, each) if run.is_direct else each.dump(value, member)
            if is_final(found):
                break
        else:
            found = is_not(value, self.annotation)
        if kind not in _SCALARS:  # every member of a union around it may ask for it
            run.decided[key] = value, found  # the value stays alive, so its id stays valid
        return found

    def _all_members(self) -> list[Node]:
        """The members, and those of the unions in it, also of annotated ones."""
        if self._alone is None:
            self._alone = [each for option in self.options for each in _without_metadata(option)]
        return self._alone


def _without_metadata(node: Node) -> Iterator[Node]:
    """The members of a union inside metadata, which say nothing about values."""
    inner = node.inner if type(node) is Annotated else node
    yield from inner.members() if type(inner) is Union else node.members()


_SCALARS = EVERY_KIND - {list, dict}


def label_of(nodes: Iterable[Node]) -> str:
    """The labels of several nodes, each once."""
    return either(node.label for node in nodes)


def _load_first(able: list[Node], json: Any, run: Loading) -> Any:
    """The value from the first member that accepts a string or number."""
    for member in able:
        value = member.load(json, run)
        if is_final(value):
            return value
    is_known = not able[-1].is_unknown
    return refuse_json(label_of(able), json, "anyOf", None) if is_known else value


def _of_the_meant(able: list[Node], refused: list[Refusal], json: Any, run: Loading) -> Refusal:
    """The problems of the member that was meant."""
    if type(json) is dict and (unknown := _unknown_tag(able, json, run)) is not None:
        return unknown
    ranks = [  # one that is unknown is first, then one whose tags match
        (not member.is_unknown, not _is_tagged(member, json, run), len(each.problems))
        for member, each in zip(able, refused, strict=True)
    ]
    return refused[ranks.index(min(ranks))]


def _unknown_tag(able: list[Node], json: dict[str, Any], run: Loading) -> Refusal | None:
    """One problem with the tags of all members, if none of them has the tag that is given."""
    for name in able[0].tags:
        tags = [tag for each in able if isinstance(tag := each.tags.get(name), Choice)]
        if name not in json or len(tags) < len(able):
            continue
        known: list[Any] = [each for tag in tags for each in tag.json]
        if len(known) > len({*map(json_key, known)}):
            continue  # members share values, so they do not tell them apart
        tag = Choice(Any, known, known)
        if type(found := tag.load(json[name], run)) is Refusal:
            return add(None, found, step_to(name))
    return None


def _lost(member: Node, json: dict[str, Any]) -> int:
    """0 if a member names each given property, 1 if it keeps others, and 2 if it may lose them."""
    if member.names is None or json.keys() <= member.names:
        return 0
    return 1 if member.keeps_others else 2


def _is_tagged(member: Node, json: Any, run: Loading) -> bool:
    """Whether an object has no tag of another member; anything else needs none."""
    return type(json) is not dict or all(
        name not in json or type(tag.load(json[name], run)) is not Refusal
        for name, tag in member.tags.items()
    )


# -- reading -----------------------------------------------------------------------------------


def read_union(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """``A | B``, without members that add nothing.

    ``Never`` has no values, so it is left out. A member that is impossible is left out and
    reported, unless nothing else is left. If a member is unknown, any JSON may be a value.
    """
    if not args:
        reason = f"{display(tp)} has no members; write them in brackets, such as Union[int, str]"
        return reader.unsupported(tp, reason, place)
    plain, options = reader.session.plain, []
    for arg in args:
        node = plain.get(id(arg))
        if node is None:
            return _read_union(reader, tp, head, args, scope, place)
        options.append(node)
    reader.session.size += len(options)
    return Union(tp, options, options)  # most are of plain types, which are all supported


def _read_union(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """A union with a member that needs a closer look."""
    inner = reader.for_members()
    try:
        args = tuple([arg for arg in args if not adds_nothing(arg, args, scope, reader)])
        options = [inner.read(arg, scope, place) for arg in args]
        supported = [option for option in options if option.problem is None]
        if is_partial := len(supported) < len(options):
            options = [*map(partial(_or_numbers, inner, scope, place), options, args)]
            supported = [option for option in options if _is_possible(option, place)]
    except SchemaError:  # it ends the reading, but not what was found before
        reader.problems += inner.problems
        raise
    if not supported:
        reader.problems += inner.problems
        return options[0] if options else read_never(reader, tp, head, args, scope, place)
    unreadable: list[Node] = []
    if inner.problems or is_partial:
        unreadable = [*filter(_has_no_schema, options)]
        left_out = [each.problem for each in options if not is_any(each, supported)]
        reader.problems += _problems_of_members(inner.problems, left_out, place)
    return options[0] if len(options) == 1 else Union(tp, options, supported, unreadable)


def _or_numbers(reader: Reader, scope: Scope, place: Place, node: Node, tp: Any) -> Node:
    """A member; for numbers without a schema, those of them that JSON has."""
    if node.problem is None or (found := try_resolve(tp, scope)) is None:
        return node
    numbers = next((each for name, each in _NUMBERS.items() if loaded(name) is found.head), None)
    if numbers is None:
        return node
    reader.problems = [each for each in reader.problems if each is not node.problem]
    return reader.read(with_metadata(numbers, found.metadata), found.scope, place)


def _is_possible(node: Node, place: Place) -> bool:
    """Whether a member has a schema, or is unknown and not the sentinel of a default."""
    problem = node.problem
    return problem is None or (node.is_unknown and not _is_default(problem, place))


def _is_default(problem: Problem, place: Place) -> bool:
    """Whether the default of a field is an instance of the annotation with a problem."""
    field = field_at(place)
    return field is not None and is_instance_of(field.default, problem.annotation)


def _problems_of_members(
    problems: list[Problem], left_out: Sequence[Any], place: Place
) -> Iterator[Problem]:
    """The problems of members; the union can do without those that are left out.

    If the default is an instance of one, it is a sentinel, and not a problem.
    """
    for each in problems:
        if not is_any(each, left_out):
            yield each
        elif not _is_default(each, place):
            yield each.replace(is_left_out=True)


def _has_no_schema(node: Node) -> bool:
    """Whether a node, or a part of it, cannot be read from JSON because it has no schema."""
    return any(problem.has_no_schema for problem in undecodable_in((node,), is_deferred=False))


def adds_nothing(tp: Any, members: Arguments, scope: Scope, reader: Reader) -> bool:
    """Whether a member is ``Never``, a sentinel, or a signal that is not part of an output.

    An abstract class adds nothing to a subclass, which can be made from JSON.
    """
    if id(tp) in PLAIN or is_generic_class(tp):
        return False
    if is_class(tp) and not reader.session.output:
        if reader.has_no_instances(tp):
            return any(is_class(each) and inherits(each, tp) and each is not tp for each in members)
        return "msgspec" in sys.modules and tp is loaded("msgspec.UnsetType")
    found = try_resolve(tp, scope)
    is_left_out = found is not None and bool(found.metadata) and _is_left_out(found.metadata)
    if found is None or found.args or is_left_out:
        return is_left_out
    head = found.head
    is_output = reader.session.output and is_class(head)
    if is_output and reader.profile.class_sets["output_signals"].match(head):
        return True
    is_never = is_form(head, "Never") or is_form(head, "NoReturn")
    return is_never or head is loaded("msgspec.UnsetType") or is_named_sentinel(head)


def _is_left_out(metadata: Arguments) -> bool:
    """Whether metadata, such as ``SkipJsonSchema``, remove a member from the schema."""
    pydantic = libraries.library("pydantic")
    return pydantic is not None and any(map(pydantic.leaves_out, metadata))


_NUMBERS: dict[str, type] = {
    **dict.fromkeys(("numbers.Integral", "numbers.Rational", "typing.SupportsIndex"), int),
    **dict.fromkeys(("numbers.Number", "numbers.Complex", "numbers.Real"), AnyNumber),
    **dict.fromkeys(("builtins.complex", "typing.SupportsInt", "typing.SupportsFloat"), AnyNumber),
    **dict.fromkeys(("typing.SupportsAbs", "typing.SupportsComplex"), AnyNumber),
}
"""The types of numbers that JSON can only write in part, each with the type of that part."""


class Never(Node):
    """``Never`` and ``NoReturn``: no value at all."""

    __slots__ = ("annotation",)
    kinds: frozenset[type] = frozenset()

    def __init__(self, annotation: Any) -> None:
        self.annotation: Any = annotation

    def schema(self, out: Definitions) -> Json:
        """A schema that accepts nothing."""
        return {"not": {}}

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing."""
        reason = f"got {describe(json)}, but {display(self.annotation)} has no values"
        return refuse(reason, json, "wrong-type", keyword="not")

    def dump(self, value: Any, run: Dumping) -> Any:
        """Nothing."""
        reason = f"got {display(value)}, but {display(self.annotation)} has no values"
        return refuse_value(reason, self.annotation)


def read_never(
    reader: Reader, tp: Any, _head: Any, _args: Arguments, _scope: Scope, place: Place
) -> Node:
    """``Never``: no argument is valid."""
    reader.report(f"{display(tp)} has no values, so no argument is valid", place, tp)
    return Never(tp)
