"""The error and the warning of this library, which have the same attributes.

The attributes are the arguments; the message is made of them when it is read. So both can be
pickled, and a caller can read the path or the message without parsing the text of both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from milo_schema.annotations.classes import USER_CODE_ERRORS, closest, nearest
from milo_schema.annotations.forms import display as shown

__all__ = ["SchemaError", "SchemaWarning", "ToolError", "closest", "nearest", "shown", "warn"]

Source = tuple[str, int, dict[str, Any]]  # the file, the line, the names of the module


_OF_SCHEMAS = {
    "contradiction": "No value can satisfy the bounds, or a default or an example does not fit.",
    "default-not-json": "A default cannot be written as JSON.",
    "invalid-schema": "A schema is not valid JSON Schema.",
    "limit": "A schema is larger or deeper than the profile allows.",
    "no-annotation": "A parameter has no annotation.",
    "no-decoder": "No decoder can make a value of the type from JSON.",
    "other": "Any other mistake.",
    "refused-by-transform": "A transform, such as a dialect, does not support part of a schema.",
    "unexpected-value": "A result does not match the return annotation.",
    "unfit-marker": "A marker does not apply to the annotated type, or has an invalid value.",
    "unknown-format": "Neither JSON Schema nor OpenAPI defines the format.",
    "unresolved-name": "A string annotation cannot be evaluated.",
    "unsupported-type": "An annotation has no schema.",
    "user-code": "Your own code, such as a hook or a property, raised an exception.",
}
_OF_ARGUMENTS = {
    "invalid": "A value breaks another rule of its schema.",
    "invalid-json": "Text is not JSON.",
    "missing": "A required argument or property is missing.",
    "not-a-choice": "A value is not one of the choices.",
    "not-unique": "A set has duplicate items, or an object duplicate keys.",
    "out-of-bounds": "A number, or the length of a value, is outside of its bounds.",
    "refused": "Your own code, such as a class or a decoder, refuses a value.",
    "too-deep": "A value is nested too deeply.",
    "unknown-name": "An argument or a property does not exist.",
    "wrong-format": "A string does not have the format or the pattern.",
    "wrong-type": "A value has another type than expected.",
}
_OF_FINDINGS = {
    "any-parameter": "A parameter accepts any value, so a model cannot know what to pass.",
    "contradictory-bounds": "No value can satisfy the bounds.",
    "dangling-reference": "A reference points to nothing in the schema.",
    "default-misfit": "A default does not match its own schema.",
    "default-not-json": _OF_SCHEMAS["default-not-json"],
    "duplicate-tool": "Two tools of a set have the same name.",
    "example-misfit": "An example does not match its own schema.",
    "fallback": "An annotation has no schema, so a fallback is used.",
    "hidden-parameter": "The profile leaves out a parameter that the docstring describes.",
    "ignored-metadata": "Keywords of JSON Schema in Annotated have no effect.",
    "invalid-header": "A parameter cannot be sent as the HTTP header that it names.",
    "invalid-pattern": "A pattern is not a regular expression.",
    "invalid-schema": _OF_SCHEMAS["invalid-schema"],
    "misspelled-field": "A field differs from one of MCP only in case or underscores.",
    "no-annotation": _OF_SCHEMAS["no-annotation"],
    "no-output-schema": "A tool has no output schema.",
    "no-schema": "A function has no schema at all.",
    "odd-enum": "A list of choices is empty, or repeats a choice.",
    "other-dialect": "A schema is written for another draft of JSON Schema, or for OpenAPI.",
    "python-pattern": "A pattern has syntax that only Python can read.",
    "refused-by-dialect": "The dialect of the profile does not support a part of a schema.",
    "refused-in-strict-mode": "Strict mode refuses something that is otherwise accepted.",
    "refused-name": "Clients reject the name of a parameter.",
    "refused-root": "Clients reject a union at the root of the arguments.",
    "refused-tool-name": "A provider rejects the name of a tool.",
    "repeated-schema": "Types that are written out several times make a tool large.",
    "request-limit": "The tools exceed what a provider allows in one request.",
    "slow-pattern": "A pattern cannot be checked in limited time.",
    "undeclared-property": "A required property is not one of the properties.",
    "undescribed-parameter": "A parameter has no description.",
    "undescribed-tool": "A tool has no description.",
    "unknown-format": _OF_SCHEMAS["unknown-format"],
    "unknown-keyword": "A keyword of a schema looks like a misspelled one of JSON Schema.",
    "unknown-parameter": "The docstring describes a parameter that does not exist.",
    "unreachable-parameter": (
        "No other tool returns a required parameter, and users do not provide it."
    ),
    "unresolved-name": _OF_SCHEMAS["unresolved-name"],
}

CODES: Mapping[str, str] = MappingProxyType({**_OF_SCHEMAS, **_OF_ARGUMENTS, **_OF_FINDINGS})
"""The meaning of each code of an error, a warning, a problem or a finding; it never changes."""

FINDING_CODES = tuple(_OF_FINDINGS)
"""The codes of findings."""

STYLE = {
    *("any-parameter", "default-not-json", "hidden-parameter", "no-annotation"),
    *("no-output-schema", "refused-in-strict-mode", "repeated-schema", "undescribed-parameter"),
    *("undescribed-tool", "unknown-parameter", "unreachable-parameter"),
}
"""The codes of findings with which schemas are right and calls work: they are not ``errors``."""
GROUPS = {"errors": tuple(code for code in FINDING_CODES if code not in STYLE)}
"""Words that select several codes of findings."""

RESULT = "() -> result"
"""Behind the name of a callable, it is the path of what that returns: ``find() -> result``."""

Steps = tuple[str, Any] | None  # the first step of a path, and those after it


class Problem:
    """Something that is wrong, and where.

    Attributes:
        message: What is wrong, and what to do about it.
        code: The kind of mistake: one of ``milo_schema.errors.CODES``.
        expected: What is expected instead, as a noun, such as ``an integer``; empty if no noun
            describes it.
        value: The JSON that is wrong; for a missing property, the object without it.
        keyword: The keyword of JSON Schema that refuses the value, such as ``minimum``; empty if
            none does, as for a value that your own code refuses.
        limit: The value of that keyword, such as ``3``; ``None`` if it is made of schemas.
        annotation: The annotation at the path, if the problem is about one.
        cause: The exception that caused it, if there is one.
        place: The place of the annotation, while a function is read.
        is_strict_only: Whether only strict mode reports it.
        is_enforced: Whether a call checks what the schema cannot express, so that both are right.
        is_error: Whether it is an error in every mode.
        is_left_out: Whether it is about a member without which a union still has a schema.
        has_no_schema: Whether the annotation has no schema, either.
    """

    message: str
    code: str = "other"
    expected: str = ""
    value: Any = None
    keyword: str = ""
    limit: Any = None
    annotation: object = None
    cause: BaseException | None = None
    place: tuple[Any, Any] | None = None
    is_strict_only: bool = False
    is_enforced: bool = False
    is_error: bool = False
    is_left_out: bool = False
    has_no_schema: bool = False

    def __init__(self, message: str, path: str | Steps = None, **facts: Any) -> None:
        self._steps: Steps = ((path, None) if path else None) if isinstance(path, str) else path
        self.message = message
        vars(self).update(facts)

    @property
    def path(self) -> str:
        """Where it is wrong, such as ``.filters[0].x``; empty for the value itself."""
        steps, found = self._steps, []
        while steps:
            step, steps = steps
            found.append(step)
        return "".join(found)

    @property
    def steps(self) -> tuple[str | int, ...]:
        """The path for a program: ``("filters", 0, "x")``; a very long name is shortened."""
        import re

        found = re.findall(_STEP, self.path)
        return tuple(int(at) if at else name or _unquoted(text) for name, at, text in found)

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer (RFC 6901): ``/filters/0/x``."""
        return "".join(f"/{pointer_token(str(each))}" for each in self.steps)

    def under(self, step: str) -> Problem:
        """The same problem with a path that begins one step further out."""
        return self.replace(_steps=(step, self._steps))

    def without_value(self) -> Problem:
        """The same problem without the value that was given, which its message may quote."""
        meaning = CODES.get(self.code, CODES["invalid"])
        message = f"expected {self.expected}" if self.expected else meaning
        return self.replace(message=message, value=None, annotation=None, cause=None)

    def as_dict(self) -> dict[str, Any]:
        """The facts as JSON; ``"expected"``, ``"keyword"`` and ``"limit"`` only if there are."""
        facts = {"path": self.path, "code": self.code, "message": self.message}
        if self.expected:
            facts["expected"] = self.expected
        return {**facts, "keyword": self.keyword, "limit": self.limit} if self.keyword else facts

    def as_details(self) -> dict[str, Any]:
        """The facts without any value that was given, for clients of a tool."""
        facts = {"code": self.code, "pointer": self.pointer}
        more = {"keyword": self.keyword, "expected": self.expected}
        return {**facts, **{name: each for name, each in more.items() if each}}

    def replace(self, **changes: Any) -> Problem:
        """The same problem with other facts."""
        found = object.__new__(Problem)
        found.__dict__ = {**self.__dict__, **changes}
        return found

    def __str__(self) -> str:
        return f"{_without_middle(self.path)}: {self.message}" if self._steps else self.message

    def __repr__(self) -> str:
        return f"<Problem {str(self)!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        facts: Any = {"annotation": _portable(self.annotation), "value": _portable(self.value)}
        facts |= {name: getattr(self, name) for name in ("code", "expected", "keyword", "limit")}
        return partial(Problem, **facts), (self.message, self.path)


_STEP = r"""\.(\w+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]"""
"""A step of a path: a name, an index, or a name in quotes."""


def pointer_token(name: str) -> str:
    """A name as a part of a JSON Pointer (RFC 6901, section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def _unquoted(text: str) -> str:
    """A name that a path has in quotes, with its escapes."""
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _without_middle(path: str) -> str:
    """A path with its first and its last steps; a caller may nest 200 arrays in each other."""
    return path if len(path) <= _LONGEST else f"{path[: _LONGEST // 2]}...{path[-_LONGEST // 2 :]}"


_LONGEST = 160
"""The most characters of a path in a message; ``.path`` has all of them."""


class _FactsError(Exception):
    """A message, a path, and an annotation."""

    def __init__(
        self, message: str, path: str = "", annotation: object = None, *, code: str = "other"
    ) -> None:
        super().__init__(message, path, annotation)
        self.code: str = code
        self.message: str = message
        self.path: str = path
        self.annotation: object = annotation

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def __repr__(self) -> str:
        """The class and the arguments, even if the ``repr()`` of the annotation raises an error."""
        try:
            return super().__repr__()
        except USER_CODE_ERRORS:
            facts = f"{self.message!r}, {self.path!r}, {shown(self.annotation)}"
            return f"{type(self).__name__}({facts})"

    def __reduce__(self) -> tuple[object, ...]:
        annotation = _portable(self.annotation)
        state = {**self.__dict__, "annotation": annotation}  # with the notes that were added
        return type(self), (self.message, self.path, annotation), state


def _portable(annotation: object) -> object:
    """*annotation* if it can be pickled; otherwise (for example, a local class) its text."""
    import pickle

    try:
        pickle.dumps(annotation)
    except Exception:  # pickling runs other people's code
        return shown(annotation)
    return annotation


class SchemaError(_FactsError, TypeError):
    """Raised when an annotation or callable cannot be described by a JSON Schema.

    Attributes:
        code: The kind of mistake: one of ``milo_schema.errors.CODES``.
        message: What is wrong, and what to do about it.
        path: Where it is wrong, such as ``deploy(params).filters[].x``.
        annotation: The annotation at that path.
        location: The file and the first line of the function, such as ``/srv/tools.py:12``, which
            a traceback shows as a note; empty if the function is not in a file.
        problems: All problems of the function or annotation, each with a ``.code``, ``.path``,
            ``.message`` and ``.annotation``; the other attributes are those of the first one.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[complex], strict=True)
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: list[complex][]: no JSON Schema for complex; ...
    """

    location: str = ""
    _problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, problems: Sequence[Problem]) -> SchemaError:
        """The error about several problems: the first one, and how many more there are."""
        first = problems[0]
        error = cls(first.message, first.path, first.annotation, code=first.code)
        error._problems = tuple(problems)
        error.__cause__ = first.cause
        return error

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems."""
        if self._problems:
            return self._problems
        facts: Any = {"code": self.code, "annotation": self.annotation, "cause": self.__cause__}
        return (Problem(self.message, self.path, **facts),)

    def __str__(self) -> str:
        more = len(self.problems) - 1
        note = f" (and {more} more problem{'s' if more > 1 else ''})" if more else ""
        return super().__str__() + note


NOT_PASSED = "unknown property: only your code may set it"
"""The message about an injected field that a caller passes."""


class InjectedFieldError(SchemaError):
    """Raised where a field of a record is ``Injected``; its record leaves it out."""


class SchemaWarning(_FactsError, UserWarning):  # noqa: N818 - not an error
    """A schema describes less than the annotation, or uses a fallback.

    Attributes:
        code: The kind of mistake: one of ``milo_schema.errors.CODES``.
        message: What is wrong, and what to do about it.
        path: Where it is wrong, such as ``deploy(params).filters[].x``.
        annotation: The annotation at that path.

    Example:
        >>> import warnings
        >>> from milo_schema import type_to_schema
        >>> with warnings.catch_warnings(record=True) as warned:
        ...     warnings.simplefilter("always")
        ...     type_to_schema(list[complex])
        {'type': 'array', 'items': {'type': 'string'}}
        >>> warned[0].message.path
        'list[complex][]'
    """


class Report:
    """The context of a transform, and its way to report parts that it does not support.

    Call it with a path in the schema and a message: ``report(".filters[]", "no tuples here")``.

    Attributes:
        func: The function whose schema it is; ``None`` for the schema of an annotation.
        name: The name of the function, or the annotation, as in errors.
        tool: The name that a tool was given; ``None`` if it has the name of its function.
        output: Whether it is an output schema.
        type_name: If the whole schema describes a named type, such as a dataclass, the name that
            the type has in definitions.
        problems: The reported problems, each with its path and its message.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> def commented(schema, report):
        ...     return {**schema, "$comment": f"arguments of {report.name}"}
        >>> def greet(name: str): ...
        >>> mine = profiles.MCP.replace(transforms=[commented])
        >>> function_to_schema(greet, profile=mine)["$comment"]
        'arguments of greet'
    """

    def __init__(
        self,
        *,
        func: Callable[..., Any] | None = None,
        name: str = "",
        tool: str | None = None,
        output: bool = False,
        type_name: str = "",
    ) -> None:
        self.tool: str | None = tool
        self.func: Callable[..., Any] | None = func
        self.name: str = name
        self.output: bool = output
        self.type_name: str = type_name
        self.problems: list[tuple[str, str]] = []

    def __call__(self, path: str, message: str) -> None:
        """Report a part that is not supported: an error in strict mode, otherwise a warning."""
        self.problems.append((path, message))


class ToolError(Exception):
    """Raise it in a tool, or in a class or decoder of its arguments: the model gets its text.

    The result of the call has ``"isError": True`` then, without any option. Text of any other
    exception may contain what a model must not see, so it stays in the program.

    Example:
        >>> from milo_schema import ToolError, tool_schema
        >>> def price(item: str) -> float:
        ...     raise ToolError(f"no item {item!r}; search for one first")
        >>> tool_schema(price).call({"item": "pen"}).text
        "no item 'pen'; search for one first"
    """


Errors = type[BaseException] | tuple[type[BaseException], ...]


def checked_errors(errors: Errors) -> Errors:
    """Refuse what ``except`` cannot catch: Python itself says so only when an error occurs."""
    every: Any = errors if type(errors) is tuple else (errors,)
    for each in every:
        if not issubclass(type(each), type) or not issubclass(each, BaseException):
            must = "errors= must be an exception class or a tuple of them, such as (LookupError,)"
            raise TypeError(f"{must}, not {shown(errors)}")
    return errors


def add_location(problem: SchemaError, source: Source | None) -> None:
    """Note where the function is defined; its message stays as it is.

    A function without a file, such as one in a doctest or in the REPL, has no location.
    """
    if source is not None and not source[0].startswith("<") and not problem.location:
        problem.location = f"{source[0]}:{source[1]}"
        problem.add_note(f"defined at {problem.location}")


def warn(
    message: str,
    path: str,
    annotation: object = None,
    source: Source | None = None,
    *,
    code: str = "other",
) -> None:
    """Warn as ``warnings.warn()`` would at the line of the function.

    Python shows a warning only once for each line, so a warning about one function never hides
    that about another one. If the line of the function is not known, it is the line of the caller
    outside of this library.
    """
    import warnings

    file, line, names = source or _asking()
    registry = names.setdefault("__warningregistry__", {})
    module = names.get("__name__", "<string>")
    warning = SchemaWarning(message, path, annotation, code=code)
    warnings.warn_explicit(warning, SchemaWarning, file, line, module, registry)


def _asking() -> Source:
    """The line outside of this library that called it."""
    package = __name__.partition(".")[0]
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno or 1, frame.f_globals
