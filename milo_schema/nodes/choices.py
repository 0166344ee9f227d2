"""Nodes of listed values: ``Literal``, Enums and Flags."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import islice
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import (
    Unresolved,
    inherits,
    is_class,
    is_member,
    loaded,
    own,
    static,
)
from milo_schema.annotations.evaluation import is_unresolved, try_evaluate
from milo_schema.annotations.forms import display, split
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.docs import description_of, texts_of_fields
from milo_schema.json_schema.sentences import one_of, suggest
from milo_schema.json_schema.subschemas import copy
from milo_schema.json_schema.values import CLASSES, NotJSONError, json_key, json_type, to_json
from milo_schema.nodes import Definitions, Reader
from milo_schema.nodes.base import (
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    construct,
    not_json,
    refuse_json,
    refuse_kind,
    refuse_value,
)
from milo_schema.nodes.scalar_types import CHOICE
from milo_schema.nodes.scalars import INTEGER, NUMBERS


def _json_of(value: Any) -> Any:
    """The JSON of a choice; that of a member of an Enum is its value."""
    while is_member(value):
        value = value._value_
    return to_json(value)


class Choice(Node):
    """A list of values.

    Attributes:
        values: The Python values.
        json: The JSON of each.
    """

    __slots__ = ("_by_key", "_kinds", "annotation", "cls", "json", "values")
    priority = CHOICE

    def __init__(
        self, annotation: Any, values: Collection[Any], json: Collection[Any], cls: Any = None
    ) -> None:
        self.annotation: Any = annotation
        self.cls: Any = cls
        self.values: Collection[Any] = values
        self.json: Collection[Any] = json
        self._by_key: dict[Hashable, Any] | None = None
        self._kinds: frozenset[type] | None = None

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """The classes of the values, and of numbers equal to them."""
        if self._kinds is None:
            self._kinds = frozenset().union(*(CLASSES[json_type(each)] for each in self.json))
        return self._kinds

    @property
    def types(self) -> list[str]:
        """The types of the choices."""
        return [*dict.fromkeys(map(json_type, self.json))]

    @property
    def label(self) -> str:  # type: ignore[override]
        """The choices."""
        return one_of(self.json)

    def schema(self, out: Definitions) -> Json:
        """``enum``, with the type that all values share."""
        types: set[Any] = {*map(type, self.json)}
        if types == {str}:  # most have only strings
            return {"type": "string", "enum": list(dict.fromkeys(self.json))}
        distinct = {(type(each), repr(each)): each for each in self.json}  # 1 and True differ
        types = {json_type(each) for each in self.json}
        if types == {"integer", "number"}:
            types = {"number"}
        shared = {"type": types.pop()} if len(types) == 1 else {}
        return {**shared, "enum": list(distinct.values())}

    def takes(self, json: Any) -> bool:
        """Whether it is one of the choices."""
        return any(type(each) is type(json) and each == json for each in self.json)

    def load(self, json: Any, run: Loading) -> Any:
        """The value with this JSON."""
        if type(json) not in self.kinds:
            return refuse_kind(self, json)
        if (by_key := self._by_key) is None:
            by_key = self._by_key = {}
            for value, each in zip(self.values, self.json, strict=True):
                by_key.setdefault(json_key(each), value)
        key = json_key(json)
        if key in by_key:
            return by_key[key]
        words = [word for word in by_key if type(word) is str]
        near = suggest(json, words) if type(json) is str else ""
        return refuse_json(self.label, json, "enum", list(self.json), more=near)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of the value, if it is one of the choices."""
        try:
            json = _json_of(value)
        except NotJSONError as problem:
            return not_json(value, problem, self.annotation)
        if any(json == each and type(json) is type(each) for each in self.json):
            return json
        listed = ", ".join(map(display, self.values))
        reason = f"{display(value)} is not one of {listed}"
        return run.as_it_is(value, self, refuse_value(reason, self.annotation))


class Enumeration(Choice):
    """The members of an Enum."""

    __slots__ = ()

    def schema(self, out: Definitions) -> Json:
        """The values of the members, with their texts if the profile wants them."""
        fragment = super().schema(out)
        if out.profile.choices != "enum" and (texts := texts_of_fields(self.cls)):
            said = [{"description": texts.get(each._name_)} for each in self.values]
            del fragment["enum"]
            fragment["oneOf"] = options_of(zip(self.json, said, strict=True), out.profile.choices)
        if text := description_of(self.cls):
            fragment["description"] = text
        return fragment

    def dump(self, value: Any, run: Dumping) -> Any:
        """The value of a member."""
        if not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        return _json_of(value)


def options_of(options: Iterable[tuple[Any, Json]], keyword: str) -> list[Json]:
    """A schema for each value, with its text.

    Args:
        options: The values, each with its annotations.
        keyword: What a description becomes: a ``title``, if there is none yet.
    """
    found: dict[Hashable, Json] = {}
    for value, said in options:
        texts = {key: text for key, text in said.items() if text}
        if keyword not in texts and "description" in texts:
            texts = {keyword: texts["description"]}
        found.setdefault(json_key(value), {"const": value, **texts})
    return [*found.values()]


def with_texts(branches: list[Json], keyword: str) -> list[Json]:
    """The branches of a union; those that are choices with texts are one ``oneOf``."""
    if len(found := [each for each in branches if "enum" in each]) < 2:
        return branches
    others = [each for each in branches if "enum" not in each]
    said = [{key: each[key] for key in each if key not in ("type", "enum")} for each in found]
    is_option = all(
        not texts or (texts.keys() <= _TEXTS and len(each["enum"]) == 1)
        for each, texts in zip(found, said, strict=True)
    )
    if not is_option or not any(said):
        return branches
    options = [
        (value, texts) for each, texts in zip(found, said, strict=True) for value in each["enum"]
    ]
    types = {each.get("type") for each in found}
    shared = {"type": types.pop()} if len(types) == 1 else {}
    return [{**shared, "oneOf": options_of(options, keyword)}, *others]


_TEXTS = {"title", "description"}


MAX_NAMED = 32
"""The most bits of a Flag that its description names."""
MAX_GAPPED = 6
"""The most bits of a Flag with gaps between them whose combinations are listed."""


class Bits(Node):
    """A Flag: any combination of its bits, as an integer.

    Attributes:
        mask: The sum of the bits.
        limits: The keywords for them: a range, or the combinations of bits with gaps between them.
    """

    __slots__ = ("annotation", "cls", "limits", "mask")
    kinds = NUMBERS
    exact: type | None = int

    def __init__(self, annotation: Any, cls: Any) -> None:
        self.annotation: Any = annotation
        self.cls: Any = cls
        self.mask: int = static(cls, "_flag_mask_")
        self.limits: Json = {"minimum": 0, "maximum": self.mask}
        if self.mask & (self.mask + 1) and self.mask.bit_count() <= MAX_GAPPED:
            self.limits = {"enum": _combinations(self.mask)}

    @property
    def label(self) -> str:  # type: ignore[override]
        """The range, or the combinations."""
        listed = self.limits.get("enum")
        return one_of(listed) if listed else f"an integer from 0 to {self.mask}"

    def schema(self, out: Definitions) -> Json:
        """An integer within the limits; the description names the bits."""
        text, bits = description_of(self.cls), self._named_bits()
        fragment = {"type": "integer", **copy(self.limits)}
        return {**fragment, "description": f"{text} ({bits})" if text else bits}

    def _named_bits(self) -> str:
        """``READ=1, WRITE=2``."""
        members = static(self.cls, "_member_map_")
        names = islice(static(self.cls, "_member_names_"), MAX_NAMED)
        return ", ".join(f"{name}={members[name]._value_}" for name in names)

    def load(self, json: Any, run: Loading) -> Any:
        """The member with these bits."""
        value = INTEGER.load(json, run)
        if type(value) is Refusal:
            return refuse_kind(self, json)
        if value in self.limits.get("enum", range(self.mask + 1)):
            return construct(json, self.cls, value)
        keyword = "enum" if "enum" in self.limits else "minimum" if value < 0 else "maximum"
        return refuse_json(self.label, json, keyword, copy(self.limits[keyword]))

    def dump(self, value: Any, run: Dumping) -> Any:
        """The bits of a member."""
        if not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        return _json_of(value)


def _combinations(mask: int) -> list[int]:
    """Every number whose bits are all in a mask, in order."""
    found = [0]
    for place in range(mask.bit_length()):
        if (bit := 1 << place) & mask:
            found += [each | bit for each in found]
    return found


# -- reading -----------------------------------------------------------------------------------


def read_literal(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """``Literal[...]``: the values; for an Enum member, its value (PEP 586)."""
    if not args:
        return reader.unsupported(tp, f"no JSON Schema for {display(tp)}", place)
    found = _read_choices(reader, tp, args, scope, place)
    return found if isinstance(found, Node) else Choice(tp, *found)


def read_enum(
    reader: Reader, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """An Enum: the values of its members. A Flag: any combination of its bits."""
    cls = tp if is_class(tp) else split(tp)[0]  # an Enum may have been written with arguments
    if not (members := own(cls, "_member_map_")):
        reason = f"{display(cls)} has no members, so no value is valid"
        return reader.unsupported(cls, reason, place)
    return reader.name(cls, lambda body: _read_members(body, cls, members, scope, place))


def _read_members(
    reader: Reader, cls: Any, members: dict[str, Any], scope: Scope, place: Place
) -> Node:
    names = own(cls, "_member_names_")
    listed = [members[name] for name in names]
    values = [member._value_ for member in listed]
    is_text = values and type(values[0]) is str  # the values of a Flag are integers
    if not is_text and inherits(cls, loaded("enum.Flag")):
        return Bits(cls, cls)
    found = _read_choices(reader, cls, values, scope, place, names)
    if isinstance(found, Node):
        return found
    return Enumeration(cls, listed, found[1], cls)


def _read_choices(
    reader: Reader,
    tp: Any,
    values: Collection[Any],
    scope: Scope,
    place: Place,
    names: Sequence[str] = (),
) -> tuple[Collection[Any], Collection[Any]] | Node:
    """The values and their JSON; a placeholder if one of them has no JSON."""
    for value in values:
        if type(value) is not str:
            break
    else:  # most have only strings
        return values, values
    json: list[Any] = []
    try:
        json.extend(map(_json_of, values))  # up to the first that is not JSON
    except NotJSONError as problem:
        if any(map(is_unresolved, values)):
            values = [_evaluate(each, scope) for each in values]
            return _read_choices(reader, tp, values, scope, place, names)
        what = f"{display(tp)}.{names[len(json)]} is" if names else f"{display(tp)} allows"
        reason = f"{what} {problem}, which cannot be written as JSON; use strings or numbers"
        return reader.unsupported(tp, reason, place)
    return values, json


def _evaluate(value: Any, scope: Scope) -> Any:
    """The value of a name that could not be evaluated before: ``Color.RED`` without ``Color``."""
    found = try_evaluate(value, scope) if is_unresolved(value) else value
    if type(found) is Unresolved:
        raise found.error
    return found
