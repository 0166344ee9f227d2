"""Write a node as a schema, with the ``$defs`` that it needs.

Most tools use each of their named types once, or only small ones: then each is written where it is
used. Otherwise every use is a ``Ref`` at first, and ``json_schema.references`` settles all of them
when everything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import ForeignName, key_of
from milo_schema.errors import SchemaError
from milo_schema.json_schema import TYPES, Ref
from milo_schema.json_schema.pointers import Import
from milo_schema.json_schema.references import MAX_INLINE_DEPTH, MAX_INLINE_SIZE, merge, settle
from milo_schema.json_schema.subschemas import copy, json_types, schemas_in, simplify
from milo_schema.nodes.base import Place
from milo_schema.nodes.containers import Anything
from milo_schema.nodes.named import Named

MAX_IN_PLACE = 64
"""The most named types that are written in place without a survey of all references."""


class Definitions:
    """The schema that nodes are written into: what they ask for, and the bodies of named types.

    Attributes:
        reader: The reader of the nodes.
        profile: How the schema is written.
        unwrap_none: Whether ``T | None`` of a field is ``T``, as in ``Profile.unwrap_none``.
        is_silent: Whether problems are ignored, because another schema reports them.
        is_in_place: Whether named types are written where they are used.
        bodies: The schemas of the named types that references lead to.
    """

    def __init__(self, reader: Any, *, is_exact: bool = False, is_standalone: bool = False) -> None:
        self.reader: Any = reader
        self.profile: Any = reader.profile
        self.unwrap_none: Any = not (is_exact or reader.output) and reader.profile.unwrap_none
        self.is_silent: bool = is_exact or is_standalone
        self.is_in_place: bool = not self.is_silent and (
            _can_be_in_place(reader) if reader.named else reader.is_simple
        )
        if not self.is_in_place:
            self.bodies: dict[Named, Json] = {}
            self._writing: set[Named] = set()

    @property
    def form(self) -> Any:
        """The options that custom schemas may depend on."""
        return self.unwrap_none, self.is_silent

    # -- for nodes -----------------------------------------------------------------------------

    def any_of(self, branches: list[Json]) -> Json:
        """The union of schemas, without repetitions, null last."""
        return simplify({"anyOf": branches})

    def or_true(self, fragment: Json) -> Json | bool:
        """The value of ``additionalProperties``: a schema, or ``true`` if any value is accepted."""
        target = fragment
        while type(ref := target.get("$ref")) is Ref and len(target) == 1:
            target = self.body_of(ref.key)
            if ref.key not in self.bodies:  # it is being written, so it contains itself
                return fragment
        return fragment if target else True

    def report(
        self,
        reason: str,
        place: Place,
        annotation: Any = None,
        cause: BaseException | None = None,
        code: str = "other",
    ) -> None:
        """Report what the schema cannot express."""
        if not self.is_silent:
            self.reader.report(reason, place, annotation, cause, code=code)

    def types_of(self, fragment: Json) -> list[str]:
        """The JSON types that a schema accepts."""
        return json_types(fragment, self._types_of_reference)

    def _types_of_reference(self, ref: Any) -> list[str]:
        if type(ref) is not Ref:
            return list(TYPES)
        return [ref.key.json_type] if ref.key.json_type else self.types_of(self.body_of(ref.key))

    # -- references ----------------------------------------------------------------------------

    def refer(self, named: Named) -> Json:
        """A reference to a named type."""
        return {"$ref": Ref(named)}

    def body_of(self, named: Named) -> Json:
        """The schema of a named type; empty while it is being written."""
        if named not in self.bodies:
            if named in self._writing:
                return {}
            self._writing.add(named)
            self._add(named, named.body.schema(self))
        return self.bodies[named]

    def _add(self, named: Named, body: Json) -> None:
        """Add the schema of a named type, unless it only leads back to the type itself.

        A validator would never end with such a schema: ``A`` refers to ``B``, and ``B`` to ``A``.
        """
        self.bodies[named] = body
        todo, seen = _direct(body), {named}
        while todo:
            each = todo.pop()
            if each is named:
                reason = "refers directly to itself; put a container in between"
                raise SchemaError(reason, display(named.annotation), named.annotation)
            if each not in seen:
                seen.add(each)
                todo += _direct(self.bodies.get(each, {}))

    def define(self, name: ForeignName, build: Callable[[Any], Json], place: Any) -> Json:
        """A reference to a definition of a finished schema; *build* makes its schema."""
        key = key_of(name), self.form
        named = self.reader.foreign.get(key)
        if named is None:
            named = self.reader.foreign[key] = Named(name)
            self._writing.add(named)
            self._add(named, build(place))
            named.fill(Imported(self.bodies[named]))
        return self.refer(named)

    def import_keywords(self, keywords: Json, place: Place) -> Json:
        """A copy of checked keywords without their ``$defs``, which join those of the whole."""
        keywords = copy(keywords)
        if (definitions := keywords.pop("$defs", None)) is None:
            return keywords
        return Import(definitions, self.define).fragment(keywords, place)

    def expand(self, fragment: Json) -> Json:
        """A schema without references to anything but records, as a copy that may be changed."""
        ref = fragment.get("$ref")
        while type(ref) is Ref and not ref.key.json_type:
            body = self.body_of(ref.key)
            self.reader.grow(len(schemas_in(body)), ref.key.annotation)  # checked before the copy
            fragment = merge(copy(body), fragment)
            ref = fragment.get("$ref")
        if "anyOf" not in fragment:
            return fragment
        return {**fragment, "anyOf": [self.expand(branch) for branch in fragment["anyOf"]]}

    def is_described(self, fragment: Json) -> bool:
        """Whether a schema, or the alias that it refers to, has a description."""
        if "description" in fragment or type(ref := fragment.get("$ref")) is not Ref:
            return "description" in fragment
        return ref.key.is_alias and self.is_described(self.body_of(ref.key))

    # -- the whole -----------------------------------------------------------------------------

    def finish(self, root: Json, *, inline: Any = None) -> Json:
        """*root* as plain JSON, with the ``$defs`` it needs and no other."""
        if self.is_in_place:
            return root
        self.complete(root)
        if not self.bodies:
            return root
        inline = self.profile.inline if inline is None else inline
        scalars = [each for each in self.bodies if each.is_custom and self._is_scalar(each)]
        return settle(root, self.bodies, inline=inline, scalars=scalars)

    def complete(self, root: Json) -> None:
        """Write the bodies of all named types that *root* leads to."""
        todo, done = [root], 0
        while todo:
            for node in schemas_in(todo.pop()):
                if type(ref := node.get("$ref")) is Ref:
                    self.body_of(ref.key)
            bodies = list(self.bodies.values())
            todo += bodies[done:]
            done = len(bodies)

    def _is_scalar(self, named: Named) -> bool:
        """Whether the schema of a custom type is as small as that of ``str``: it is inlined."""
        return _HAVE_PARTS.isdisjoint(self.types_of(self.body_of(named)))


def _direct(fragment: Json) -> list[Any]:
    """The named types that describe the same value as a schema, not a part of it."""
    ref = fragment.get("$ref")
    found = [ref.key] if type(ref) is Ref else []
    for branch in fragment.get("anyOf", ()):
        found += _direct(branch)
    return found


_HAVE_PARTS = frozenset({"array", "object"})


class Imported(Anything):
    """A definition in a schema that users or other libraries have made: it stands for JSON only.

    Attributes:
        fragment: Its schema.
    """

    __slots__ = ("fragment",)

    def __init__(self, fragment: Json) -> None:
        self.fragment: Json = fragment

    def schema(self, out: Any) -> Json:
        """The schema."""
        fragment: Json = copy(self.fragment)
        return fragment


def _can_be_in_place(reader: Any) -> bool:
    """Whether each named type can be written where it is used, without a survey.

    That is so if each is used once, or if all of them together are small even when each is written
    as often as it is used. The profile wants that, none is recursive, and no schema of others,
    which has references of its own, is among them.
    """
    if not reader.is_simple or len(reader.named) > MAX_IN_PLACE:
        return False
    if reader.profile.inline is not True:
        return reader.profile.inline == "auto" and _is_each_used_once(reader)
    return _is_each_used_once(reader) or _is_small(reader)


def _is_each_used_once(reader: Any) -> bool:
    """Whether no named type has two references, so that none is recursive either."""
    uses = len(reader.targets) + sum(len(each.targets) for each in reader.named.values())
    return uses == len(reader.named)


def _is_small(reader: Any) -> bool:
    """Whether the named types are small, even if each is written as often as it is used."""
    whole: dict[Named, int] = {}
    depth: dict[Named, int] = {}

    def measure(named: Named) -> bool:
        if named in whole:
            return whole[named] > 0
        whole[named] = 0  # still so in a cycle
        if not all([measure(each) for each in named.targets]):  # noqa: C419 - all are measured
            return False
        depth[named] = 1 + max((depth[each] for each in named.targets), default=0)
        whole[named] = 1 + named.size * _SCHEMAS_PER_ANNOTATION
        whole[named] += sum(whole[each] for each in named.targets)
        return depth[named] <= MAX_INLINE_DEPTH

    if not all([measure(each) for each in reader.targets]):  # noqa: C419 - as above
        return False
    written = reader.size * _SCHEMAS_PER_ANNOTATION + sum(whole[each] for each in reader.targets)
    return written <= MAX_INLINE_SIZE


_SCHEMAS_PER_ANNOTATION = 2
"""No annotation has more subschemas of its own, such as the union and the null of ``T | None``."""
