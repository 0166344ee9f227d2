"""The error and the warning of this library, which have the same attributes.

The attributes are the arguments; the message is made of them when it is read. So both can be
pickled, and a caller can read the path or the reason without parsing a message.
"""

from __future__ import annotations

import sys

from milo_schema.annotations import Any, Callable
from milo_schema.annotations.classes import USER_CODE_ERRORS, UnresolvedError, closest, nearest

__all__ = ["SchemaError", "SchemaWarning", "closest", "nearest", "shown", "warn"]

Source = tuple[str, int, dict[str, Any]]  # the file, the line, the names of the module


CODES = {
    "contradiction": "No value can satisfy the bounds, or a default or an example does not fit.",
    "default-not-json": "A default is not JSON.",
    "invalid-schema": "A schema that you wrote is not valid JSON Schema.",
    "limit": "A schema is larger or deeper than the profile allows.",
    "no-decoder": "No decoder can make a value of the type from JSON.",
    "other": "Any other mistake; the reason explains it.",
    "refused-by-transform": "A transform, such as a dialect, does not support part of a schema.",
    "unexpected-value": "A result does not match the return annotation.",
    "unfit-marker": "A marker does not apply to the annotated type, or has an invalid value.",
    "unknown-format": "Neither JSON Schema nor OpenAPI defines the format.",
    "unresolved-name": "A string annotation uses an undefined name.",
    "unsupported-type": "An annotation has no schema.",
    "user-code": "A function, a class or another object of yours raised an exception.",
}
"""The meaning of each code of an error or a warning; a code never changes its meaning."""


class _FactsError(Exception):
    """A reason, a path, and an annotation."""

    def __init__(
        self, reason: str, path: str = "", annotation: object = None, *, code: str = "other"
    ) -> None:
        super().__init__(reason, path, annotation)
        self.code: str = code
        self.reason: str = reason
        self.path: str = path
        self.annotation: object = annotation

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason

    def __repr__(self) -> str:
        """The class and the arguments, even if the ``repr()`` of the annotation raises an error."""
        try:
            return super().__repr__()
        except USER_CODE_ERRORS:
            facts = f"{self.reason!r}, {self.path!r}, {shown(self.annotation)}"
            return f"{type(self).__name__}({facts})"

    def __reduce__(self) -> tuple[object, ...]:
        annotation = _portable(self.annotation)
        state = {**self.__dict__, "annotation": annotation}  # with the notes that were added
        return type(self), (self.reason, self.path, annotation), state


def _portable(annotation: object) -> object:
    """*annotation* if it can be pickled; otherwise (for example, a local class) its text."""
    import pickle

    try:
        pickle.dumps(annotation)
    except Exception:  # noqa: BLE001 - pickling runs other people's code
        return shown(annotation)
    return annotation


def shown(annotation: object) -> str:
    """The text of an annotation, or any other object, as a person would write it."""
    from milo_schema.annotations.display import display

    return display(annotation)


class SchemaError(_FactsError, TypeError):
    """Raised when an annotation or callable cannot be described by a JSON Schema.

    Attributes:
        code: The kind of mistake: one of ``milo_schema.errors.CODES``.
        reason: What is wrong, and what to do about it.
        path: Where it is wrong, such as ``deploy(params).filters[].x``.
        annotation: The annotation at that path.
        location: The file and the first line of the function, such as ``/srv/tools.py:12``, which
            a traceback shows as a note; empty if the function is not in a file.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[complex], strict=True)
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: list[complex][]: no JSON Schema for complex; ...
    """

    location: str = ""


NOT_PASSED = "unknown property: only your code may set it"
"""The message about an injected field that a caller passes."""


class InjectedFieldError(SchemaError):
    """Raised where a field of a record is ``Injected``; its record leaves it out."""


class SchemaWarning(_FactsError, UserWarning):  # noqa: N818 - not an error
    """A schema describes less than the annotation, or uses a fallback.

    Attributes:
        code: The kind of mistake: one of ``milo_schema.errors.CODES``.
        reason: What is wrong, and what to do about it.
        path: Where it is wrong, such as ``deploy(params).filters[].x``.
        annotation: The annotation at that path.

    Example:
        >>> import warnings
        >>> from milo_schema import type_to_schema
        >>> with warnings.catch_warnings(record=True) as told:
        ...     warnings.simplefilter("always")
        ...     type_to_schema(list[complex])
        {'type': 'array', 'items': {'type': 'string'}}
        >>> told[0].message.path
        'list[complex][]'
    """


class Report:
    """The context of a transform, and its way to report parts that it does not support.

    Call it with a path in the schema and a reason: ``report(".filters[]", "no tuples here")``.

    Attributes:
        func: The function whose schema it is; ``None`` for the schema of an annotation.
        name: The name of the function, or the annotation, as in errors.
        output: Whether it is an output schema.
        type_name: If the whole schema describes a named type, such as a dataclass, the name that
            the type has in definitions.
        problems: The reported problems, each with its path and its reason.

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
        output: bool = False,
        type_name: str = "",
    ) -> None:
        self.func: Callable[..., Any] | None = func
        self.name: str = name
        self.output: bool = output
        self.type_name: str = type_name
        self.problems: list[tuple[str, str]] = []

    def __call__(self, path: str, reason: str) -> None:
        """Report a part that is not supported: an error in strict mode, otherwise a warning."""
        self.problems.append((path, reason))


def code_of(cause: BaseException | None) -> str:
    """The code of an error about an annotation without a schema, given its cause."""
    return "unresolved-name" if type(cause) is UnresolvedError else "unsupported-type"


def add_location(problem: SchemaError, source: Source | None) -> None:
    """Note where the function is defined; its message stays as it is.

    A function without a file, such as one in a doctest or in the REPL, has no location.
    """
    if source is not None and not source[0].startswith("<") and not problem.location:
        problem.location = f"{source[0]}:{source[1]}"
        problem.add_note(f"defined at {problem.location}")


def warn(
    reason: str,
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
    warning = SchemaWarning(reason, path, annotation, code=code)
    warnings.warn_explicit(warning, SchemaWarning, file, line, module, registry)


def _asking() -> Source:
    """The line outside of this library that called it."""
    package = __name__.partition(".")[0]
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno or 1, frame.f_globals
