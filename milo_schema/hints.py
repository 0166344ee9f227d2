"""Annotations evaluated, on every Python: the only file that knows versions.

Strategy: nothing is evaluated before it is needed. A string, or a ``ForwardRef``, stays what it
is until the walk meets it; then it is evaluated in its own *scope*, so that one name that cannot
be resolved costs its own place only. Objects are recognised by identity and by exact type, never
by the attributes they claim to have: a mock has them all.
"""

from __future__ import annotations

import builtins
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ForwardRef, TypeGuard

MISSING: Any = type("MISSING", (), {"__repr__": lambda _: "MISSING"})()
"""No annotation, no default."""

PY314 = sys.version_info >= (3, 14)


RAISED = (Exception, SystemExit)
"""What the code of others may end in when we run it; an interrupt is not of its making."""


NOTHING: Mapping[Any, Any] = types.MappingProxyType({})
"""A mapping for all that share it."""

FUNCTION = types.FunctionType

SELF = "Self"
"""The class that stands for ``Self`` (PEP 673) among what type parameters stand for."""


class UnresolvedError(Exception):
    """An annotation string that cannot be evaluated; the message says why."""


# -- objects that may not be there -------------------------------------------------------------


def loaded(dotted: str) -> Any:
    """What ``module.name`` stands for, if that module is loaded; ``None`` otherwise.

    Whoever hands in an object of a module has loaded the module, so nothing is ever imported.
    """
    module, _, name = dotted.rpartition(".")
    found = sys.modules.get(module)
    return None if found is None else getattr(found, name, None)


# What a class is, whatever its metaclass says of it: the data descriptors of ``type`` itself.

mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
"""The method resolution order of a class."""

body: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__
"""What stands in the body of a class."""

class_name: Callable[[type], str] = type.__dict__["__name__"].__get__
"""What it is called."""

qualified_name: Callable[[type], str] = type.__dict__["__qualname__"].__get__
"""What it is called, with the classes and functions that it stands in."""


def static(cls: type, name: str, default: Any = None) -> Any:
    """A class attribute as it stands in some class body: no descriptor, no ``__getattr__``."""
    for base in mro(cls):
        if name in (names := body(base)):
            return names[name]
    return default


def own(cls: type, name: str, default: Any = None) -> Any:
    """A class attribute that the class itself defines."""
    return body(cls).get(name, default)


def is_any(tp: object, options: Iterable[object]) -> bool:
    """Whether *tp* is one of the *options*: itself, for ``==`` may be anybody's code."""
    for each in options:  # noqa: SIM110 - any() would make a generator, at twice the time
        if tp is each:
            return True
    return False


def inherits(cls: type, base: Any) -> bool:
    """Whether a class is *base*, or derived from it, whatever its metaclass says."""
    return is_any(base, mro(cls))


def attributes(obj: Any) -> Mapping[str, Any]:
    """The attributes of an object, as they are."""
    try:
        found: Mapping[str, Any] = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return {}
    return found


def is_class(tp: object) -> TypeGuard[type]:
    """Whether *tp* is a class; ``list[int]``, and a mock that poses as one, are not."""
    return issubclass(type(tp), type)


def bare_name(tp: Any) -> str:
    """What a class or special form is called in its module; nothing else has such a name."""
    if is_class(tp):
        return class_name(tp)
    if type(tp).__module__ in ("typing", "typing_extensions"):
        return str(getattr(tp, "_name", ""))
    return ""


# -- what is said ---------------------------------------------------------------------------


def told(problem: BaseException, show: Callable[[object], str] = repr, most: int = 200) -> str:
    """What an exception says of itself, on one line; it is somebody's, and may raise in turn."""
    try:
        text = " ".join(show(problem).split())
    except RAISED:
        text = f"<{class_name(type(problem))} object>"
    return shorten(text, most)


def local_name(qualname: str) -> str:
    """A qualified name as it is in its scope: ``Inner.run`` of ``make.<locals>.Inner.run``."""
    return qualname.rpartition("<locals>.")[2]


def shorten(text: str, most: int = 80) -> str:
    """*text*, or its beginning if it is longer."""
    return text if len(text) <= most else text[: most - 3] + "..."


# -- scopes ------------------------------------------------------------------------------------


class Scope:
    """Where the names in annotation strings are looked up, and what type parameters stand for.

    Names are those that *owner* (a function, class or alias) or a running *frame* sees, under the
    *extra* ones that a caller hands in. What nobody else knows may be in *fallback*.
    """

    __slots__ = ("_locals", "bindings", "extra", "fallback", "frame", "globals", "owner")

    def __init__(  # noqa: PLR0913, PLR0917 - named, but where Python would take twice the time
        self,
        owner: Any = None,
        bindings: Mapping[Any, Any] = NOTHING,
        extra: Mapping[str, Any] | None = None,
        fallback: Mapping[str, Any] | None = None,
        module: str | None = None,
        frame: types.FrameType | None = None,
    ) -> None:
        self.owner: Any = owner
        self.bindings: Mapping[Any, Any] = bindings
        self.extra: Mapping[str, Any] | None = extra
        self.fallback: Mapping[str, Any] = extra or fallback or NOTHING
        self.frame: types.FrameType | None = frame
        self.globals: dict[str, Any] = (
            owner.__globals__ if type(owner) is FUNCTION else _globals_of(frame, owner, module)
        )
        self._locals: dict[str, Any] | None = None

    def locals(self) -> dict[str, Any]:
        """Names nearer than the module's: the caller's, the closure's, the class body's."""
        if self._locals is None:
            names = self.frame.f_locals if self.frame else _local_names(self.owner, self.globals)
            self._locals = {**names, **(self.extra or {})}
        return self._locals


class Name:
    """A named type that is no Python object: an annotation in quotes, a foreign definition.

    Two of them are one type if label and origin are the same.
    """

    __slots__ = ("label", "origin")

    def __init__(self, label: str, origin: Any) -> None:
        self.label: str = label
        self.origin: Any = origin


def _globals_of(frame: types.FrameType | None, owner: Any, module: str | None) -> dict[str, Any]:
    """The globals of a frame, a module or a class; a function has its own."""
    if frame is not None:
        return frame.f_globals
    name: Any = module
    if module is None and is_class(owner):
        name = static(owner, "__module__")
    return getattr(sys.modules.get(name), "__dict__", {}) if type(name) is str else {}


def _local_names(owner: Any, module: dict[str, Any]) -> dict[str, Any]:
    """The names that *owner* (a function, class or alias) sees beside those of its module."""
    names = _enclosing_names(owner, module)
    if type(owner) is types.FunctionType:
        names.update(_class_body(enclosing_class(owner), module))
        names.update(_closure(owner))
    elif is_class(owner):
        names.update(_class_body(owner, module))
    parameters = getattr(owner, "__type_params__", ())  # PEP 695
    return names | {parameter.__name__: parameter for parameter in parameters}


def _enclosing_names(owner: Any, module: dict[str, Any]) -> dict[str, Any]:
    """The locals of the functions around *owner* that are running now.

    A class or function made inside a function may name its neighbours in strings. Python keeps
    no link to them; but while the enclosing function runs, it is on the stack.
    """
    names: dict[str, Any] = {}
    qualname = getattr(owner, "__qualname__", "")
    if "<locals>" not in qualname:
        return names
    frame: types.FrameType | None = sys._getframe(1)
    while frame:
        enclosing = f"{frame.f_code.co_qualname}.<locals>."
        if frame.f_globals is module and qualname.startswith(enclosing):
            names = {**frame.f_locals, **names}  # the innermost comes first, and wins
        frame = frame.f_back
    return names


def _closure(func: types.FunctionType) -> dict[str, Any]:
    names = {}
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return names


def _class_body(cls: type | None, module: dict[str, Any]) -> dict[str, Any]:
    """The names of a class body that annotations in it mean.

    A method called ``list``, or the default in ``date: "date" = None``, does not hide the type of
    that name, as ``typing.get_type_hints()`` has it too.
    """
    if cls is None:
        return {}
    fields = own_annotations(cls)
    names = {parameter.__name__: parameter for parameter in own(cls, "__type_params__", ())}
    for name, value in body(cls).items():
        is_known = name in module or name in builtins.__dict__
        if not is_known or (name not in fields and _may_be_type(value)):
            names[name] = value
    return names


def _may_be_type(value: Any) -> bool:
    if is_class(value) or issubclass(type(value), (types.GenericAlias, types.UnionType)):
        return True
    return type(value).__module__ in ("typing", "typing_extensions")


def enclosing_class(func: types.FunctionType) -> type | None:
    """The class in whose body a function was written, found by its qualified name."""
    outer, _, dotted = func.__qualname__.rpartition("<locals>.")
    if "." not in dotted:
        return None
    *classes, _ = dotted.split(".")
    names = _enclosing_names(func, func.__globals__) if outer else func.__globals__
    found = names.get(classes[0])
    for name in classes[1:]:
        found = own(found, name) if is_class(found) else None
    return found if is_class(found) and _has_method(found, func) else None


def _has_method(cls: type, func: types.FunctionType) -> bool:
    """Whether a class body really has that function: another class may have the same name."""
    return any(_wraps(value, func) for value in body(cls).values())


MAX_WRAPPERS = 100
"""How many wrappers may be around a function; one that wraps itself has more."""


def _wraps(value: Any, func: types.FunctionType) -> bool:
    for _ in range(MAX_WRAPPERS):
        if value is func or value is None:
            break
        is_descriptor = is_any(type(value), (staticmethod, classmethod))
        value = value.__func__ if is_descriptor else attributes(value).get("__wrapped__")
    return value is func


# -- evaluation --------------------------------------------------------------------------------


def is_reference(tp: object) -> bool:
    """Whether *tp* is an annotation in quotes, as a string or as a ``ForwardRef``."""
    kind = type(tp)
    return kind is str or (kind.__name__ == "ForwardRef" and is_any(kind, _forward_refs()))


def _forward_refs() -> tuple[Any, ...]:
    """``ForwardRef``, without asking ``typing``: from 3.14 on, it would import annotationlib."""
    names = getattr(sys.modules.get("typing"), "__dict__", {})
    return names.get("ForwardRef"), loaded("annotationlib.ForwardRef")


def evaluate(annotation: str | ForwardRef, scope: Scope) -> Any:
    """What an annotation string or forward reference stands for.

    Raises:
        UnresolvedError: It cannot be evaluated. Whatever its code raised is the cause.
    """
    try:
        if type(annotation) is str:
            return _evaluate_text(annotation, scope)
        return _evaluate_reference(annotation, scope)
    except UnresolvedError:
        raise
    except RAISED as problem:  # the string is somebody's code
        text = text_of(annotation)
        raise UnresolvedError(_why(text, problem, scope)) from problem


def text_of(annotation: str | ForwardRef) -> str:
    """The annotation as it is written."""
    try:
        text: str = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    except ValueError:  # on 3.14, it is written anew, and not with an int of thousands of digits
        return f"<{class_name(type(annotation))} object>"
    return str.__str__(text)  # a subclass of str is somebody's code


def _evaluate_text(text: str, scope: Scope) -> Any:
    if text.isidentifier():  # ten times as fast as to evaluate it, and most annotations are one
        for names in (scope.locals(), scope.globals, builtins.__dict__, scope.fallback):
            if text in names and type(found := names[text]) is not _LAZY:
                return found
    source = text.strip()
    if source.startswith("*"):  # *args: *Ts, PEP 646
        source = f"({source},)[0]"
    code = compile(source, "<annotation>", "eval")
    return _with_fallback(lambda names: eval(code, scope.globals, names), scope)  # noqa: S307


_LAZY = getattr(types, "LazyImportType", None)
"""The class of what ``lazy import`` has not imported yet (PEP 810): Python does as it evaluates."""


def _with_fallback(evaluated: Callable[[dict[str, Any]], Any], scope: Scope) -> Any:
    """Evaluate with the names of the scope, and with those of its fallback that are missing."""
    names = scope.locals()
    while True:
        try:
            return evaluated(names)
        except NameError as problem:
            name, known = _missing_name(problem), scope.fallback
            if name == "typing" and name not in known:  # dataclasses.make_dataclass() writes
                import typing  # "typing.Any" into modules that lack the name

                known = {name: typing}
            if name in names or name not in known:
                raise
            names = {**names, name: known[name]}


def _evaluate_reference(reference: Any, scope: Scope) -> Any:
    """A ``ForwardRef``; from 3.14 on (PEP 749) it may know its own globals, cells and owner."""
    if PY314 and (reference.__globals__ or reference.__owner__ or reference.__cell__):
        evaluated = lambda names: reference.evaluate(locals=names)  # noqa: E731  # pragma: no cover - 3.14
        return _with_fallback(evaluated, scope)  # pragma: no cover - 3.14
    module = reference.__forward_module__
    if module is not None:
        name = module if isinstance(module, str) else module.__name__
        scope = Scope(scope.owner, module=name, extra=scope.extra, fallback=scope.fallback)
    return _evaluate_text(text_of(reference), scope)


def _why(text: str, problem: BaseException, scope: Scope) -> str:
    shown = shorten(repr(text))
    if missing := _missing_name(problem):
        module, name = scope.globals.get("__name__", "its module"), shorten(repr(missing))
        return (
            f"cannot evaluate {shown}: no {name} in {module}; "
            f"import it there at run time, or pass localns={{{name}: ...}}"
        )
    return f"cannot evaluate {shown}: {said(problem)}"


def _missing_name(problem: BaseException) -> str:
    """The name that a ``NameError`` says is not there, if it says so in plain text."""
    name = vars(NameError)["name"].__get__(problem) if isinstance(problem, NameError) else None
    return name if type(name) is str else ""


def said(problem: BaseException) -> str:
    """What an exception is and says, in a few words."""
    text = told(problem, str, 80)
    return f"{class_name(type(problem))}: {text}" if text else class_name(type(problem))


# -- annotations of a function or class --------------------------------------------------------


MAX_QUOTES = 12
"""How many strings may stand for one another; what stands for itself has more: ``A = "A"``."""


def resolve(annotation: Any, scope: Scope) -> Any:
    """*annotation*, evaluated if it is a string; the error itself if that cannot be done."""
    value = annotation
    try:
        for _ in range(MAX_QUOTES):
            if not is_reference(value):
                return value
            value = evaluate(value, scope)
    except UnresolvedError as problem:
        return problem
    shown = shorten(repr(text_of(annotation)))
    return UnresolvedError(f"cannot evaluate {shown}: it stands for one string after another")


def own_annotations(obj: Any) -> dict[str, Any]:
    """The annotations that a function or class itself has, unevaluated where they are strings.

    Raises:
        UnresolvedError: They are no dictionary, or computing them raised.
    """
    try:  # from 3.14 on (PEP 649) this runs their code
        found = _class_annotations(obj) if is_class(obj) else obj.__annotations__
    except RAISED as problem:
        found = _deferred_annotations(obj, problem)
    if not isinstance(found, dict):
        whose = f"{_owner_name(obj)}.__annotations__"
        raise UnresolvedError(f"{whose} is no dict but {class_name(type(found))}")
    return found


def _class_annotations(cls: type) -> Any:
    if not PY314:  # pragma: no cover - up to 3.13
        return own(cls, "__annotations__", {})
    if not cls.__flags__ & _HEAP_TYPE:  # pragma: no cover - 3.14
        return {}  # dict, tuple: written in C, and without the attribute
    # inspect.get_annotations() would ask the metaclass.
    return type.__dict__["__annotations__"].__get__(cls)  # noqa: RUF063  # pragma: no cover - 3.14


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def _deferred_annotations(obj: Any, problem: BaseException) -> Any:
    """One name that is missing makes ``__annotations__`` raise; here it costs its own place."""
    from annotationlib import Format, get_annotations  # pragma: no cover - 3.14

    for form in (Format.FORWARDREF, Format.STRING):  # pragma: no cover - 3.14
        try:
            return get_annotations(obj, format=form)
        except RAISED:
            continue
    raise UnresolvedError(_reading(obj, problem)) from problem


def _reading(obj: Any, problem: BaseException) -> str:
    return f"reading {_owner_name(obj)}.__annotations__ raised {told(problem)}"


def _owner_name(obj: Any) -> str:
    if is_class(obj):
        return shorten(local_name(qualified_name(obj)))
    return shorten(str(getattr(obj, "__name__", class_name(type(obj)))))
