"""Evaluate annotation strings and forward references in the scope where they were written.

Nothing is evaluated before it is needed. A string, or a ``ForwardRef``, stays as it is until the
walk reaches it. Then Python evaluates it in its own *scope*, so a name that cannot be resolved
affects only the part of the annotation that uses it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, ForwardRef

from milo_schema.annotations.classes import (
    MISSING,
    PY314,
    USER_CODE_ERRORS,
    Unresolved,
    UnresolvedError,
    class_name,
    shorten,
)
from milo_schema.annotations.missing import guarded_names, why_not, with_placeholders
from milo_schema.annotations.scopes import Scope, globals_of


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
    found = scope.find(text) if text.isidentifier() else MISSING
    if found is not MISSING:  # as in most annotations
        return found
    code = _codes.get(text) or _compile(text)
    return _run(lambda names: eval(code, scope.globals, names), scope, text)  # noqa: S307 - as Python


def _run(evaluate_in: Callable[[Any], Any], scope: Scope, text: str) -> Any:
    """The value of a string, with placeholders for missing names."""
    try:
        return with_placeholders(evaluate_in, scope, text)
    except (AttributeError, TypeError):
        if not (guarded := guarded_names(_compile(text).co_names, scope)):
            raise
        return with_placeholders(evaluate_in, scope, text, guarded)


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
            lambda names: reference.evaluate(locals=names.to_dict()), scope, text
        )
    module = reference.__forward_module__
    if module is not None:
        name = module if isinstance(module, str) else module.__name__
        if scope.frame or scope.globals is not globals_of(None, scope.owner, name):
            scope = Scope(scope.owner, module=name, extra=scope.extra, fallback=scope.fallback)
    return _evaluate_text(text, scope)


MAX_QUOTES = 12
"""The most strings that evaluate to strings; ``A = "A"``, which evaluates to itself, has more."""


def try_evaluate(annotation: Any, scope: Scope) -> Any:
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


def names_in(text: str) -> Iterator[str]:
    """The names of types in an annotation string, without evaluating it.

    ``x.Context`` names ``Context``, and so do ``list[Context]`` and ``Context | int``.
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
            yield from names_in(node.value)
        elif isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            members = {"Literal": [], "Annotated": inside[:1]}
            todo += [node.value, *members.get(head, inside)]
        else:
            todo += ast.iter_child_nodes(node)
