"""One function, read once: its parameters, its result, and every problem as a value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from copy import copy
from typing import Any, Generic, TypeVar

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.callables import read_callable
from milo_schema.callables.signatures import Signature
from milo_schema.docstrings import names_in
from milo_schema.errors import (
    Problem,
    SchemaError,
    Source,
    add_location,
    closest,
    warn,
)
from milo_schema.profile import Profile, check_profile
from milo_schema.schemas.finishing import Part, Tell, finish
from milo_schema.schemas.parameters import Parameters, split_excluded

Value = TypeVar("Value")


class Once(Generic[Value]):
    """A property that is worked out when it is first asked for.

    ``functools.cached_property`` would add its file to tracebacks, and in Python 3.11 lock.
    """

    __slots__ = ("_make", "_name")

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self._make: Callable[[Any], Value] = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name: str = name

    def __get__(self, reading: object, owner: type) -> Value:
        value = self._make(reading)
        setattr(reading, self._name, value)
        return value


class Reading:
    """A function that is read once, for all who ask about it.

    Attributes:
        func: The function.
        profile: How the schemas are written.
        exclude: Names and types of parameters to leave out.
        localns: Names for annotation strings that their module does not have.
        strict: Whether every problem is an error.
        is_thorough: Whether to look for what only strict mode reports, too.
        returns: A return annotation that replaces the function's own.
        decoders: Functions that read the JSON of users' types; by default, the profile's.
        tell: What to call with each problem that is not an error, instead of warning about it.
        tool: The name that a tool was given, if it was.
    """

    def __init__(  # noqa: PLR0913 - those of the functions that read
        self,
        func: Callable[..., Any],
        *,
        profile: Profile,
        exclude: Collection[str | type] = (),
        localns: Names = None,
        strict: bool = False,
        is_thorough: bool = False,
        returns: Any = MISSING,
        decoders: Mapping[Any, Any] | None = None,
        reads_input: bool = True,
        tell: Tell | None = None,
        tool: str | None = None,
    ) -> None:
        if type(profile) is not Profile:
            check_profile(profile)
        self.func: Callable[..., Any] = func
        self.profile: Profile = profile
        self.exclude: Collection[str | type] = _kept(exclude) if exclude else ()
        self.localns: Names = localns
        self.strict: bool = strict
        self.is_thorough: bool = is_thorough or strict
        self.returns: Any = returns
        self.decoders: Mapping[Any, Any] = profile.decoders if decoders is None else decoders
        self.tell: Tell | None = tell
        self.tool: str | None = tool
        self._reads_input: bool = reads_input

    # -- what is read --------------------------------------------------------------------------

    @Once
    def signature(self) -> Signature:
        """The parameters and the result, as they are written."""
        found = read_callable(self.func, self.localns, self._reads_input)
        if self.returns is not MISSING:
            found.returns = self.returns
        return found

    @Once
    def parameters(self) -> Parameters:
        """The parameters, each with its meaning or the reason why it is hidden."""
        return Parameters(self, self.signature, [])

    @Once
    def result(self) -> Any:
        """The value that a caller gets: a ``Result``."""
        return self._result([])

    def _result(self, problems: list[Problem]) -> Any:
        from milo_schema.schemas.outputs import Result  # a schema of parameters needs none of it

        return Result(self, problems)

    @property
    def known_signature(self) -> Signature | None:
        """The signature, if it has been read."""
        return vars(self).get("signature")

    @property
    def source(self) -> Source | None:
        """Where the function is defined, if it can be read."""
        signature = self.known_signature
        return None if signature is None else signature.scope.source

    # -- what becomes of it --------------------------------------------------------------------

    @Once
    def input(self) -> Part:
        """The schema of the parameters."""
        problems: list[Problem] = []
        try:
            parameters = self.parameters = Parameters(self, self.signature, problems)
            part = finish(
                parameters.schema,
                parameters.reader,
                strict=self.is_thorough,
                step=as_parameter,
                func=self.func,
                tool=self.tool,
            )
        except SchemaError as error:
            return Part.ended(self.in_order(problems), error)
        if problems:
            return Part(part.schema, part.untransformed, self.in_order(problems))
        return part

    @Once
    def output(self) -> Part:
        """The schema of the result."""
        problems: list[Problem] = []
        try:
            result = self.result = self._result(problems)
            part: Part = result.finish()
        except SchemaError as error:
            return Part.ended(problems, error)
        return part

    @property
    def output_of_tool(self) -> Part:
        """The schema of the result in a tool; without the dialect, if that cannot express it.

        A provider's dialect is about arguments: most of their APIs never see a result.
        """
        part = self.output
        if self.profile.dialect is None or not any(map(_is_refused, part.problems)):
            return part
        return part.before_transforms()

    def before_transforms(self) -> Reading:
        """The same with the schemas before the transforms of the profile."""
        found = copy(self)
        found.profile = self.profile.replace(transforms=())
        vars(found).update(
            input=self.input.before_transforms(), output=self.output.before_transforms()
        )
        return found

    def in_order(self, problems: list[Problem]) -> list[Problem]:
        """Problems in the order of the parameters: some are found only when all are read."""
        if len(problems) < 2:  # one has no order
            return problems
        name = self.signature.name
        order = {f"{name}({each.name}": at for at, each in enumerate(self.signature.parameters)}
        return sorted(problems, key=lambda each: order.get(each.path.partition(")")[0], -1))

    def check(self) -> None:
        """Raise one error for all problems of a tool, of the parameters and of the result."""
        if problems := [*self.input.problems, *self.output_of_tool.problems]:
            error = SchemaError.of(problems)
            add_location(error, self.source)
            raise error

    # -- for those who ask for a schema --------------------------------------------------------

    def input_schema(self) -> Json:
        """The schema of the parameters; problems are errors or warnings.

        Raises:
            SchemaError: There is a problem, and strict mode or the profile makes it an error.
        """
        part, profile = self.input, self.profile
        schema = part.schema
        if part.problems:
            schema = part.settle(self.strict, profile.failure, self, self.tell)
        if schema is None:
            return {"type": "object", "additionalProperties": True}
        if profile.undescribed != "":
            self._describe(schema, profile.undescribed)
        return schema

    def output_schema(self, part: Part | None = None) -> Json | None:
        """The schema of the result; ``None`` if it has none. Problems are errors or warnings.

        Args:
            part: The finished schema; by default, in the dialect of the profile.

        Raises:
            SchemaError: There is a problem, and strict mode or the profile makes it an error.
        """
        part = part or self.output
        if not part.problems:
            return part.schema
        return part.settle(self.strict, self.profile.for_outputs.failure, self, self.tell)

    # -- descriptions --------------------------------------------------------------------------

    def _describe(self, schema: Json, template: str | None) -> None:
        """Add a description to each property that has none; without a template it is an error."""
        properties = schema["properties"]
        for name in undescribed(schema):
            if template is None:
                error = SchemaError(NO_DESCRIPTION, f"{self.signature.name}({name})")
                add_location(error, self.source)
                raise error
            fragment = properties[name]
            bare = {"anyOf": [fragment]} if "$ref" in fragment else fragment
            properties[name] = {**bare, "description": template.replace("{name}", name)}

    def warn_missing_docs(self, schema: Json) -> None:
        """Warn about each property that has no description."""
        style = self.profile.docstring_style
        documented = {name for text in self.signature.docs for name in names_in(text, style)}
        others = documented - schema.get("properties", {}).keys()
        for name in undescribed(schema):
            reason = NO_DESCRIPTION
            if typo := closest(name, others):
                reason = f"no description; the docstring describes {typo}, which is not a parameter"
            warn(reason, f"{self.signature.name}({name})", source=self.source)


def _is_refused(problem: Problem) -> bool:
    """Whether a transform cannot express a part of a schema."""
    return problem.code == "refused-by-transform"


def _kept(exclude: Collection[str | type]) -> Collection[str | type]:
    """A copy of the collection, which its owner may change before a call."""
    names, types = split_excluded(exclude)
    return (*names, *types)


def undescribed(schema: Json) -> list[str]:
    """The properties of an object that have no description."""
    properties = schema.get("properties", {})
    return [name for name, fragment in properties.items() if "description" not in fragment]


NO_DESCRIPTION = "no description; document it in the docstring or with Description(...)"


def as_parameter(path: str) -> str:
    """The path ``(x)[]`` for ``.x[]``: the properties of the root are parameters."""
    if path.startswith('["'):
        name, _, rest = path[2:].partition('"]')
        return f"({name}){rest}"
    if not path.startswith("."):
        return path
    end = next((i for i, mark in enumerate(path) if i and mark in ".[{"), len(path))
    return f"({path[1:end]}){path[end:]}"
