"""The arguments that a caller passes to a function, and the node that loads their JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import islice
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import MISSING
from milo_schema.callables.signatures import POSITIONAL_ONLY, VAR_KEYWORD, VARIADIC, Field
from milo_schema.callables.variadics import parameter_names, unpacked_keys
from milo_schema.errors import Problem
from milo_schema.json_schema.repair import without_nulls
from milo_schema.json_schema.sentences import unknown
from milo_schema.json_schema.subschemas import step_to
from milo_schema.json_schema.validation import iter_errors
from milo_schema.nodes.base import MAX_PROBLEMS, Loading, Node, Refusal, Wrapper, add, refuse_kind
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.fields import Argument, ObjectNode, Property, null_is_absent, refuse_name
from milo_schema.nodes.foreign import runs_user_code
from milo_schema.nodes.records import MissingAnnotation
from milo_schema.schemas.functions import Reading
from milo_schema.schemas.parameters import split_excluded
from milo_schema.schemas.special import classes_of

# -- nodes ---------------------------------------------------------------------------------------
#
# Nodes of the arguments of a call, which are an object without a class.


class Arguments(ObjectNode):
    """The arguments of a call, as a dictionary."""

    label = "an object with the arguments"

    def __init__(
        self, parts: list[Argument], extra: Any, denied: frozenset[str], *, drops: bool = False
    ) -> None:
        self.prepare_for(parts, extra)
        self._denied = denied
        self._drops = drops


class WithoutKeys(Wrapper):
    """The object for ``**kwargs``, which cannot set other parameters."""

    __slots__ = ("inner", "taken")

    def __init__(self, inner: Node, taken: frozenset[str]) -> None:
        self.inner: Node = inner
        self.taken: frozenset[str] = taken

    def load(self, json: Any, run: Loading) -> Any:
        """The object, unless it has the name of another parameter."""
        value = self.inner.load(json, run)
        problems = value if type(value) is Refusal else None
        given = json if type(json) is dict else value
        for name in self.taken.intersection(given) if type(given) is dict else ():
            found = refuse_name("argument", name, given[name], [])
            problems = add(problems, found, step_to(name))
        return problems or value


class Discard(Node):
    """An argument that no parameter takes, if the profile drops it."""

    __slots__ = ()

    def load(self, json: Any, run: Loading) -> Any:
        """No value."""
        return MISSING


DISCARD = Discard()


class FlatArguments(Node):
    """All arguments, which are the fields of one parameter that they replace.

    Attributes:
        part: The parameter.
    """

    __slots__ = ("inner", "kinds", "part")
    label = "an object with the arguments"

    def __init__(self, part: Argument) -> None:
        self.part: Argument = part
        self.inner: Node = part.node
        self.kinds: frozenset[type] = part.node.kinds

    def load(self, json: Any, run: Loading) -> Any:
        """The value of the parameter, by its name."""
        if type(json) is not dict:
            return refuse_kind(self, json)
        value = self.inner.load(json, run)
        return value if type(value) is Refusal else {self.part.target: value}


class ArgumentsValidator(Wrapper):
    """All arguments, which a schema judges before the parameters load them.

    Attributes:
        judge: The schema.
        dropped: The names that no argument sets, even if the schema accepts them.
        drops_nulls: Whether null is left out where the schema refuses it.
    """

    __slots__ = ("dropped", "drops_nulls", "inner", "judge")

    def __init__(
        self, judge: Json, inner: Node, dropped: frozenset[str], *, drops_nulls: bool
    ) -> None:
        self.judge: Json = judge
        self.inner: Node = inner
        self.dropped: frozenset[str] = dropped
        self.drops_nulls: bool = drops_nulls

    def load(self, json: Any, run: Loading) -> Any:
        """The values by name, if the schema accepts the arguments."""
        if type(json) is not dict:
            return refuse_kind(self.inner, json)
        given = ANYTHING.load(json, run)
        if type(given) is Refusal:
            return given
        if self.drops_nulls:
            given = without_nulls(given, self.judge)
        problems = self._problems(given)
        if problems:
            return Refusal(*problems)
        kept = {name: each for name, each in given.items() if name not in self.dropped}
        return self.inner.load(kept, run)

    def _problems(self, json: Json) -> list[Problem]:
        """The problems that the schema finds."""
        known = [*self.judge.get("properties", ())]
        others = {step_to(name): name for name in json if name not in known}
        found = []
        for error in islice(iter_errors(json, self.judge), MAX_PROBLEMS):
            problem = error.as_problem()
            if problem.code == "unknown-name" and error.path in others:
                problem = problem.replace(message=unknown("argument", others[error.path], known))
            found.append(problem)
        return found


# -- arguments -------------------------------------------------------------------------------------


def json_arguments(schema: Json, *, drops_nulls: bool) -> Node:
    """The node of arguments that only a schema describes: they stay JSON."""
    every = Arguments([], ANYTHING, frozenset())
    return ArgumentsValidator(schema, every, frozenset(), drops_nulls=drops_nulls)


class CallArguments:
    """The arguments that a caller passes to a function.

    Args:
        reading: The function.
        judge: A schema that judges the arguments first, if theirs is not the derived one.
        is_given: Whether that schema was written by hand. Then it decides which arguments there
            are: each goes to the parameter that takes it, and what none takes is left out.

    Attributes:
        parameters: All parameters.
        names: The names of those that may be injected.
        shown: The names of those that a caller passes.
        required: The names of those that must be injected.
        hidden: The parameters that the schema leaves out, each with the classes of its values.
        makers: The hidden ones with a default that only metadata have, with what makes it.
        properties: The variadic parameters that a caller passes as one property each.
        is_shaped: Whether some of them are not passed by name.
        judge: The schema that judges the arguments first, if there is one.
        node: Loads the arguments, if nothing is injected that a caller could pass.
    """

    def __init__(
        self,
        reading: Reading,
        judge: Json | None = None,
        *,
        is_given: bool = False,
        drops_nulls: bool = False,
    ) -> None:
        parameters = reading.parameters
        every = parameters.every
        named = [each for each in every if each.kind not in VARIADIC]
        passed = _listed(parameters.shape.properties, judge, is_given=is_given)
        self._is_given: bool = is_given
        self._drops_nulls: bool = drops_nulls
        self._drops: bool = reading.profile.unknown_arguments == "drop"
        self.judge: Json | None = judge
        null = is_given or null_is_absent(reading.profile)
        self._parts: list[Argument] = [
            Argument(field, node, field.python_name, null_is_absent=null)
            for field, node, _ in passed
        ]
        self.parameters: list[Field] = every
        self.names: list[str] = [each.python_name for each in named]
        self.shown: frozenset[str] = frozenset(field.python_name for field, _, _ in passed)
        hidden = [each for each in named if each.name in parameters.hidden]
        self.hidden: dict[str, list[Any]] = {each.python_name: classes_of(each) for each in hidden}
        self.required: list[str] = [each.name for each in hidden if each.required]
        self.makers: list[tuple[str, Callable[[], Any]]] = [
            (each.python_name, each.make) for each in hidden if each.make is not None
        ]
        self.properties: frozenset[str] = frozenset(
            field.name for field, _, _ in passed if field.kind in VARIADIC
        )
        self.is_shaped: bool = any(each.kind in (POSITIONAL_ONLY, *VARIADIC) for each in every)
        names = split_excluded(reading.exclude)[0] | reading.profile.injected_names
        names = names.union(parameter_names(reading.signature, parameters.keys))
        self._denied: frozenset[str] = names.difference(part.name for part in self._parts)
        self._extra: Node | bool | None = _others(reading) if is_given else _extra(reading)
        self._whole: FlatArguments | None = _flat(reading, null_is_absent=null)
        self._keep_apart()
        self.node: Node = self.without(())

    def _keep_apart(self) -> None:
        """Make sure that the object for ``**kwargs`` cannot set another parameter."""
        others = [each for each in self.parameters if POSITIONAL_ONLY < each.kind not in VARIADIC]
        names = self._denied.union(each.python_name for each in others)
        objects = [each.name for each in self.parameters if each.kind == VAR_KEYWORD]
        for part in self._parts:
            if part.name in objects:
                part.node = WithoutKeys(part.node, names)

    @property
    def runs_user_code(self) -> bool:
        """Whether loading the arguments runs code of users."""
        return bool(self.makers) or runs_user_code([*self._parts, self._extra])

    def takes(self, name: str) -> bool:
        """Whether a parameter takes an argument of this name."""
        if any(part.name == name for part in self._parts):
            return True
        return type(self._extra) is not bool and name not in self._denied

    def without(self, injected: Collection[str]) -> Node:
        """The node of the arguments, without the parameters that are injected."""
        denied = self._denied.union(part.name for part in self._parts if part.target in injected)
        node: Node
        if self._whole is not None and self._whole.part.target not in injected:
            node = self._whole
        else:
            parts = [part for part in self._parts if part.target not in injected]
            node = Arguments(parts, self._extra, denied, drops=self._drops)
        if self.judge is None:
            return node
        dropped = denied if self._is_given else frozenset()
        return ArgumentsValidator(self.judge, node, dropped, drops_nulls=self._drops_nulls)


def _listed(passed: list[Property], schema: Json | None, *, is_given: bool) -> list[Property]:
    """The parameters; ``*args`` and ``**kwargs`` only if they are properties of a given schema."""
    if not is_given:
        return passed
    properties = (schema or {}).get("properties", {})
    return [each for each in passed if each[0].kind not in VARIADIC or each[0].name in properties]


def _others(reading: Reading) -> Node | bool:
    """The node of the other arguments under a given schema, if ``**kwargs`` takes them."""
    every = reading.parameters.every
    last = every[-1] if every else None
    if last is None or last.kind != VAR_KEYWORD or unpacked_keys(last) is not MISSING:
        return False
    why, _ = reading.parameters.hidden.get(last.name, _NOT_HIDDEN)
    return ANYTHING if why in ("", "variadics") else False


_NOT_HIDDEN = ("", None)


def _extra(reading: Reading) -> Node | None:
    """The node of the arguments that no parameter names; ``None`` if they are refused."""
    parameters = reading.parameters
    others = DISCARD if reading.profile.unknown_arguments == "drop" else None
    last, extra = parameters.every[-1] if parameters.every else None, parameters.shape.extra
    if last is None or last.kind != VAR_KEYWORD or extra is False:
        return others
    if extra is not None:
        return extra
    is_open = reading.profile.variadics == "open" and last.name not in parameters.hidden
    if not is_open or unpacked_keys(last) is not MISSING:
        return others
    return MissingAnnotation.read(parameters.reader, (parameters.place, last))


def _flat(reading: Reading, *, null_is_absent: bool) -> FlatArguments | None:
    """The parameter that its fields replace."""
    if (whole := reading.parameters.whole) is None:
        return None
    field, node, _ = whole
    part = Argument(field, node, field.python_name, null_is_absent=null_is_absent)
    return FlatArguments(part)
