"""The named types that a derivation has met, and their fragments.

Strategy: while an annotation is walked, a named type is only referred to, by a ``Ref`` object.
When all is walked, ``references`` settles what becomes of each.
"""

from __future__ import annotations

import milo_schema
from milo_schema.json_schema.keywords import TYPES, Ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

    import milo_schema.annotations.forms
    import milo_schema.annotations.generics
    import milo_schema.json_schema.values
    import milo_schema.schemas.references

    Fragment = dict[str, Any]


class Definitions:
    """The named types that one derivation has met, and their fragments.

    Attributes:
        size: How many annotations have been walked, and how many fragments copied.
        forms: In how many forms each generic type has been met, by its ``id()``.
        annotations: The named types.
        bodies: Their fragments, as far as they are built.
    """

    def __init__(self) -> None:
        self.size: int = 0
        self.forms: dict[int, int] = {}
        self.annotations: dict[Hashable, Any] = {}
        self.bodies: dict[Hashable, Fragment] = {}
        self._kinds: dict[Hashable, str] = {}
        self._waiting: list[tuple[Hashable, Callable[[], Fragment]]] = []

    def refer(self, annotation: Any, build: Callable[[], Fragment]) -> Fragment:
        """A reference to *annotation*, whose fragment *build* makes, once, now.

        An alias is built at once: what may constrain it depends on what it stands for.
        """
        key = milo_schema.references.key_of(annotation)
        if self._is_new(key, annotation):
            self.bodies[key] = build()
            milo_schema.references.refuse_empty_cycle(key, self.bodies, self.annotations)
        return {"$ref": Ref(key)}

    def refer_later(self, annotation: Any, build: Callable[[], Fragment], kind: str) -> Fragment:
        """A reference to *annotation*, whose fragment *build* makes, once, when it is its turn.

        That keeps a chain of a thousand records from being a thousand calls deep. *kind* is the
        JSON type that the fragment will have.
        """
        key = milo_schema.references.key_of(annotation)
        if self._is_new(key, annotation):
            self._kinds[key] = kind
            self._waiting.append((key, build))
        return {"$ref": Ref(key)}

    def _is_new(self, key: Hashable, annotation: Any) -> bool:
        """Whether a named type is met for the first time; the next time it is not."""
        if key in self.annotations:
            return False
        self.annotations[key] = annotation
        generic = id(milo_schema.forms.split(annotation)[0])
        self.forms[generic] = self.forms.get(generic, 0) + 1
        return True

    def kinds(self, fragment: Fragment) -> list[str]:
        """The JSON types that a fragment admits, as far as is known by now."""
        if type(ref := fragment.get("$ref")) is Ref:
            if ref.key in self._kinds:
                return [self._kinds[ref.key]]
            return self.kinds(self.bodies.get(ref.key, {}))
        if "anyOf" in fragment:
            return [kind for arm in fragment["anyOf"] for kind in self.kinds(arm)]
        if "type" in fragment:
            kind = fragment["type"]
            return kind if type(kind) is list else [kind]
        if "enum" in fragment:
            return [milo_schema.values.json_type(value) for value in fragment["enum"]]
        return [] if "not" in fragment else list(TYPES)

    def look_through(self, fragment: Fragment) -> Fragment:
        """The fragment that a reference to a finished alias stands for, to be changed freely."""
        if type(ref := fragment.get("$ref")) is not Ref or ref.key not in self.bodies:
            return fragment
        if ref.key in self._kinds:
            return fragment
        from milo_schema.json_schema.subschemas import copy, count
        from milo_schema.schemas.references import merged

        body = self.bodies[ref.key]
        self.size += count(body)
        return self.look_through(merged(copy(body), fragment))

    def look_into(self, fragment: Fragment) -> Fragment:
        """``look_through()``, and of a union through each of its arms."""
        fragment = self.look_through(fragment)
        if "anyOf" not in fragment:
            return fragment
        return {**fragment, "anyOf": [self.look_into(arm) for arm in fragment["anyOf"]]}

    def is_described(self, fragment: Fragment) -> bool:
        """Whether *fragment* says in words what it means: itself, or as an alias does."""
        if type(ref := fragment.get("$ref")) is not Ref or "description" in fragment:
            return "description" in fragment
        annotation, generics = self.annotations[ref.key], milo_schema.generics
        if not generics.is_alias(annotation) or milo_schema.references.is_foreign(annotation):
            return False  # what a class says is its own
        return self.is_described(self.bodies.get(ref.key, {}))

    def complete(self) -> None:
        """Build what was put off, and what that puts off in turn."""
        for key, build in self._waiting:  # which grows meanwhile
            self.bodies[key] = build()
        self._waiting.clear()

    def finish(self, root: Fragment, *, inline: bool) -> Fragment:
        """*root* as plain JSON, with the ``$defs`` it needs and no other."""
        if not self.annotations:
            return root
        self.complete()
        from milo_schema.schemas.references import settled

        return settled(root, self.bodies, self.annotations, inline=inline)
