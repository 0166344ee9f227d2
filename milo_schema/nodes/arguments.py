"""Nodes of the arguments of a call, which are an object without a class."""

from __future__ import annotations

from itertools import islice
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import MISSING
from milo_schema.errors import Problem
from milo_schema.json_schema.paths import step_to
from milo_schema.json_schema.sentences import unknown
from milo_schema.json_schema.validation import iter_errors
from milo_schema.nodes.base import (
    MAX_PROBLEMS,
    Loading,
    Node,
    Refused,
    Wrapper,
    add,
    refuse,
    refuse_kind,
)
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.fields import ObjectNode, Part
from milo_schema.nodes.validated import problem_of


class Arguments(ObjectNode):
    """The arguments of a call, as a dictionary."""

    __slots__ = ()
    label = "an object with the arguments"

    def __init__(self, parts: list[Part], extra: Any, denied: frozenset[str]) -> None:
        self.prepare_for(parts, extra)
        self._denied = denied


class WithoutKeys(Wrapper):
    """The object for ``**kwargs``, which cannot set other parameters."""

    __slots__ = ("inner", "taken")

    def __init__(self, inner: Node, taken: frozenset[str]) -> None:
        self.inner: Node = inner
        self.taken: frozenset[str] = taken

    def load(self, json: Any, run: Loading) -> Any:
        """The object, unless it has the name of another parameter."""
        value = self.inner.load(json, run)
        problems = value if type(value) is Refused else None
        given = json if type(json) is dict else value
        for name in self.taken.intersection(given) if type(given) is dict else ():
            problems = add(problems, refuse("unknown argument", "unknown-name"), step_to(name))
        return problems or value


class Dropped(Node):
    """An argument that no parameter takes, if the profile drops it."""

    __slots__ = ()

    def load(self, json: Any, run: Loading) -> Any:
        """No value."""
        return MISSING


DROPPED = Dropped()


class FieldsOfOne(Node):
    """All arguments, which are the fields of one parameter that they replace.

    Attributes:
        part: The parameter.
        known: The names of the fields; ``None`` if there may be others.
    """

    __slots__ = ("inner", "kinds", "known", "part")
    label = "an object with the arguments"

    def __init__(self, part: Part, schema: Json) -> None:
        self.part: Part = part
        self.inner: Node = part.node
        self.kinds: frozenset[type] = part.node.kinds
        is_open = schema.get("additionalProperties", False) is not False
        self.known: list[str] | None = None if is_open else [*schema.get("properties", ())]

    def load(self, json: Any, run: Loading) -> Any:
        """The value of the parameter, by its name."""
        if type(json) is not dict:
            return refuse_kind(self, json, run)
        known = self.known
        others = [] if known is None else [name for name in json if name not in known]
        value = self.inner.load({name: json[name] for name in json if name not in others}, run)
        problems = value if type(value) is Refused else None
        for name in others:
            found = refuse(unknown("argument", str(name), known or []), "unknown-name")
            problems = add(problems, found, step_to(str(name)))
        return problems or {self.part.target: value}


class Judged(Wrapper):
    """All arguments, which a schema judges before the parameters load them.

    Attributes:
        judge: The schema.
        dropped: The names that no argument sets, even if the schema accepts them.
    """

    __slots__ = ("dropped", "inner", "judge")

    def __init__(self, judge: Json, inner: Node, dropped: frozenset[str]) -> None:
        self.judge: Json = judge
        self.inner: Node = inner
        self.dropped: frozenset[str] = dropped

    def load(self, json: Any, run: Loading) -> Any:
        """The values by name, if the schema accepts the arguments."""
        if type(json) is not dict:
            return refuse_kind(self.inner, json, run)
        given = ANYTHING.load(json, run)
        if type(given) is Refused:
            return given
        problems = self._problems(given)
        if problems:
            return Refused(*problems)
        kept = {name: each for name, each in given.items() if name not in self.dropped}
        return self.inner.load(kept, run)

    def _problems(self, json: Json) -> list[Problem]:
        """The problems that the schema finds."""
        known = [*self.judge.get("properties", ())]
        others = {step_to(name): name for name in json if name not in known}
        found = []
        for error in islice(iter_errors(json, self.judge), MAX_PROBLEMS):
            problem = problem_of(error)
            if problem.code == "unknown-name" and error.path in others:
                problem.reason = unknown("argument", others[error.path], known)
            found.append(problem)
        return found
