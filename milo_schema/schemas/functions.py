"""The schema of a function's parameters, of its result, and of an annotation: the entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, Generic, Literal, TypeVar

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import read_callable
from milo_schema.callables.signatures import VARIADIC, Signature
from milo_schema.docstrings import Docstrings
from milo_schema.docstrings.sections import names_in, result_in
from milo_schema.errors import Problem, SchemaError, Source, add_location, closest, warn
from milo_schema.nodes import Reader, Result, SharedTypes
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.session import Session
from milo_schema.profile import MILO, Profile, check_profile
from milo_schema.schemas.finishing import SchemaDocument, finish, warn_about
from milo_schema.schemas.parameters import Parameters, split_excluded

# -- readings ------------------------------------------------------------------------------------
#
# One function, read once: its parameters, its result, and every problem as a value.

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
        reading.__dict__[self._name] = value
        return value


class Options:
    """How a function is read.

    Attributes:
        profile: How the schemas are written.
        exclude: Names and types of parameters to leave out.
        localns: Names for annotation strings that their module does not have.
        strict: Whether every problem is an error.
        returns: A return annotation that replaces the function's own.
        tool: The name that a tool was given, if it was.
        part: What is needed: the schema of the parameters, that of the result, or a whole tool,
            which has a description, too.
        others: What becomes of other problems: a warning about each, or a place in the list
            ``Reading.told``; or that, after a search for what only strict mode reports.
    """

    def __init__(
        self,
        profile: Profile,
        exclude: Collection[str | type] = (),
        localns: Names = None,
        strict: bool = False,
        *,
        returns: Any = MISSING,
        tool: str | None = None,
        part: Literal["input", "output", "tool"] = "input",
        others: Literal["warn", "list", "search"] = "warn",
    ) -> None:
        self.profile: Final = profile
        self.exclude: Final = exclude
        self.localns: Final = localns
        self.strict: Final = strict
        self.returns: Final = returns
        self.tool: Final = tool
        self.part: Final = part
        self.others: Final = others

    def replace(self, **changes: Any) -> Options:
        """The same with other values."""
        return Options(**{**vars(self), **changes})


class Reading:
    """A function that is read once, for all who ask about it.

    Args:
        func: The function.
        options: How it is read.
        shared: The classes that other functions of a set have read.

    Attributes:
        profile: How the schemas are written.
        exclude: Names and types of parameters to leave out.
        is_thorough: Whether to look for what only strict mode reports, too.
        told: If the options ask for a list: the problems, apart from errors, of the schemas that
            were asked for.
    """

    told: Sequence[Problem] = ()

    def __init__(
        self, func: Callable[..., Any], options: Options, shared: SharedTypes | None = None
    ) -> None:
        profile = options.profile
        if type(profile) is not Profile:
            check_profile(profile)
        self.func: Callable[..., Any] = func
        self.options: Options = options
        self.profile: Profile = profile
        self.exclude: Collection[str | type] = _kept(options.exclude) if options.exclude else ()
        self.is_thorough: bool = options.strict or options.others == "search"
        self.shared: SharedTypes | None = shared
        self._input_problems: list[Problem] = []
        self._output_problems: list[Problem] = []

    def rest(self) -> None:
        """Forget what was read, which is read again when it is asked for: most tools only wait.

        What the garbage collector visits is a third of what it would be.
        """
        for name in _READ:
            vars(self).pop(name, None)
        self._input_problems, self._output_problems, self.shared = [], [], None

    def again(self, **changes: Any) -> Reading:
        """The function, read again with other options, or another function with the same ones."""
        func = changes.pop("func", self.func)
        options = self.options.replace(exclude=self.exclude, tool=None, strict=False, others="warn")
        return Reading(func, options.replace(**changes))

    # -- what is read --------------------------------------------------------------------------

    @Once
    def signature(self) -> Signature:
        """The parameters and the result, as they are written."""
        return read_callable(self.func, self.options.localns, self.options.part != "output")

    @Once
    def docstrings(self) -> Docstrings:
        """Parses the docstrings of a tool."""
        return Docstrings(self.profile.docstring_style)

    def texts(self) -> dict[str, str]:
        """The texts of parameters in the docstrings."""
        found: dict[str, str] = {}
        is_tool, style = self.options.part == "tool", self.profile.docstring_style
        for text in self.signature.docs:
            found |= self.docstrings.names(text) if is_tool else names_in(text, style)
        return found

    def text_of_result(self) -> str:
        """The description, in the docstrings, of the value that is returned or yielded."""
        docs, style = self.signature.docs, self.profile.docstring_style
        if not docs or self.profile.for_outputs.docstrings == "never":
            return ""
        is_tool = self.options.part == "tool"
        find = self.docstrings.result if is_tool else partial(result_in, style=style)
        return next(filter(None, map(find, reversed(docs))), "")

    @Once
    def parameters(self) -> Parameters:
        """The parameters, each with its meaning or the reason why it is hidden."""
        return Parameters(self, self.signature, self._input_problems)

    @property
    def returns(self) -> Any:
        """The return annotation as it is written, or ``MISSING``."""
        given = self.options.returns
        return self.signature.returns if given is MISSING else given

    @Once
    def described_result(self) -> Result | None:
        """The value that a caller gets, if it has a schema."""
        from milo_schema.schemas.outputs import described_result  # parameters need none of it

        return described_result(self, self._output_problems)

    @Once
    def result(self) -> Result:
        """The value that a caller gets."""
        from milo_schema.schemas.outputs import read_result

        return self.described_result or read_result(self)

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
    def input(self) -> SchemaDocument:
        """The schema of the parameters."""
        problems = self._input_problems
        try:
            parameters = self.parameters
            part = finish(
                lambda out: (parameters.schema(out), None, False),
                parameters.session,
                step=as_parameter,
                func=self.func,
                tool=self.options.tool,
            )
        except SchemaError as error:
            return SchemaDocument.ended(self.in_order(problems), error)
        if problems:
            return SchemaDocument(part.schema, part.untransformed, self.in_order(problems))
        return part

    @Once
    def exact_input(self) -> Json:
        """The schema of the parameters that arguments are repaired by."""
        out = Definitions(self.parameters.session, is_exact=True)
        return out.finish(self.parameters.schema(out))

    @Once
    def output(self) -> SchemaDocument:
        """The schema of the result."""
        problems = self._output_problems
        try:
            if (result := self.described_result) is None:
                return SchemaDocument(None, None, problems)
            write = partial(result.write, self.text_of_result())
            return finish(write, result.reader.session, func=self.func, tool=self.options.tool)
        except SchemaError as error:
            return SchemaDocument.ended(problems, error)

    def in_order(self, problems: list[Problem]) -> list[Problem]:
        """Problems in the order of the parameters: some are found only when all are read."""
        if len(problems) < 2:  # one has no order
            return problems
        name = self.signature.name
        order = {f"{name}({each.name}": at for at, each in enumerate(self.signature.parameters)}
        return sorted(problems, key=lambda each: order.get(each.path.partition(")")[0], -1))

    def check(self) -> None:
        """Raise one error for all problems of a tool, of the parameters and of the result."""
        if problems := [*self.input.problems, *self.output.problems]:
            error = SchemaError.of(problems)
            add_location(error, self.source)
            raise error

    # -- for those who ask for a schema --------------------------------------------------------

    def input_schema(self, *, is_exact: bool = False) -> Json:
        """The schema of the parameters, before all transforms if it is exact.

        Raises:
            SchemaError: There is a problem, and strict mode or the profile makes it an error.
        """
        part, profile = self.input, self.profile
        if is_exact:
            part = part.before_transforms()
        schema = self._settle(part, profile) if part.problems else part.schema
        return {"type": "object", "additionalProperties": True} if schema is None else schema

    def output_schema(self, *, is_exact: bool = False) -> Json | None:
        """The schema of the result, before all transforms if it is exact; ``None`` if it has none.

        Raises:
            SchemaError: There is a problem, and strict mode or the profile makes it an error.
        """
        part = self.output.before_transforms() if is_exact else self.output
        return self._settle(part, self.profile.for_outputs) if part.problems else part.schema

    def _settle(self, part: SchemaDocument, profile: Profile) -> Json | None:
        """The schema, after a decision about the problems; raise an error if it is one."""
        settled = part.settle(self.options.strict, profile.failure)
        if self.options.others != "warn":
            self.told = [*self.told, *settled.told]
        elif profile.failure != "none":
            warn_about(settled.told, self.source)
        return settled.get(self.source)

    # -- descriptions --------------------------------------------------------------------------

    def warn_missing_docs(self) -> None:
        """Warn about each parameter that has no description, before all transforms."""
        known = (self.input.untransformed or {}).get("properties", {})
        others = self.texts().keys() - known.keys()
        for name in (name for name in known if "description" not in known[name]):
            reason = NO_DESCRIPTION
            if typo := closest(name, others):
                reason = f"no description; the docstring describes {typo}, which is not a parameter"
            path, code = f"{self.signature.name}({name})", "undescribed-parameter"
            warn(reason, path, source=self.source, code=code)


_READ = [name for name, each in vars(Reading).items() if type(each) is Once]
"""The names of all that is read when it is first asked for."""


def _kept(exclude: Collection[str | type]) -> Collection[str | type]:
    """A copy of the collection, which its owner may change before a call."""
    names, types = split_excluded(exclude)
    return (*names, *types)


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


# -- functions -------------------------------------------------------------------------------------


def function_to_schema(
    func: Callable[..., Any],
    *,
    strict: bool = False,
    warn_missing_docs: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of a function's parameters.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        warn_missing_docs: Whether to warn about every parameter without a description.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh dict, ``{"type": "object", "properties": {...}, "required": [...]}``.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import function_to_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> schema = function_to_schema(greet)
        >>> schema["properties"]
        {'name': {'type': 'string'}, 'times': {'type': 'integer', 'default': 1}}
        >>> schema["required"]
        ['name']
    """
    reading = Reading(func, Options(profile, exclude, localns, strict))
    schema = reading.input_schema()
    if warn_missing_docs:
        reading.warn_missing_docs()
    return schema


def return_to_schema(
    func: Callable[..., Any],
    *,
    returns: Any = MISSING,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any] | None:
    """Derive the JSON Schema of a function's return value.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        returns: A return annotation that replaces the function's own.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh schema; for a generator function it describes the yielded values, for a coroutine
        function the awaited value. ``None`` if there is no return annotation, or it is ``None``
        or a content type of MCP, which clients read directly.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import return_to_schema
        >>> def status(service: str) -> dict[str, str]: ...
        >>> return_to_schema(status)
        {'type': 'object', 'additionalProperties': {'type': 'string'}}
    """
    options = Options(profile, localns=localns, returns=returns, part="output", strict=strict)
    return Reading(func, options).output_schema()


def type_to_schema(
    annotation: Any,
    *,
    output: bool = False,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of an annotation.

    Args:
        annotation: A class, or anything else that is valid as an annotation.
        output: Whether the schema is for values that a function returns, not for arguments.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        profile: How the schema is written.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[int] | None)
        {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    check_profile(profile)
    profile = profile.for_outputs if output else profile
    scope = Scope(extra=localns, frame=sys._getframe(1))
    session = Session(profile, scope, display(annotation), strict=strict, output=output)
    return schema_of(try_evaluate(annotation, scope), session.reader())


def schema_of(annotation: Any, reader: Reader) -> Json:
    """The schema of an annotation; problems are errors or warnings."""
    problems, failure = reader.problems, reader.profile.failure
    try:
        node = reader.read(annotation, reader.session.scope, (None, reader.session.root))
        reader.complete()
        part = finish(lambda out: (node.schema(out), node, False), reader.session)
    except SchemaError as error:
        part = SchemaDocument.ended(problems, error)
    # There is no function that could be an open object.
    failure = "error" if failure in ("open", "none") else failure
    settled = part.settle(reader.session.strict, failure)
    warn_about(settled.told, reader.session.scope.source)
    found = settled.get(reader.session.scope.source)
    assert found is not None  # noqa: S101 - otherwise, there is an error
    return found


# -- the parameters that a schema leaves out ---------------------------------------------------


class HiddenParameter(Frozen):
    """A parameter that a schema leaves out.

    Attributes:
        name: Its name.
        why: The reason: the field ``"injected_names"``, ``"injected_classes"``,
            ``"injected_if"`` or ``"variadics"`` of the profile, the argument ``"exclude"``, or
            the marker ``"Injected"``.
        by: The name, class, function or marker that matches it.
        annotation: Its annotation; ``None`` if there is none.
        required: Whether a value is required.

    Example:
        >>> from milo_schema import HiddenParameter, hidden_parameters
        >>> def greet(name: str, ctx: object): ...
        >>> hidden_parameters(greet) == [
        ...     HiddenParameter("ctx", "injected_names", "ctx", object, required=True)
        ... ]
        True
    """

    name: str
    why: str
    by: Any
    annotation: Any
    required: bool


def hidden_parameters(
    func: Callable[..., Any],
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    localns: Names = None,
) -> list[HiddenParameter]:
    """Find the parameters that the schema of a function leaves out, and why.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The parameters, in the order of the signature.

    Raises:
        SchemaError: The function has no schema.

    Example:
        >>> from milo_schema import hidden_parameters, profiles
        >>> class Session: ...
        >>> mine = profiles.MCP.with_injected(classes={Session}, names={"user"})
        >>> def greet(name: str, session: Session, user: str = "me"): ...
        >>> [(each.name, each.why) for each in hidden_parameters(greet, profile=mine)]
        [('session', 'injected_classes'), ('user', 'injected_names')]
    """
    options = Options(profile, exclude=exclude, localns=localns)
    parameters = Reading(func, options).parameters
    return [
        HiddenParameter(
            each.name,
            *parameters.hidden[each.name],
            None if each.annotation is MISSING else each.annotation,
            each.required and each.kind not in VARIADIC,
        )
        for each in (*parameters.every, *parameters.keys)
        if each.name in parameters.hidden
    ]
