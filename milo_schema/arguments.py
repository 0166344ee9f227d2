"""Convert the JSON arguments of a call to the Python values of a function's parameters.

Strategy: the annotations are read as for the schema, into the same nodes; a call only runs their
``load()``. It accepts the same values as the schema does before the profile's transforms, and
reports all problems at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import class_name, inherits, is_class, mro
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.forms import display
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import Field
from milo_schema.callables.variadics import defaults_of, missing_self, split_values
from milo_schema.callables.wrappers import why_unbound
from milo_schema.errors import Problem, SchemaError, add_location, nearest, shown
from milo_schema.json_schema.repair import InvalidJSONError, Repair, parse, parse_part, repaired
from milo_schema.json_schema.sentences import describe
from milo_schema.json_schema.subschemas import escape
from milo_schema.nodes.base import Loading, Node, Refusal, refuse
from milo_schema.nodes.definitions import undecodable_in
from milo_schema.nodes.session import Session
from milo_schema.profile import MILO, Profile, check_profile
from milo_schema.schemas.arguments import CallArguments, json_arguments
from milo_schema.schemas.functions import Options, Reading
from milo_schema.schemas.special import is_one_of

if TYPE_CHECKING:
    from typing_extensions import TypeForm  # PEP 747: type checkers know it, on any Python
else:
    TypeForm = type

Injected = Mapping[Any, Any] | None
"""Values by the names, or by the classes, of parameters."""
Value = TypeVar("Value")
Result = TypeVar("Result")

__all__ = [
    "ArgumentsError",
    "Binder",
    "Bound",
    "Problem",
    "Repair",
    "bind",
    "binder",
    "json_to_value",
]


class ArgumentsError(ValueError):
    """Raised if JSON is not valid; lists all problems, in sentences that a model can act on.

    Attributes:
        path: The function or annotation, such as ``deploy()``.
        problems: The problems, each with a ``.path``, ``.code``, ``.message``, ``.expected``,
            ``.value``, ``.keyword`` and ``.limit``.

    Example:
        >>> from milo_schema.arguments import json_to_value
        >>> json_to_value([1, "x"], list[int])
        Traceback (most recent call last):
        ...
        milo_schema.arguments.ArgumentsError: list[int]: [1]: expected an integer, got "x"
    """

    def __init__(self, path: str, problems: Iterable[Problem]) -> None:
        listed = tuple(problems)
        super().__init__(path, listed)
        self.path: str = path
        self.problems: tuple[Problem, ...] = listed

    def as_dict(self) -> dict[str, Any]:
        """The problems as JSON, for a client that repairs a call without reading sentences.

        Returns:
            ``{"path": ..., "problems": [{"path": ..., "code": ..., "message": ...}]}``; each
            problem has ``"expected"``, too, if a noun says what is expected, and ``"keyword"``
            and ``"limit"``, if a keyword of JSON Schema refuses the value.

        Example:
            >>> from milo_schema.arguments import ArgumentsError, json_to_value
            >>> try:
            ...     json_to_value([1, "x"], list[int])
            ... except ArgumentsError as error:
            ...     error.as_dict()["problems"][0]["expected"]
            'an integer'
        """
        return {"path": self.path, "problems": [each.as_dict() for each in self.problems]}

    def without_values(self) -> ArgumentsError:
        """The same error without the values that were given, for logs that must not contain them.

        Returns:
            An error that says what is expected, or what its code means. Names in paths stay.

        Example:
            >>> from milo_schema.arguments import ArgumentsError, json_to_value
            >>> try:
            ...     json_to_value(["secret"], list[int])
            ... except ArgumentsError as error:
            ...     print(error.without_values())
            list[int]: [0]: expected an integer
        """
        return ArgumentsError(self.path, map(Problem.without_value, self.problems))

    def __str__(self) -> str:
        lines = [escape(str(problem)) for problem in self.problems]
        if len(lines) == 1:
            return f"{self.path}: {lines[0]}"
        said, room = f"{self.path}: {len(lines)} problems", MAX_TEXT
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
            that of ``**kwargs`` a dictionary. ``apply_defaults()`` adds those that are missing.
        repairs: What was repaired: the path, what was sent, and what was read.

    Example:
        >>> from milo_schema.arguments import bind
        >>> def stay(nights: int): ...
        >>> bind(stay, {"nights": "2"}, repair=True).repairs
        (Repair(path='.nights', sent='2', read=2),)
    """

    __slots__ = ("_parameters", "args", "arguments", "kwargs", "repairs")

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        arguments: dict[str, Any],
        repairs: tuple[Repair, ...] = (),
        parameters: list[Field] | None = None,
    ) -> None:
        self._parameters: list[Field] = parameters or []
        self.repairs: tuple[Repair, ...] = repairs
        self.args: tuple[Any, ...] = args
        self.kwargs: dict[str, Any] = kwargs
        self.arguments: dict[str, Any] = arguments

    def apply_defaults(self) -> None:
        """Add the defaults of missing parameters, as ``inspect.BoundArguments`` does.

        ``*args`` is an empty tuple then, and ``**kwargs`` an empty dictionary. A call with
        ``args`` and ``kwargs`` does the same as before. A required parameter stays missing.

        Example:
            >>> from milo_schema.arguments import bind
            >>> def stay(nights: int, breakfast: bool = True): ...
            >>> bound = bind(stay, {"nights": 2})
            >>> bound.apply_defaults()
            >>> bound.arguments
            {'nights': 2, 'breakfast': True}
        """
        defaults = defaults_of(self._parameters)
        names = [each.python_name for each in self._parameters]
        every = {**defaults, **self.arguments}
        self.arguments = {name: every[name] for name in (*names, *every) if name in every}

    def __repr__(self) -> str:
        from reprlib import repr as shortened

        shown = (f"{name}={shortened(value)}" for name, value in self.arguments.items())
        return f"<Bound ({', '.join(shown)})>"


# -- one value ---------------------------------------------------------------------------------


@overload
def json_to_value(
    json: Any,
    annotation: TypeForm[Value],
    *,
    profile: Profile = ...,
    repair: bool = ...,
    localns: Names = ...,
) -> Value: ...
@overload
def json_to_value(
    json: Any, annotation: Any, *, profile: Profile = ..., repair: bool = ..., localns: Names = ...
) -> Any: ...
def json_to_value(
    json: Any,
    annotation: Any,
    *,
    profile: Profile = MILO,
    repair: bool = False,
    localns: Names = None,
) -> Any:
    """Convert JSON to a value of an annotation: the reverse of ``value_to_json()``.

    Args:
        json: A JSON value, such as ``json.loads()`` returns; it is not changed.
        annotation: A class, or anything else that is valid as an annotation.
        profile: The profile of the schema.
        repair: Whether to repair values that the schema refuses, if they can mean only one thing:
            numbers and JSON in text, and null for what is left out.
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
    if is_class(json) or type(annotation) in _ONLY_JSON:
        _refuse_order(json, annotation)
    scope = Scope(extra=localns, frame=sys._getframe(1))
    subject = display(annotation)
    reader = Session(profile, scope, subject, decoders=profile.decoders).reader()
    node = reader.read(try_evaluate(annotation, scope), scope, (None, subject))
    reader.complete()
    _check_decodable(undecodable_in([node]))
    schema = (lambda: reader.exact_schema(node)) if repair else None
    return _load(node, json, subject, schema)[0]


_ONLY_JSON = frozenset({int, float, bool, list, dict})
"""The classes of JSON values that are not annotations."""


def _refuse_order(json: Any, annotation: Any) -> None:
    """Raise an error for JSON in the place of the annotation."""
    asked = f"json_to_value({shown(json)}, {shown(annotation)})"
    reason = f"{shown(annotation)} is not an annotation; the JSON comes first, then the annotation"
    if is_class(json):
        right = f"json_to_value({shown(annotation)}, {shown(json)})"
        reason = f"{shown(json)} is not JSON; the JSON comes first: {right}"
    raise SchemaError(reason, asked, annotation)


def _check_decodable(undecodable: list[Problem]) -> None:
    """Refuse annotations whose values cannot be read from JSON, unless a call can do without."""
    if problems := [each for each in undecodable if not _is_optional(each)]:
        raise SchemaError.of(problems)


def _is_optional(problem: Problem) -> bool:
    """Whether a problem is about something with a default: only a call that sets it fails."""
    place = problem.place
    while place is not None:
        place, step = place
        if type(step) is Field and not step.required:
            return True
    return False


def _check_bound(reading: Reading) -> None:
    """Refuse a method without its instance: every call would fail."""
    if missing := missing_self(reading.func, reading.signature):
        name = reading.signature.name
        raise SchemaError(why_unbound(name, missing), name)


def _load(
    node: Node, json: Any, subject: str, schema: Callable[[], Json] | None
) -> tuple[Any, tuple[Repair, ...]]:
    """Load JSON, repaired by a schema if there is one; raise an error if it is not valid."""
    repairs: tuple[Repair, ...] = ()
    value = _loaded(node, json, subject)
    if type(value) is not Refusal:
        return value, repairs
    if schema is not None:
        json, repairs = repaired(json, schema())
        value = _loaded(node, json, subject) if repairs else value
    if type(value) is Refusal:
        problems = value.problems
        raise ArgumentsError(subject, problems if schema is None else map(_of_text, problems))
    return value, repairs


def _loaded(node: Node, json: Any, subject: str) -> Any:
    try:
        value = node.load(json, Loading())
    except RecursionError:  # the caller is deep in the stack itself
        return refuse("nested too deeply for the space left on Python's stack", json, "too-deep")
    if type(value) is Refusal:
        value.raise_bug("reading", f"{subject}: ")
    return value


def _of_text(problem: Problem) -> Problem:
    """A problem of text that ought to be JSON; if it is not, the reason says why."""
    text = problem.value
    if problem.expected and type(text) is str and text.lstrip()[:1] in ("{", "["):
        try:
            parse_part(text)
        except InvalidJSONError as error:
            if error.is_begun:
                reason = f"expected {problem.expected}, got {describe(text)}; {error}"
                return problem.replace(message=reason, code="invalid-json")
    return problem


# -- the arguments of a call -------------------------------------------------------------------


def bind(
    func: Callable[..., Any],
    arguments: Any,
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    inject: Injected = None,
    repair: bool = False,
    localns: Names = None,
) -> Bound:
    """Check the JSON arguments of a call, and convert them to Python values.

    Args:
        func: The function that is called.
        arguments: The JSON object of its arguments.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        inject: Values of parameters that the schema leaves out, by name or by class, which callers
            cannot set; a name wins over a class. A value of a class is for each parameter of that
            class or a subclass. What the profile declares as injected may be passed to any
            function: one without such a parameter ignores it.
        repair: Whether to repair values that the schema refuses, if they can mean only one thing:
            numbers and JSON in text, and null for what is left out.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The values, for a call ``func(*bound.args, **bound.kwargs)``.

    Raises:
        ArgumentsError: The arguments are not valid; the error has every problem.
        SchemaError: The function cannot be called this way: an injected value is missing, unknown
            or of another class, or an annotation cannot be read from JSON.

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
    prepared = binder(func, profile=profile, exclude=exclude, repair=repair, localns=localns)
    return prepared(arguments, inject=inject)


def binder(
    func: Callable[..., Result],
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    repair: bool = False,
    localns: Names = None,
) -> Binder[Result]:
    """Read a function once, to bind arguments to it many times.

    Args:
        func: The function that is called.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        repair: Whether to repair values that the schema refuses, if they can mean only one thing:
            numbers and JSON in text, and null for what is left out.
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
    reading = Reading(func, Options(profile, exclude=exclude, localns=localns))
    try:
        return Binder(reading, repair)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise


class JSONBinder:
    """Checks the arguments of a tool whose function is not known, as its schema describes them.

    Args:
        name: The name of the tool.
        schema: The schema of its arguments, in our form.
        drops_nulls: Whether null is left out where the schema refuses it.
    """

    __slots__ = ("_name", "_node", "_schema")
    hidden: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, name: str, schema: Json, *, drops_nulls: bool) -> None:
        self._name: str = f"{name}()"
        self._schema: Json = schema
        self._node: Node = json_arguments(schema, drops_nulls=drops_nulls)

    def __call__(self, arguments: Any, inject: Injected, *, repair: bool) -> Bound:
        """The arguments of one call, as JSON."""
        if inject:
            reason = f"inject= names {next(iter(inject))!r}, but its function is not known"
            raise SchemaError(f"{reason}; use with_function()", self._name)
        given = _as_object(arguments, self._name) if repair else arguments
        schema = (lambda: self._schema) if repair else None
        values, fixed = _load(self._node, given, self._name, schema)
        return Bound((), values, values.copy(), fixed)

    def accepts(self, arguments: Any) -> bool:
        """Whether arguments are valid."""
        return type(_loaded(self._node, arguments, self._name)) is not Refusal

    def takes(self, _key: str | type) -> bool:
        """Whether a hidden parameter has a name or a class: there is none."""
        return False


def _as_object(arguments: Any, name: str) -> Any:
    """The arguments in a string; an empty string, null and [] mean a call without any."""
    if type(arguments) is str:
        try:
            arguments = parse(arguments) if arguments.strip() else None
        except InvalidJSONError as error:
            problem = Problem(str(error), code="invalid-json", value=arguments)
            raise ArgumentsError(name, [problem]) from None
    is_empty = arguments is None or (type(arguments) in (str, list) and not arguments)
    return {} if is_empty else arguments


class Binder(Generic[Result]):
    """A function that has been read once, to bind JSON arguments to it many times.

    Attributes:
        func: The function.
        localns: Names for its annotation strings that their module does not have at run time.
        profile: The profile of its schema.
        repairs: Whether it repairs what the schema refuses.
    """

    __slots__ = ("_name", "_passing", "_reading", "func", "localns", "profile", "repairs")

    def __init__(
        self,
        reading: Reading,
        repairs: bool = False,
        passing: CallArguments | None = None,
        name: str = "",
    ) -> None:
        _check_bound(reading)
        _check_decodable(reading.parameters.undecodable)
        self.func: Callable[..., Result] = reading.func
        self.localns: Mapping[str, Any] = reading.signature.scope.fallback
        self.profile: Profile = reading.profile
        self._reading: Reading = reading
        self._name: str = f"{name or reading.signature.name}()"
        self.repairs: bool = repairs
        self._passing: CallArguments = passing or CallArguments(reading)

    def __repr__(self) -> str:
        return f"<Binder {self._name}>"

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> dict[str, Any]:
        """Lets a pydantic model have a binder in a field."""
        return {"type": "is-instance", "cls": cls}

    def __eq__(self, other: object) -> bool:
        """Whether another binder does the same for the same function."""
        return self._options == other._options if type(other) is Binder else NotImplemented

    def __hash__(self) -> int:
        return hash(self._name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_binder, self._options

    @property
    def _options(self) -> tuple[Any, ...]:
        """The function and the options that it was made from."""
        given = self._reading.options
        options = {
            "profile": self.profile,
            "exclude": self._reading.exclude,
            "repair": self.repairs,
            "localns": given.localns,
        }
        return self.func, options

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the parameters that only ``inject`` sets."""
        return frozenset(self._passing.names) - self._passing.shown

    @property
    def runs_user_code(self) -> bool:
        """Whether reading arguments runs your code, such as constructors, decoders or models.

        If a person has to approve a call, look at this before you bind its arguments.

        Example:
            >>> import datetime
            >>> from milo_schema.arguments import binder
            >>> class Text(str): ...
            >>> def book(day: datetime.date): ...
            >>> def note(text: Text): ...
            >>> binder(book).runs_user_code, binder(note).runs_user_code
            (False, True)
        """
        return self._passing.runs_user_code

    def __call__(
        self,
        arguments: Any,
        inject: Injected = None,
        *,
        repair: bool | None = None,
        partial: bool = False,
    ) -> Bound:
        """Check the JSON arguments of a call, and convert them to values; see ``bind()``.

        With ``partial=True``, values that have to be injected may be missing: a framework can
        make them from the checked arguments, and then pass them itself.
        """
        repairs = self.repairs if repair is None else repair
        if repairs:
            arguments = _as_object(arguments, self._name)
        passing = self._passing
        node = passing.node
        if inject:
            inject = self._injected(inject)
        if passing.required and not partial:
            self._check(inject or {})
        if inject and not passing.shown.isdisjoint(inject):
            node = passing.without(inject)
        values, fixed = _load(node, arguments, self._name, self._schema if repairs else None)
        if inject:
            values.update(inject)
        for name, make in passing.makers:
            if name not in values and not partial:
                values[name] = make()
        if passing.is_shaped:
            found = split_values(passing.parameters, values, passing.properties)
            return Bound(*found, fixed, passing.parameters)
        return Bound((), values, values.copy(), fixed, passing.parameters)

    def _schema(self) -> Json:
        """The schema that the arguments are repaired by."""
        judge = self._passing.judge
        return self._reading.exact_input if judge is None else judge

    def accepts(self, arguments: Any) -> bool:
        """Whether arguments are valid, whatever the injected values are."""
        try:
            _load(self._passing.node, arguments, self._name, self._schema if self.repairs else None)
        except ArgumentsError:
            return False
        return True

    # -- injected values -----------------------------------------------------------------------

    def takes(self, key: str | type) -> bool:
        """Whether a hidden parameter has a name, or is of a class or a subclass of it."""
        passing = self._passing
        if is_class(key):
            return any(_is_above(key, each) for each in passing.hidden.values())
        return key in passing.names and key not in passing.shown

    def knows(self, key: str | type) -> bool:
        """Whether a value of this name or class may be injected.

        It may be, if a parameter takes it, or if the profile declares it: then a function without
        such a parameter ignores it.
        """
        if is_class(key):
            return self.takes(key) or self.profile.injects(key)
        return key in self._passing.names or self.profile.injects(key)

    def _injected(self, inject: Mapping[Any, Any]) -> dict[str, Any]:
        """The values by the names of parameters; a name wins over a class, and a near over a far.

        Raises:
            SchemaError: Nothing has this name or class, or a value is of another class.
        """
        passing = self._passing
        for key in inject:
            if not self.knows(key):
                raise SchemaError(self._unknown(key), self._name)
            check_class(inject[key], key, self._name)
        found = {name: inject[name] for name in passing.names if name in inject}
        for name, classes in passing.hidden.items():
            if name not in found and (keys := [key for key in inject if _is_above(key, classes)]):
                # the nearest class has the most bases
                found[name] = inject[max(keys, key=lambda key: len(mro(key)))]
            value = found.get(name)
            if value is not None and not is_one_of(value, classes):
                raise SchemaError(_of_another_class(value, classes), f"{self._name[:-2]}({name})")
        return found

    def _unknown(self, key: Any) -> str:
        """The problem of a name or class that nothing has."""
        if not is_class(key):
            near = nearest(str(key), self._passing.names)
            return f"inject= names {key!r}, which is not a parameter{near}"
        classes = [each for group in self._passing.hidden.values() for each in group]
        near = nearest(class_name(key), map(class_name, filter(is_class, classes)))
        return f"inject= has {display(key)}, but no hidden parameter is of that class{near}"

    def _check(self, inject: Mapping[str, Any]) -> None:
        """Refuse missing injected values."""
        if missing := [name for name in self._passing.required if name not in inject]:
            reason = "required but not part of the schema"
            way_out = f"pass inject={{{missing[0]!r}: ...}}"
            raise SchemaError(f"{reason}; {way_out}", f"{self._name[:-2]}({missing[0]})")


def _is_above(key: Any, classes: Iterable[Any]) -> bool:
    """Whether a value is injected for one of the classes, or for a base of it."""
    return any(is_class(each) and inherits(each, key) for each in classes)


def check_class(value: Any, key: Any, name: str) -> None:
    """Refuse a value that is injected for a class, but is not an instance of it."""
    if is_class(key) and not is_one_of(value, [key]):
        raise SchemaError(_of_another_class(value, [key]), name)


def _of_another_class(value: Any, classes: Iterable[Any]) -> str:
    """The problem of a value that is not an instance of its class; it may be a secret."""
    expected = " | ".join(map(display, classes))
    return f"the injected value is of class {display(type(value))}, not {expected}"


def _make_binder(func: Any, options: dict[str, Any]) -> Binder[Any]:
    """Make a binder again, for copying and unpickling."""
    return binder(func, **options)
