"""The state that all readers of one function share: its options, and all that was found so far.

A function whose parameters are all of ``PLAIN`` types needs nothing else. Only a closer look at an
annotation needs a ``Reader``, which comes with the rules of all other types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from milo_schema.annotations.classes import NOTHING
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import Problem
from milo_schema.nodes.base import MAX_SUBSCHEMAS, Node, Reports
from milo_schema.nodes.forward import Named, Profile, Reader, SharedTypes
from milo_schema.nodes.scalars import PLAIN


class Session(Reports):
    """The state that all readers of one function share.

    Attributes:
        profile: How schemas are written.
        scope: Where names in annotation strings are looked up.
        root: The path of the root.
        output: Whether the annotations are those of values that a function returns.
        strict: Whether an annotation without an exact schema is an error.
        decoders: The functions that read the JSON of users' types.
        problems: The problems that are reported, in the order in which they were found.
        named: The named types so far, by key.
        targets: The named types in the annotations themselves.
        is_extended: Whether the profile or a decoder describes types.
        types: The schemas that the profile has for types.
        plain: The nodes of the types that need no closer look, by ``id()``.
        size: The number of annotations so far.
        is_simple: Whether no schema of users or of other libraries is among the nodes.
        has_doubts: Whether a schema that was written marks formats that may not fit.
        queue: The named types whose bodies are read later, once there is one.
        forms: The number of specializations of each generic type, once there is one.
        foreign: The definitions in schemas of users and of other libraries, once there is one.
        tools: What other functions have read, if this one belongs to a set.
        shared: The same, if the classes in it mean the same here.
    """

    # Most functions need none of the last six, and a tool keeps them: the garbage collector
    # visits every list, each time that it visits all objects.
    size: int = 0
    is_simple: bool = True
    has_doubts: bool = False
    queue: list[Named] | None = None
    forms: dict[int, int] | None = None
    foreign: dict[Any, Named] | None = None
    _answers: dict[Any, Any] | None = None
    tools: SharedTypes | None = None
    shared: SharedTypes | None = None

    def __init__(
        self,
        profile: Profile,
        scope: Scope,
        root: str,
        problems: list[Problem] | None = None,
        decoders: Mapping[Any, Any] = NOTHING,
        strict: bool = False,
        output: bool = False,
    ) -> None:
        self.profile: Profile = profile
        self.scope: Scope = scope
        self.root: str = root
        self.output: bool = output
        self.strict: bool = strict
        self.decoders: Mapping[Any, Any] = decoders
        self.problems: list[Problem] = [] if problems is None else problems
        self.named: dict[Any, Named] = {}
        self.targets: list[Named] = []
        self.is_extended: bool = bool(profile.types or decoders)
        self.types: Mapping[Any, Any] = profile.types
        self.plain: Mapping[int, Node] = NOTHING if self.is_extended else PLAIN

    def share(self, shared: SharedTypes) -> None:
        """Take classes from those of a set, unless the names in them depend on the function."""
        if not self.is_extended and not self.scope.fallback:
            self.shared = shared

    @property
    def answers(self) -> dict[Any, Any]:
        """The answers of other libraries about types here, or in a set that is read at one time."""
        if self.tools is not None and self.tools.answers is not None:
            return self.tools.answers
        if self._answers is None:
            self._answers = {}
        return self._answers

    def reader(self) -> Reader:
        """A reader of the root."""
        from milo_schema.nodes.reader import Reader  # plain types need no rules

        return Reader(self)

    def fork(self, decoders: Mapping[Any, Any]) -> Session:
        """A session with the same options, which reports nothing."""
        found = Session(self.profile, self.scope, self.root, output=self.output, decoders=decoders)
        found.is_simple = False
        return found

    def grow(self, count: int, annotation: Any) -> None:
        """Count subschemas that are copied."""
        self.size += count
        if self.size > MAX_SUBSCHEMAS:
            reason = f"more than {MAX_SUBSCHEMAS:,} subschemas"
            self.refuse(reason, (None, self.root), annotation, code="limit")
