"""Evaluate annotation strings and forward references in the scope where they were written.

Nothing is evaluated before it is needed. A string, or a ``ForwardRef``, stays as it is until the
walk reaches it. Then Python evaluates it in its own *scope*, so a name that cannot be resolved
affects only the part of the annotation that uses it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ForwardRef

from milo_schema.annotations.classes import (
    MISSING,
    PY314,
    USER_CODE_ERRORS,
    NamesByModule,
    Unresolved,
    UnresolvedError,
    class_name,
    describe_error,
    inherits,
    is_class,
    missing_name,
    shorten,
)
from milo_schema.annotations.scopes import Scope

# -- placeholders ---------------------------------------------------------------------------------
#
# Placeholders for names that are missing at run time, and the reasons why they are.
#
# Most of these names are imported under ``if TYPE_CHECKING:``. The fallback of the scope may have
# the name, and a well-known name of the standard library is looked up there. Any other becomes an
# ``Unresolved`` inside the annotation, so the rest of the annotation is kept.


def placeholder_for(name: str, text: str, scope: Scope, cause: BaseException) -> Any:
    """The placeholder for a missing *name* in the annotation *text*."""
    fallback: Any = scope.names[-1]
    found = fallback.get(name, MISSING)
    if found is not MISSING and type(found) is not Unresolved:  # the fallback can import it
        return found
    standard = _of_standard_library(name, text)
    if standard is not None:
        return standard
    if found is not MISSING:
        return found
    note = fallback.note if inherits(type(fallback), NamesByModule) else ""
    # typing caches the placeholder, so it must not hold a traceback and all that is in its frames.
    cause = cause.with_traceback(None)
    return Unresolved(name, why_missing(name, name, scope.globals) + note, cause)


def _of_standard_library(name: str, text: str) -> Any:
    """The meaning of a well-known name; ``None`` for any other."""
    if f"{name}." in text:
        return __import__(MODULES[name]) if name in MODULES else None
    if name in STANDARD:
        return getattr(__import__(STANDARD[name], fromlist=[name]), name, None)
    return None


def guarded_names(names: Iterable[str], scope: Scope) -> dict[str, Any]:
    """Placeholders for names that have a value with which Python cannot evaluate an annotation.

    A module becomes a ``GuardedModule``, and a string becomes a forward reference, which can be a
    member of a union: ``Json = "dict[str, Json] | str"`` in ``Json | None``.
    """
    fallback: Any = scope.names[-1]
    found: dict[str, Any] = {}
    for name in names:
        value = fallback[name] if name in fallback else scope.find(name)
        if type(value) is types.ModuleType:
            found[name] = GuardedModule(name, value)
        elif type(value) is str:
            found[name] = ForwardRef(value)
    return found


class GuardedModule:
    """A module in an annotation, with an ``Unresolved`` for each attribute that it lacks."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str, module: types.ModuleType) -> None:
        self._name = name
        self._module = module

    def __getattr__(self, name: str) -> Any:
        text = f"{self._name}.{name}"
        try:
            found = getattr(self._module, name)
        except AttributeError as problem:
            why = f"cannot evaluate {shorten(repr(text))}: {describe_error(problem)}"
            return Unresolved(text, why, problem.with_traceback(None))
        return GuardedModule(text, found) if type(found) is types.ModuleType else found


# -- reasons -----------------------------------------------------------------------------------


def why_not(text: str, problem: BaseException, names: Mapping[str, Any]) -> str:
    """The reason why the annotation *text* cannot be evaluated."""
    if missing := missing_name(problem):
        return why_missing(text, missing, names)
    if isinstance(problem, SyntaxError):  # whose place is the text, not a file
        problem = SyntaxError(problem.msg)
    reason = f"cannot evaluate {shorten(repr(text))}: {describe_error(problem)}"
    if not isinstance(problem, TypeError):
        return reason
    words = "".join(char if char.isidentifier() else " " for char in text).split()
    if meant := [_FUNCTIONS[word] for word in words if word in _FUNCTIONS]:
        return f"{reason}; did you mean {meant[0]}?"
    is_quoted = " for |: " in reason and "'str'" in reason
    return f"{reason}; write quotes around the whole union, or none at all" if is_quoted else reason


_FUNCTIONS = {"any": "typing.Any", "callable": "collections.abc.Callable"}
"""Functions that are sometimes written where a type is meant: ``any | None``."""


def why_missing(text: str, missing: str, names: Mapping[str, Any]) -> str:
    """The reason why the annotation *text* cannot be evaluated, when a name is missing."""
    module, name = names.get("__name__", "its module"), shorten(repr(missing))
    reason = f"no {name} in {module}"
    if text != missing:
        reason = f"cannot evaluate {shorten(repr(text))}: {reason}"
    if meant := _meant(missing, names):
        return f"{reason}; did you mean {meant}?"
    return f"{reason}; import it there at run time, or pass localns="


def _meant(missing: str, names: Mapping[str, Any]) -> str:
    """The type that a misspelled name, or the name of a JSON type, means; empty if unknown."""
    if missing in _OF_JSON:
        return _OF_JSON[missing]
    classes = [name for name, value in [*names.items()] if is_class(value) and type(name) is str]
    return next((each for each in (*_COMMON, *classes) if _is_slip(missing, each)), "")


def _is_slip(written: str, meant: str) -> bool:
    """Whether two names differ by one typo: a letter added, dropped, replaced or swapped."""
    if abs(len(written) - len(meant)) > 1 or min(len(written), len(meant)) < _SHORTEST:
        return False
    pairs = zip(written, meant, strict=False)
    at = next((i for i, (one, other) in enumerate(pairs) if one != other), len(meant))
    left, right = written[at:], meant[at:]
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return left[1:] == right or left == right[1:] or left[1:] == right[1:] or swapped


_SHORTEST = 3
_OF_JSON = {"array": "list", "boolean": "bool", "integer": "int", "string": "str"}
_COMMON = (
    *("Annotated", "Any", "Callable", "Iterable", "Literal", "Mapping", "Optional", "Union"),
    *("bool", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"),
)


# -- the standard library ----------------------------------------------------------------------

_NAMES = {
    "typing": (
        "Annotated Any AnyStr BinaryIO ClassVar Dict Final FrozenSet IO List Literal LiteralString "
        "NamedTuple Never NoReturn NotRequired Optional ReadOnly Required Self TextIO Tuple Type "
        "TypedDict Union Unpack"
    ),
    "collections.abc": (
        "AsyncGenerator AsyncIterable AsyncIterator Awaitable Callable Coroutine Hashable "
        "ItemsView Iterable Iterator KeysView Mapping MutableMapping MutableSequence MutableSet "
        "Sequence ValuesView"
    ),
    "datetime": "date datetime time timedelta timezone tzinfo",
    "decimal": "Decimal",
    "enum": "Enum Flag IntEnum IntFlag StrEnum",
    "fractions": "Fraction",
    "ipaddress": ("IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network"),
    "pathlib": "Path PosixPath PurePath PurePosixPath PureWindowsPath WindowsPath",
    "uuid": "UUID",
}

STANDARD = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name that is looked up in the standard library.

Names that other libraries give to their own classes are not included: ``Collection``,
``Container``, ``Generator``, ``Pattern``, ``Set``, ``Text``.
"""

MODULES = {each.partition(".")[0]: each for each in _NAMES}
"""The module for the first name of a dotted one: ``datetime.date`` without ``datetime``."""


# -- evaluation ------------------------------------------------------------------------------------


def is_reference(tp: object) -> bool:
    """Whether *tp* is an annotation in quotes: a string or a ``ForwardRef``."""
    kind = type(tp)
    return kind is str or kind is ForwardRef


def is_unresolved(metadata: object) -> bool:
    """Whether a piece of metadata could not be evaluated when it was read."""
    kind = type(metadata)
    return kind is Unresolved or (kind is not str and is_reference(metadata))


def evaluate(annotation: Any, scope: Scope) -> Any:
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
        raise UnresolvedError(why_not(text, problem, scope.globals)) from problem


def text_of(annotation: Any) -> str:
    """The annotation as it is written."""
    try:
        text: str = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    except ValueError:  # on 3.14, it is unparsed, which fails for an int of thousands of digits
        return f"<{class_name(type(annotation))} object>"
    return str.__str__(text)  # the methods of a subclass of str are user code


def _evaluate_text(text: str, scope: Scope) -> Any:
    if text.isidentifier() and (found := scope.find(text)) is not MISSING:  # as in most annotations
        return found
    code = _codes.get(text) or _compile(text)
    local, module, *_ = scope.names
    return _run(partial(eval, code, module), {**local}, text, scope)


def _run(
    evaluate_in: Callable[[dict[str, Any]], Any], names: dict[str, Any], text: str, scope: Scope
) -> Any:
    """Evaluate with local names, and with placeholders for those that are missing or unsuitable.

    Raises:
        UnresolvedError: Nothing in the text can be resolved.
        BaseException: Evaluating it raised for another reason.
    """
    guarded: dict[str, Any] = {}
    while True:
        try:
            found = evaluate_in(names)
        except NameError as problem:
            name = missing_name(problem)
            if not name or name in names:
                raise
            names[name] = placeholder_for(name, text, scope, problem)
        except (AttributeError, TypeError):
            if guarded or not (guarded := guarded_names(_compile(text).co_names, scope)):
                raise
            names |= guarded
        else:
            if type(found) is Unresolved:
                raise found.error
            return found


def _compile(text: str) -> types.CodeType:
    """The code of an annotation string; compiling takes five times as long as running it."""
    if (code := _codes.get(text)) is None:
        source = text.strip()
        source = f"({source},)[0]" if source.startswith("*") else source  # *args: *Ts, PEP 646
        code = compile(source, "<annotation>", "eval")
        if len(text) <= MAX_LENGTH:
            if len(_codes) >= MAX_CODES:
                _codes.clear()
            _codes[text] = code
    return code


_codes: dict[str, types.CodeType] = {}
"""The compiled code by its text: strings such as ``str | None`` occur all over a program."""

MAX_CODES = 500
"""The most entries in the cache."""
MAX_LENGTH = 500
"""The longest text that is cached."""


def _evaluate_reference(reference: Any, scope: Scope) -> Any:
    """A ``ForwardRef``; from 3.14 on (PEP 749) it may know its own globals, cells and owner."""
    text = text_of(reference)
    if PY314 and (reference.__globals__ or reference.__owner__ or reference.__cell__):
        return _run(  # pragma: no cover - 3.14
            lambda names: reference.evaluate(locals=names), {**scope.names[0]}, text, scope
        )
    return _evaluate_text(text, scope_of(reference, scope))


def knows_its_module(annotation: Any) -> bool:
    """Whether it is a ``ForwardRef`` with a module, where all names in it are looked up."""
    return type(annotation) is ForwardRef and annotation.__forward_module__ is not None


def scope_of(annotation: Any, scope: Scope) -> Scope:
    """Where the names in an annotation are: in a module that it knows, otherwise in the scope."""
    if not knows_its_module(annotation):
        return scope
    module = annotation.__forward_module__
    name = module if isinstance(module, str) else module.__name__
    inner = Scope(scope.owner, scope.bindings, scope.extra, scope.fallback, name)
    return inner if scope.frame or scope.globals is not inner.globals else scope


MAX_QUOTES = 12
"""The most strings that evaluate to strings; ``A = "A"``, which evaluates to itself, has more."""


def try_evaluate(annotation: Any, scope: Scope) -> Any:
    """*annotation*, evaluated if it is a string; an ``Unresolved`` if it cannot be evaluated."""
    value = annotation
    try:
        for _ in range(MAX_QUOTES):
            kind = type(value)
            if kind is not str and kind is not ForwardRef:
                return value
            value = evaluate(value, scope)
    except UnresolvedError as problem:
        return Unresolved(text_of(annotation), str(problem), problem.__cause__)
    text = text_of(annotation)
    why = f"cannot evaluate {shorten(repr(text))}: it evaluates only to other strings"
    return Unresolved(text, why)


def recompute(obj: Any, name: str, scope: Scope, problem: UnresolvedError) -> Any:
    """Compute a lazy value (PEP 695) again, with placeholders for the missing names.

    Args:
        obj: An alias or a type parameter.
        name: The attribute that has the value.
        scope: Where its names are looked up.
        problem: The exception that reading the attribute raised.

    Raises:
        UnresolvedError: Nothing in it can be resolved; this may be the *problem*.
    """
    code = _lazy_code(obj, name)
    if code is None or not isinstance(problem.__cause__, NameError):
        raise problem
    try:
        return _run(partial(_call, code), {}, str(obj), scope)
    except USER_CODE_ERRORS:
        raise problem from problem.__cause__


def _lazy_code(obj: Any, name: str) -> types.FunctionType | None:
    """The function that computes an attribute."""
    if PY314:  # pragma: no cover - 3.14
        found = [getattr(obj, f"evaluate_{name.strip('_')}", None)]
    else:  # pragma: no cover - up to 3.13, only the garbage collector knows it
        import gc

        found = gc.get_referents(obj)
    functions = [each for each in found if type(each) is types.FunctionType]
    return functions[0] if len(functions) == 1 else None


def _call(func: types.FunctionType, more: dict[str, Any]) -> Any:
    """Call a function that computes an attribute, with more names in its module."""
    names = {**more, **func.__globals__}
    copy = types.FunctionType(func.__code__, names, func.__name__, None, func.__closure__)
    return copy(*[1] * func.__code__.co_argcount)  # 1 is annotationlib.Format.VALUE, from 3.14 on


def names_in(text: str, *, within: bool = True) -> Iterator[str]:
    """The names of types in an annotation string, without evaluating it.

    ``x.Context`` names ``Context``, and so do ``list[Context]`` and ``Context | int``; without
    those *within* containers, ``list[Context]`` only names ``list``.
    """
    import ast

    try:
        todo: list[ast.AST] = [ast.parse(str.strip(text), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from names_in(node.value, within=within)
        elif isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            members = {"Literal": [], "Annotated": inside[:1]}
            is_read = within or head in WHOLE_FORMS
            todo += [node.value, *members.get(head, inside if is_read else [])]
        else:
            todo += ast.iter_child_nodes(node)


WHOLE_FORMS = frozenset(
    {"ClassVar", "Final", "NotRequired", "Optional", "ReadOnly", "Required", "Union"}
)
"""The special forms whose arguments describe the value itself, not a part of it."""
