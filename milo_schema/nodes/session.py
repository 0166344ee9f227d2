"""The state that all readers of one function share, and the classes that several functions share.

A function whose parameters are all of ``PLAIN`` types needs nothing else. Only a closer look at an
annotation needs a ``Reader``, which comes with the rules of all other types.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from operator import is_
from typing import Any

from milo_schema.annotations.classes import COMMON, NOTHING, body, is_class, mro
from milo_schema.annotations.forms import key_of
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.docs import ClassDocs
from milo_schema.errors import Problem
from milo_schema.json_schema.subschemas import Judged
from milo_schema.nodes import Profile, Reader
from milo_schema.nodes.base import MAX_SUBSCHEMAS, Node, Reports
from milo_schema.nodes.definitions import Named
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


# -- the types that functions share ---------------------------------------------------------------
#
# Reading a class takes longer than anything else about a tool, and the tools of a set have most of
# their classes in common. A set of tools owns a table of them and hands it to each reading; nothing
# outlives the set. What a class means depends on more than the class, so the table has only what is
# the same for every function: classes without arguments, and definitions in schemas of pydantic,
# read under the same profile, in the same direction, without a problem, whose path would name one
# function.


class _Entry:
    """A class that was read, and what its meaning depends on.

    Attributes:
        named: The class.
        profile: The profile; it stays alive, so its id stays valid.
        state: What the class consisted of.
    """

    __slots__ = ("named", "profile", "state")

    def __init__(self, named: Named, profile: Profile) -> None:
        self.named: Named = named
        self.profile: Profile = profile
        self.state: list[dict[str, Any]] = _state_of(named.annotation)

    @property
    def is_valid(self) -> bool:
        """Whether the class is what it was: programs can change a class between two tools."""
        now = _state_of(self.named.annotation)
        return len(now) == len(self.state) and all(map(_are_same, now, self.state))


class SharedTypes:
    """The types that functions share, by profile, direction and class or definition.

    Attributes:
        judged: What was found in their schemas.
        docs: Their docstrings: a class in both an input and an output has one.
        answers: The answers of other libraries about types, if the functions are read at one time:
            about a class that changes later, they would answer something else.
    """

    def __init__(self, *, answers: dict[Any, Any] | None = None) -> None:
        self.answers: dict[Any, Any] | None = answers
        self.judged: Judged = Judged()
        self.docs: ClassDocs = {}
        self._entries: dict[Any, _Entry] = {}
        self._definitions: dict[Any, tuple[Named, Profile, bool]] = {}

    def add(self, session: Session) -> None:
        """Add the classes of a function whose schema is written, unless there was a problem."""
        if session.problems or not session.is_simple:
            return
        for named in session.named.values():
            if is_class(named.annotation):
                key = _key(session, id(named.annotation))
                if key not in self._entries or self._entries[key].named is not named:
                    self._entries[key] = _Entry(named, session.profile)

    def find(self, key: Any, session: Session) -> dict[Any, Named]:
        """A class and the classes in it, by their keys; empty if one is missing."""
        found: dict[Any, Named] = {}
        todo = [key]
        for each in todo:  # the list grows meanwhile
            if each not in found and each not in session.named:
                entry = self._entries.get(_key(session, each))
                if entry is None or not entry.is_valid:
                    return {}
                found[each] = entry.named
                todo += [key_of(target.annotation) for target in entry.named.targets]
        return found

    def add_definition(self, key: Any, named: Named, session: Session) -> None:
        """Add a definition in a schema of another library that was written without a problem."""
        entry = named, session.profile, session.has_doubts
        self._definitions[_key(session, key)] = entry

    def find_definition(self, key: Any, session: Session) -> dict[Any, Named]:
        """A definition by its key; empty if it is missing."""
        if (entry := self._definitions.get(_key(session, key))) is None:
            return {}
        named, _, has_doubts = entry
        session.has_doubts |= has_doubts
        return {key: named}


def _key(session: Session, key: Any) -> Any:
    return id(session.profile), session.output, session.strict, key


_OF_PYTHON = COMMON | {id(Enum)}
"""The ids of bases that no program changes, such as ``dict``, the base of a TypedDict."""


def _state_of(cls: type) -> list[dict[str, Any]]:
    """All that a class and its bases consist of: copies of their tables, and of those in them."""
    found: list[dict[str, Any]] = []
    for base in mro(cls)[:-1]:
        if id(base) not in _OF_PYTHON:
            names = body(base).copy()
            found.append(names)
            found += [each.copy() for each in names.values() if type(each) is dict]  # annotations
    return found


def _are_same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two tables have the same names and values, in the same order."""
    return (
        len(first) == len(second)
        and all(map(is_, first, second))
        and all(map(is_, first.values(), second.values()))
    )
