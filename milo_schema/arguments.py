"""Convert the JSON arguments of a call to the Python values of a function's parameters.

Strategy: the annotations are read as for the schema, into the same nodes; a call only runs their
``load()``. It accepts the same values as the schema does before the profile's transforms, and
reports all problems at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any

from milo_schema.annotations import Names
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import POSITIONAL_ONLY, VAR_KEYWORD, VARIADIC, Field
from milo_schema.callables.variadics import parameter_names, split_values, unpacked_keys
from milo_schema.errors import Problem, SchemaError, add_location, nearest
from milo_schema.json_schema.paths import escape
from milo_schema.nodes.arguments import Arguments, FieldsOfOne, WithoutKeys
from milo_schema.nodes.base import Loading, Node, Refused, read_text, refuse
from milo_schema.nodes.fields import Part, Untyped, null_is_absent
from milo_schema.nodes.reader import Reader
from milo_schema.profile import MILO, Profile, check_profile
from milo_schema.schemas.parameters import split_excluded
from milo_schema.schemas.readings import Reading

Decoders = Mapping[Any, Callable[[Any], Any]] | None

__all__ = ["ArgumentsError", "Binder", "Bound", "Problem", "bind", "binder", "json_to_value"]


class ArgumentsError(ValueError):
    """Raised for JSON that is not valid: all problems, in sentences that a model can act on.

    Attributes:
        subject: The function or annotation, such as ``deploy()``.
        problems: The problems, each with a ``.path`` and a ``.reason``.

    Example:
        >>> from milo_schema.arguments import json_to_value
        >>> json_to_value([1, "x"], list[int])
        Traceback (most recent call last):
        ...
        milo_schema.arguments.ArgumentsError: list[int]: [1]: expected an integer, got "x"
    """

    def __init__(self, subject: str, problems: Collection[Problem]) -> None:
        super().__init__(subject, tuple(problems))
        self.subject: str = subject
        self.problems: tuple[Problem, ...] = tuple(problems)

    def __str__(self) -> str:
        lines = [escape(str(problem)) for problem in self.problems]
        if len(lines) == 1:
            return f"{self.subject}: {lines[0]}"
        said, room = f"{self.subject}: {len(lines)} problems", MAX_TEXT
        for at, line in enumerate(lines):
            room -= len(line) + 3
            if room < 0:
                return f"{said}\n- and {len(lines) - at} more"
            said += f"\n- {line}"
        return said


MAX_TEXT = 19_000
"""The most characters in the text of an error, because a model has to read it."""


class Bound:
    """The arguments of one call, as Python values; like ``inspect.BoundArguments``.

    Attributes:
        args: The values that are passed by position.
        kwargs: The values that are passed by name.
        arguments: All values by the name of the parameter; the value of ``*args`` is a tuple,
            that of ``**kwargs`` a dictionary.
    """

    __slots__ = ("args", "arguments", "kwargs")

    def __init__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], arguments: dict[str, Any]
    ) -> None:
        self.args: tuple[Any, ...] = args
        self.kwargs: dict[str, Any] = kwargs
        self.arguments: dict[str, Any] = arguments

    def __repr__(self) -> str:
        names = ", ".join(self.arguments)
        return f"<Bound ({names})>"


# -- one value ---------------------------------------------------------------------------------


def json_to_value(
    json: Any,
    annotation: Any,
    *,
    profile: Profile = MILO,
    decoders: Decoders = None,
    repair: bool = False,
    localns: Names = None,
) -> Any:
    """Make a Python value from JSON by an annotation: the reverse of ``value_to_json()``.

    Args:
        json: A JSON value, such as ``json.loads()`` returns; it is not changed.
        annotation: A class, or anything else that is valid as an annotation.
        profile: The profile of the schema.
        decoders: Maps each of your types to a function that makes a value from its JSON.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        The value, which shares no parts with the JSON.

    Raises:
        ArgumentsError: The JSON is not valid for the annotation.
        SchemaError: The annotation cannot be read from JSON.

    Example:
        >>> import datetime
        >>> from milo_schema.arguments import json_to_value
        >>> json_to_value({"2026-07-28": [1]}, dict[datetime.date, set[int]])
        {datetime.date(2026, 7, 28): {1}}
    """
    check_profile(profile)
    scope = Scope(extra=localns, frame=sys._getframe(1))
    subject = display(annotation)
    reader = Reader(profile, scope, subject, decoders=_all_decoders(profile, decoders))
    node = reader.read(try_evaluate(annotation, scope), scope, (None, subject))
    reader.complete()
    _check_decodable(reader)
    return _load(node, json, subject, repair)


def _all_decoders(profile: Profile, decoders: Decoders) -> Mapping[Any, Any]:
    """The decoders of a profile and of a call."""
    return {**profile.decoders, **(decoders or {})}


def _check_decodable(reader: Reader) -> None:
    """Refuse annotations whose values cannot be read from JSON."""
    if reader.undecodable:
        raise SchemaError.of(reader.undecodable)


def _load(node: Node, json: Any, subject: str, repairs: bool) -> Any:
    """Load JSON; raise an error if it is not valid."""
    try:
        value = node.load(json, Loading(repairs))
    except RecursionError:  # the caller is deep in the stack itself
        value = refuse("nested too deeply for the space left on Python's stack")
    if type(value) is Refused:
        raise ArgumentsError(subject, value.problems)
    return value


# -- the arguments of a call -------------------------------------------------------------------


def bind(
    func: Callable[..., Any],
    arguments: Any,
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    inject: Names = None,
    decoders: Decoders = None,
    repair: bool = False,
    localns: Names = None,
) -> Bound:
    """Check the JSON arguments of a call, and convert them to Python values.

    Args:
        func: The function that is called.
        arguments: The JSON object of its arguments.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        inject: Values of parameters that the schema leaves out, by name; callers cannot set them.
        decoders: Maps each of your types to a function that makes a value from its JSON.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The values, for a call ``func(*bound.args, **bound.kwargs)``.

    Raises:
        ArgumentsError: The arguments are not valid; the error has every problem.
        SchemaError: The function cannot be called this way: an injected value is missing, or an
            annotation cannot be read from JSON.

    Example:
        >>> import datetime
        >>> from milo_schema.arguments import bind
        >>> def days_until(day: datetime.date, today: datetime.date | None = None): ...
        >>> bind(days_until, {"day": "2026-07-28"}).kwargs
        {'day': datetime.date(2026, 7, 28)}
        >>> bind(days_until, {"day": "tomorrow"})
        Traceback (most recent call last):
        ...
        milo_schema.arguments.ArgumentsError: days_until(): .day: expected a date such as ...
    """
    prepared = binder(
        func, profile=profile, exclude=exclude, decoders=decoders, repair=repair, localns=localns
    )
    return prepared(arguments, inject=inject)


def binder(
    func: Callable[..., Any],
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    decoders: Decoders = None,
    repair: bool = False,
    localns: Names = None,
) -> Binder:
    """Read a function once, to bind arguments to it many times.

    Args:
        func: The function that is called.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        decoders: Maps each of your types to a function that makes a value from its JSON.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A callable ``(arguments, inject=None)``, which returns the same as ``bind()``.

    Raises:
        SchemaError: An annotation cannot be read from JSON.

    Example:
        >>> from milo_schema.arguments import binder
        >>> def greet(name: str, times: int = 1): ...
        >>> bound = binder(greet)
        >>> [bound({"name": name}).kwargs for name in ("Ada", "Alan")]
        [{'name': 'Ada'}, {'name': 'Alan'}]
    """
    check_profile(profile)
    reading = Reading(
        func,
        profile=profile,
        exclude=exclude,
        localns=localns,
        decoders=_all_decoders(profile, decoders),
    )
    try:
        return Binder(reading, repair)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise


class Binder:
    """A function that has been read once, to bind JSON arguments to it many times.

    Attributes:
        func: The function.
        localns: Names for its annotation strings that their module does not have at run time.
        profile: The profile of its schema.
    """

    __slots__ = (
        "_denied",
        "_extra",
        "_name",
        "_names",
        "_parameters",
        "_parts",
        "_properties",
        "_read",
        "_repairs",
        "_required",
        "_shaped",
        "_shown",
        "_whole",
        "func",
        "localns",
        "profile",
    )

    def __init__(self, reading: Reading, repairs: bool) -> None:
        parameters, signature = reading.parameters, reading.signature
        _check_decodable(parameters.reader)
        fields = parameters.record.fields
        hidden = split_excluded(reading.exclude)[0] | reading.profile.injected_names
        null = null_is_absent(reading.profile)
        self.func: Callable[..., Any] = reading.func
        self.localns: Mapping[str, Any] = signature.scope.fallback
        self.profile: Profile = reading.profile
        self._name: str = f"{signature.name}()"
        self._repairs: bool = repairs
        self._parameters: list[Field] = parameters.every
        self._parts: list[Part] = [
            Part(field, field.python_name, null_is_absent=null) for field in fields
        ]
        self._extra: Node | None = _extra(reading)
        self._whole: FieldsOfOne | None = _whole(reading, null_is_absent=null)
        named = [each for each in parameters.every if each.kind not in VARIADIC]
        self._names: list[str] = [each.python_name for each in named]
        self._shown: frozenset[str] = frozenset(field.python_name for field in fields)
        self._required: list[str] = [
            each.name for each in named if each.required and each.hidden_because is not None
        ]
        self._denied: frozenset[str] = hidden.union(parameter_names(signature)).difference(
            part.name for part in self._parts
        )
        self._properties: frozenset[str] = frozenset(
            each.name for each in fields if each.kind in VARIADIC
        )
        self._shaped: bool = len(named) < len(parameters.every) or any(
            each.kind == POSITIONAL_ONLY for each in named
        )
        self._keep_apart(parameters.every)
        self._read: Node = self._reader()

    def __repr__(self) -> str:
        return f"<Binder {self._name}>"

    def __call__(self, arguments: Any, inject: Names = None) -> Bound:
        """Check the JSON arguments of a call, and convert them to values; see ``bind()``."""
        if self._repairs and type(arguments) is str:
            arguments = read_text(arguments)
        reader = self._read
        if inject or self._required:
            self._check(inject or {})
        if inject and not self._shown.isdisjoint(inject):
            reader = self._reader(inject)
        values = _load(reader, arguments, self._name, self._repairs)
        if inject:
            values.update(inject)
        if self._shaped:
            return Bound(*split_values(self._parameters, values, self._properties))
        return Bound((), values, values.copy())

    def accepts(self, arguments: Any) -> bool:
        """Whether arguments are valid, whatever the injected values are."""
        return type(self._read.load(arguments, Loading(self._repairs))) is not Refused

    def _keep_apart(self, parameters: list[Field]) -> None:
        """Make sure that the object for ``**kwargs`` cannot set another parameter."""
        others = [each for each in parameters if POSITIONAL_ONLY < each.kind not in VARIADIC]
        names = self._denied.union(each.python_name for each in others)
        for part in self._parts:
            if part.name in self._properties and part.name == parameters[-1].name:
                part.node = WithoutKeys(part.node, names)

    def _reader(self, injected: Collection[str] = ()) -> Node:
        """The node of the arguments, without the parameters that are injected."""
        if self._whole is not None and self._whole.part.target not in injected:
            return self._whole
        parts = [part for part in self._parts if part.target not in injected]
        denied = self._denied.union(part.name for part in self._parts if part.target in injected)
        return Arguments(parts, self._extra, denied)

    def _check(self, inject: Mapping[str, Any]) -> None:
        """Refuse missing injected values, and those without a parameter."""
        if missing := [name for name in self._required if name not in inject]:
            reason = "required but not part of the schema"
            way_out = f"pass inject={{{missing[0]!r}: ...}}"
            raise SchemaError(f"{reason}; {way_out}", f"{self._name[:-2]}({missing[0]})")
        for name in inject:
            if name not in self._names:
                near = nearest(str(name), self._names)
                reason = f"inject= names {name!r}, which is not a parameter{near}"
                raise SchemaError(reason, self._name)


def _extra(reading: Reading) -> Node | None:
    """The node of the arguments for ``**kwargs``; ``None`` if the function has none."""
    parameters, record = reading.parameters.every, reading.parameters.record
    last = parameters[-1] if parameters else None
    if last is None or last.kind != VAR_KEYWORD or record.extra is False:
        return None
    if record.extra is not MISSING:
        found: Node = record.extra_node
        return found
    is_open = reading.profile.variadics == "open" and last.hidden_because is None
    if not is_open or unpacked_keys(last) is not MISSING:
        return None
    return Untyped.read(reading.parameters.reader, (reading.parameters.place, last))


def _whole(reading: Reading, *, null_is_absent: bool) -> FieldsOfOne | None:
    """The parameter that its fields replace."""
    if (field := reading.parameters.whole) is None:
        return None
    part = Part(field, field.python_name, null_is_absent=null_is_absent)
    return FieldsOfOne(part, reading.parameters.reader.exact_schema(field.node))
