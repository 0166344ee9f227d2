"""The named types of a derivation, and their schemas.

During the walk, a named type is only referred to, by a ``Ref`` object. After it, every reference is
settled. Most tools use each of their named types once: then its schema simply replaces its
reference. Only if a type is shared, recursive, copied or a branch of a union, ``references``
analyzes the whole graph.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Collection, Fragment, Hashable, Iterator
from milo_schema.annotations.classes import is_class, loaded_when_called, loaded_when_used
from milo_schema.annotations.forms import is_alias, key_of, split
from milo_schema.errors import SchemaError
from milo_schema.json_schema import TYPES, Ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import generics
    from milo_schema.json_schema import subschemas, values
    from milo_schema.profile_fields import Inline
    from milo_schema.schemas import references
    from milo_schema.schemas.walk import Walk
else:
    Inline = Walk = Any
    generics = loaded_when_used("annotations.generics")
    references = loaded_when_used("schemas.references")
    subschemas = loaded_when_used("json_schema.subschemas")
    values = loaded_when_used("json_schema.values")


display: Callable[..., str] = loaded_when_called("annotations.display", "display")

MAX_FORMS = 1_000
"""The most specializations of one generic record or alias."""
MAX_IN_PLACE = 64
"""The most named types that are inlined without checking how deep they are nested."""


class Definitions:
    """The named types of one derivation, and their schemas.

    Attributes:
        annotations: The named types.
        bodies: The schemas that are built so far.
        places: All references to the named types.
        scalars: The named types with a schema as small as that of ``str``: they are inlined.
        is_simple: Whether no reference was copied or moved, and none is a branch of a union or
            the whole of another named type.
    """

    scalars: Collection[Hashable] = ()

    def __init__(self) -> None:
        self.annotations: dict[Hashable, Any] = {}
        self.bodies: dict[Hashable, Fragment] = {}
        self.places: list[Fragment] = []
        self.is_simple: bool = True
        self._branches: list[Hashable] = []
        self._forms: dict[int, int] = {}
        self._types: dict[Hashable, str] = {}
        self._deferred: list[tuple[Hashable, Callable[[Any, Walk], Fragment], Walk]] = []

    def refer(self, key: Hashable) -> Fragment:
        """A reference to a named type."""
        place: Fragment = {"$ref": Ref(key)}
        self.places.append(place)
        return place

    def add(self, key: Hashable, annotation: Any, walk: Walk) -> None:
        """Register a new named type."""
        self.annotations[key] = annotation
        if issubclass(type(annotation), type):
            return
        head, args = split(annotation)
        if args:
            forms = self._forms[id(head)] = self._forms.get(id(head), 0) + 1
            if forms > MAX_FORMS:
                limit = f"more than {MAX_FORMS:,} specializations of one generic type"
                walk.refuse(f"{limit}: {generics.ENDLESS}", annotation, code="limit")

    def forget(self, annotation: Any) -> None:
        """Remove a named type that turned out to have no schema."""
        del self.annotations[key_of(annotation)]

    def defer(
        self, key: Hashable, json_type: str, build: Callable[[Any, Walk], Fragment], walk: Walk
    ) -> None:
        """Schedule the building of a schema, which has this JSON type."""
        self._types[key] = json_type
        self._deferred.append((key, build, walk))

    def note_union(self, branches: list[Fragment]) -> None:
        """Check whether references that are branches of a union can be settled simply.

        A branch that turns out to be equal to another one is left out. That cannot happen to a
        single reference if each of the other branches has only one keyword.
        """
        named = [branch["$ref"] for branch in branches if "$ref" in branch]
        if len(named) > 1 or any(len(each) > 1 for each in branches):
            self.is_simple = False
        else:
            self._branches.append(named[0].key)

    def complete(self) -> None:
        """Build all deferred schemas, including those deferred meanwhile."""
        for key, build, walk in self._deferred:  # the list grows meanwhile
            self.bodies[key] = build(self.annotations[key], walk)
        self._deferred.clear()

    def finish(self, root: Fragment, *, inline: Inline) -> Fragment:
        """Return *root* as plain JSON, with the ``$defs`` it needs and no other."""
        self.complete()
        if inline and self._is_each_used_once():
            return self._in_place(root)
        names = {key: tp for key, tp in self.annotations.items() if key in self.bodies}
        return references.settled(root, self.bodies, names, inline=inline, scalars=self.scalars)

    def name_of(self, root: Fragment) -> str:
        """The name of the root, if it is a named type; otherwise empty."""
        if (reference := root.get("$ref")) is None:
            return ""
        return references.definition_name(self.annotations[reference.key])

    def unsettled(self, root: Fragment) -> Callable[[], Fragment]:
        """A function that returns *root* as it is now, with all named types in ``$defs``.

        ``finish()`` changes the schemas, so this keeps copies.
        """
        self.complete()
        other = Definitions()
        other.annotations, other.scalars = self.annotations, self.scalars
        other.bodies = {key: subschemas.copy(body) for key, body in self.bodies.items()}
        root = subschemas.copy(root)
        return lambda: other.finish(root, inline=False)

    def _is_each_used_once(self) -> bool:
        """Whether every schema can simply replace its only reference."""
        if not self.is_simple or not len(self.places) == len(self.bodies) <= MAX_IN_PLACE:
            return False
        return not self._branches or all(len(self.bodies[key]) > 1 for key in self._branches)

    def _in_place(self, root: Fragment) -> Fragment:
        """Return *root* with every reference replaced by the schema of its named type."""
        for place in self.places:
            body = self.bodies[place.pop("$ref").key]
            if place:  # siblings, such as a description
                body = references.merged(body, place)
                place.clear()
            place.update(body)
        return root

    def json_types(self, ref: Ref) -> list[str]:
        """The JSON types that a named type accepts, as far as they are known by now."""
        if ref.key in self._types:
            return [self._types[ref.key]]
        return types_in(self.bodies.get(ref.key, {}), self)

    def said_by(self, fragment: Fragment) -> Fragment:
        """A schema itself or, for a reference, its target, if that is already built."""
        ref = fragment.get("$ref")
        if type(ref) is not Ref or len(fragment) > 1 or ref.key not in self.bodies:
            return fragment
        return self.said_by(self.bodies[ref.key])

    def is_described(self, fragment: Fragment) -> bool:
        """Whether a schema, or the alias that it refers to, has a description."""
        if "description" in fragment or type(ref := fragment.get("$ref")) is not Ref:
            return "description" in fragment
        # The docstring of a class describes the class, not the field that has an instance.
        named = self.annotations[ref.key]
        return (
            not is_class(named)
            and is_alias(named)
            and self.is_described(self.bodies.get(ref.key, {}))
        )

    def look_through(self, fragment: Fragment, walk: Walk) -> Fragment:
        """The schema behind a reference to a finished alias, as a copy that may be changed."""
        ref = fragment.get("$ref")
        if type(ref) is not Ref or ref.key not in self.bodies or ref.key in self._types:
            return fragment
        self.is_simple = False
        body = self.bodies[ref.key]
        walk.derivation.size += len(subschemas.schemas_in(body))
        walk.keep_to_limits(self.annotations[ref.key])  # checked before the copy
        return self.look_through(references.merged(subschemas.copy(body), fragment), walk)


def definitions_of(walk: Walk) -> Definitions:
    """The named types of a derivation."""
    found = walk.derivation.definitions
    if found is None:
        found = walk.derivation.definitions = Definitions()
    return found


# -- for the rules -----------------------------------------------------------------------------


def define(annotation: Any, build: Callable[[Walk], Fragment], walk: Walk) -> Fragment:
    """A reference to a named type; *build* makes its schema, now, if it is new.

    An alias is built at once, because its JSON types decide which constraints apply to it.
    """
    key = _checked_key(annotation, walk)
    definitions = definitions_of(walk)
    if key not in definitions.annotations:
        definitions.add(key, annotation, walk)
        body = definitions.bodies[key] = build(walk)
        if "$ref" in body or "anyOf" in body:
            definitions.is_simple = False
            _refuse_empty_cycle(key, definitions)
    return definitions.refer(key)


def define_deferred(
    annotation: Any, json_type: str, build: Callable[[Any, Walk], Fragment], walk: Walk
) -> Fragment:
    """A reference to a named type of this JSON type; *build* makes its schema later, if it is new.

    It is deferred so that a chain of a thousand records is not a thousand calls deep.
    """
    key = id(annotation) if type(annotation) is type else _checked_key(annotation, walk)
    definitions = walk.derivation.definitions or definitions_of(walk)
    if key not in definitions.annotations:
        definitions.add(key, annotation, walk)
        definitions.defer(key, json_type, build, walk)
    return definitions.refer(key)


def _checked_key(annotation: Any, walk: Walk) -> Hashable:
    """The key of a named type, after checking that its arguments do not grow forever.

    ``class Node[T]: next: Node[list[T]]`` is a new type on every level.
    """
    if issubclass(type(annotation), type):
        return id(annotation)
    if not generics.is_small(annotation):
        walk.refuse(generics.TOO_LARGE, annotation, code="limit")
    return key_of(annotation)


def closed(annotation: Any, walk: Walk) -> Any:
    """A generic record or alias in its canonical form: with its arguments closed."""
    if issubclass(type(annotation), type):
        return annotation
    _checked_key(annotation, walk)
    return generics.named(annotation, walk.scope)


def _refuse_empty_cycle(start: Hashable, definitions: Definitions) -> None:
    """Refuse an alias such as ``type A = A | None``, with which a validator would never end."""
    bodies, annotations = definitions.bodies, definitions.annotations
    todo, seen = [start], {start}
    while todo:
        for key in _direct(bodies.get(todo.pop(), {})):
            if key == start:
                name = display(annotations[key])
                reason = "refers directly to itself; put a container in between"
                raise SchemaError(reason, name, annotations[key])
            if key not in seen:
                seen.add(key)
                todo.append(key)


def _direct(fragment: Fragment) -> Iterator[Hashable]:
    """The keys of the types that describe the same value as *fragment*, not a part of it."""
    if type(ref := fragment.get("$ref")) is Ref:
        yield ref.key
    for branch in fragment.get("anyOf", ()):
        yield from _direct(branch)


# -- facts about a schema ----------------------------------------------------------------------


def types_of(fragment: Fragment, walk: Walk) -> list[str]:
    """The JSON types that a schema accepts, as far as they are known by now."""
    return types_in(fragment, walk.derivation.definitions)


def types_in(fragment: Fragment, definitions: Definitions | None) -> list[str]:
    """The JSON types that a schema accepts; its references are those of *definitions*."""
    if "type" in fragment:
        types = fragment["type"]
        return types if type(types) is list else [types]
    if definitions is not None and type(ref := fragment.get("$ref")) is Ref:
        return definitions.json_types(ref)
    if "anyOf" in fragment:
        return [each for branch in fragment["anyOf"] for each in types_in(branch, definitions)]
    if "enum" in fragment:
        return [values.json_type(value) for value in fragment["enum"]]
    return [] if "not" in fragment else list(TYPES)


def finished_copy(fragment: Fragment, walk: Walk) -> Fragment:
    """A copy of a schema that is complete by itself: with all named types in ``$defs``."""
    return definitions_of(walk).unsettled(fragment)()


def in_place(fragment: Fragment, walk: Walk) -> Fragment:
    """The schema behind a reference to a record, as a copy that may be changed."""
    definitions = definitions_of(walk)
    definitions.complete()
    definitions.is_simple = False
    while "$ref" in fragment:
        body = subschemas.copy(definitions.bodies[fragment["$ref"].key])
        fragment = references.merged(body, fragment)
    return fragment


def look_through(fragment: Fragment, walk: Walk) -> Fragment:
    """The schema behind a reference to a finished alias, as a copy that may be changed."""
    definitions = walk.derivation.definitions
    return fragment if definitions is None else definitions.look_through(fragment, walk)


def look_into(fragment: Fragment, walk: Walk) -> Fragment:
    """``look_through()``, applied to each branch of a union."""
    fragment = look_through(fragment, walk)
    if "anyOf" not in fragment:
        return fragment
    return {**fragment, "anyOf": [look_into(branch, walk) for branch in fragment["anyOf"]]}
