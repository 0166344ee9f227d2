"""Evaluate annotation strings and forward references in the scope where they were written.

Nothing is evaluated before it is needed. A string, or a ``ForwardRef``, stays as it is until the
walk reaches it. Then it is evaluated in its own *scope*, so a name that cannot be resolved affects
only the part of the annotation that uses it.
"""

from __future__ import annotations

import builtins
import sys

from milo_schema.annotations import (
    Any,
    ForwardRef,
    FrameType,
    FunctionType,
    LazyImportType,
    Mapping,
)
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    PY314,
    USER_CODE_ERRORS,
    NamesByModule,
    Unresolved,
    UnresolvedError,
    body,
    class_name,
    inherits,
    is_any,
    is_class,
    loaded,
    loaded_when_used,
    own,
    shorten,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import namespaces, strings
    from milo_schema.annotations.namespaces import Namespace
else:  # a string that is a name of the module needs no more than this file
    namespaces = loaded_when_used("annotations.namespaces")
    strings = loaded_when_used("annotations.strings")
    Namespace = Any

FUNCTION = FunctionType

SELF = "Self"
"""The key, in the bindings of a scope, of the class that ``Self`` (PEP 673) refers to."""


# -- scopes ------------------------------------------------------------------------------------


class Scope:
    """Where the names in annotation strings are looked up, and what type parameters are bound to.

    Names are looked up in *extra* first, which a caller passes; then where *owner* (a function,
    class or alias) or a running *frame* sees them; and in *fallback* if all of these lack them.
    """

    __slots__ = (
        "_globals",
        "_locals",
        "_names",
        "bindings",
        "extra",
        "fallback",
        "frame",
        "module",
        "owner",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - named, but where Python would take twice the time
        self,
        owner: Any = None,
        bindings: Mapping[Any, Any] = NOTHING,
        extra: Mapping[str, Any] | None = None,
        fallback: Mapping[str, Any] | None = None,
        module: str | None = None,
        frame: FrameType | None = None,
    ) -> None:
        if extra is not None:
            if inherits(type(extra), NamesByModule):
                names: Any = extra
                extra, fallback = names.names, names
            elif fallback is None:
                fallback = extra
        self.owner: Any = owner
        self.bindings: Mapping[Any, Any] = bindings
        self.extra: Mapping[str, Any] | None = extra
        self.fallback: Mapping[str, Any] = NOTHING if fallback is None else fallback
        self.module: str | None = module
        self.frame: FrameType | None = frame
        self._globals: dict[str, Any] | None = None
        self._names: tuple[Namespace, ...] = ()

    @property
    def globals(self) -> dict[str, Any]:
        """The names of the module."""
        if self._globals is None:
            self._globals = _globals_of(self.frame, self.owner, self.module)
        return self._globals

    @property
    def names(self) -> tuple[Namespace, ...]:
        """Where names are looked up, nearest first; all but the last three are local."""
        if not self._names:
            module, frame = self.globals, self.frame
            last: Any = self.fallback
            nearer = self._nearer_names() if frame is None else [frame.f_locals]
            first = [{**self.extra}] if self.extra else []
            if last is not NOTHING and inherits(type(last), NamesByModule):
                last = last.of(module)
            self._names = (*first, *nearer, module, builtins.__dict__, last)
        return self._names

    def _nearer_names(self) -> list[Namespace]:
        """The names that the owner sees before those of its module, nearest first."""
        owner = self.owner
        # Most functions see none, and ``namespaces`` is not loaded for them.
        is_global = type(owner) is FUNCTION and "." not in owner.__qualname__
        if is_global and not (owner.__closure__ or getattr(owner, "__type_params__", ())):
            return []
        return namespaces.nearer_names(owner, self.globals)

    def find(self, name: str) -> Any:
        """Look a name up; ``MISSING`` if it is unknown, or a lazy import that has not happened."""
        for names in self._names or self.names:
            if name in names:
                found = names[name]
                kind = type(found)
                return MISSING if kind is LazyImportType or kind is Unresolved else found
        return MISSING

    @property
    def source(self) -> tuple[str, int, dict[str, Any]] | None:
        """Where a callable is defined: the file, the first line, and the names of its module.

        For a constructor that is inherited or made by a decorator, it is where the class is.
        """
        code, cls = getattr(self.owner, "__code__", None), self.bindings.get(SELF)
        cls = getattr(cls, "__origin__", cls)  # of Repo[int]
        if is_class(cls):
            module = sys.modules.get(cls.__module__)
            file = getattr(module, "__file__", None)
            if code is None or code.co_filename != file:
                line = own(cls, "__firstlineno__")  # from 3.13 on
                return (file, line, vars(module)) if file and line else None
        return None if code is None else (code.co_filename, code.co_firstlineno, self.globals)


def is_unresolved(metadata: object) -> bool:
    """Whether a piece of metadata could not be evaluated when it was read."""
    kind = type(metadata)
    return kind is Unresolved or (kind is not str and is_reference(metadata))


def _globals_of(frame: FrameType | None, owner: Any, module: str | None) -> dict[str, Any]:
    """The globals of a function, a frame, a module or a class."""
    if module is None and type(owner) is FUNCTION:
        found: dict[str, Any] = owner.__globals__
        return found
    if frame is not None:
        return frame.f_globals
    name: Any = module
    if module is None and issubclass(type(owner), type):
        name = body(owner).get("__module__")
    return getattr(sys.modules.get(name), "__dict__", {}) if type(name) is str else {}


# -- evaluation --------------------------------------------------------------------------------


def is_reference(tp: object) -> bool:
    """Whether *tp* is an annotation in quotes: a string or a ``ForwardRef``."""
    kind = type(tp)
    return kind is str or (kind.__name__ == "ForwardRef" and is_any(kind, _forward_refs()))


def _forward_refs() -> tuple[Any, ...]:
    """``ForwardRef``, if it is loaded; ``typing`` would import annotationlib from 3.14 on."""
    names = getattr(sys.modules.get("typing"), "__dict__", {})
    return names.get("ForwardRef"), loaded("annotationlib.ForwardRef")


def evaluate(annotation: str | ForwardRef, scope: Scope) -> Any:
    """The value of an annotation string or forward reference.

    Raises:
        UnresolvedError: It cannot be evaluated. The cause is the exception that it raised.
    """
    try:
        if type(annotation) is str:
            return _evaluate_text(annotation, scope)
        return _evaluate_reference(annotation, scope)
    except UnresolvedError:
        raise
    except USER_CODE_ERRORS as problem:  # the string is user code
        text = text_of(annotation)
        raise UnresolvedError(_why(text, problem, scope)) from problem


def text_of(annotation: str | ForwardRef) -> str:
    """The annotation as it is written."""
    try:
        text: str = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    except ValueError:  # on 3.14, it is unparsed, which fails for an int of thousands of digits
        return f"<{class_name(type(annotation))} object>"
    return str.__str__(text)  # the methods of a subclass of str are user code


def _evaluate_text(text: str, scope: Scope) -> Any:
    found = scope.find(text) if text.isidentifier() else MISSING
    if found is not MISSING:  # as in most annotations
        return found
    return strings.value_of(text, scope)


def evaluate_late(obj: Any, name: str, scope: Scope, problem: UnresolvedError) -> Any:
    """An attribute that Python evaluates lazily (PEP 695), when a name in it is missing."""
    return strings.late_value(obj, name, scope, problem)


def _evaluate_reference(reference: Any, scope: Scope) -> Any:
    """A ``ForwardRef``; from 3.14 on (PEP 749) it may know its own globals, cells and owner."""
    if PY314 and (reference.__globals__ or reference.__owner__ or reference.__cell__):
        evaluated = lambda names: reference.evaluate(locals=names.to_dict())  # noqa: E731  # pragma: no cover - 3.14
        text = text_of(reference)  # pragma: no cover - 3.14
        return strings.as_far_as_possible(evaluated, scope, text)  # pragma: no cover - 3.14
    module = reference.__forward_module__
    if module is not None:
        name = module if isinstance(module, str) else module.__name__
        if scope.frame or scope.globals is not _globals_of(None, scope.owner, name):
            scope = Scope(scope.owner, module=name, extra=scope.extra, fallback=scope.fallback)
    return _evaluate_text(text_of(reference), scope)


def _why(text: str, problem: BaseException, scope: Scope) -> str:
    return str(strings.why_not(text, problem, scope.globals))


MAX_QUOTES = 12
"""The most strings that evaluate to strings; ``A = "A"``, which evaluates to itself, has more."""


def evaluated(annotation: Any, scope: Scope) -> Any:
    """*annotation*, evaluated if it is a string; an ``Unresolved`` if it cannot be evaluated."""
    value = annotation
    try:
        for _ in range(MAX_QUOTES):
            kind = type(value)
            if kind is type or not (kind is str or is_reference(value)):
                return value
            value = evaluate(value, scope)
    except UnresolvedError as problem:
        return Unresolved(text_of(annotation), str(problem), problem.__cause__)
    text = text_of(annotation)
    why = f"cannot evaluate {shorten(repr(text))}: it evaluates only to other strings"
    return Unresolved(text, why)
