"""What a caller may pass to a function, and what it gives back.

Strategy: ``callables`` reads the function; its parameters, less those that are not the caller's,
are the fields of a record, and a record is what ``rules`` makes an object schema of.
"""

from __future__ import annotations

import sys
from collections import abc
from typing import Annotated, Any, Never, NoReturn, Union

from milo_schema import errors, records
from milo_schema.callables import read
from milo_schema.definitions import Definitions
from milo_schema.generics import alias_value, close, is_alias
from milo_schema.hints import (
    MISSING,
    Scope,
    UnresolvedError,
    alias_of,
    bare_name,
    display,
    inherits,
    is_any,
    is_class,
    is_form,
    is_reference,
    mro,
    resolve,
    split,
    text_of,
    unpacked,
)
from milo_schema.markers import Injected
from milo_schema.profiles import MILO, Profile
from milo_schema.records import POSITIONAL_ONLY, VAR_KEYWORD, VARIADIC, Field, Record
from milo_schema.rules import object_schema
from milo_schema.subschemas import copy
from milo_schema.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from milo_schema.callables import Signature

    Names = Mapping[str, Any] | None


# -- the front door ----------------------------------------------------------------------------


def function_to_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    strict: bool = False,
    warn_missing_docs: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of what a function takes.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        warn_missing_docs: Whether to warn of every parameter that nothing describes.
        exclude: Names and types of parameters that are no part of the schema.
        profile: What the schema should say.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        A fresh object schema: ``{"type": "object", "properties": {...}, "required": [...]}``.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import function_to_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> schema = function_to_schema(greet)
        >>> schema["properties"]
        {'name': {'type': 'string'}, 'times': {'type': 'integer', 'default': 1}}
        >>> schema["required"]
        ['name']
    """
    _expect(profile)
    try:
        signature = read(func, localns)
        walk = _start(signature.name, signature.scope, profile, strict=strict)
        schema = _finish(
            lambda: object_schema(_record(signature, walk, exclude), walk), walk, _as_parameter
        )
    except errors.SchemaError as problem:
        if strict or profile.failure != "open":
            raise
        errors.warn(problem.reason, problem.path, problem.annotation)
        return {"type": "object", "additionalProperties": True}
    if warn_missing_docs:
        _warn_missing_docs(schema, signature)
    return _describe(schema, profile.undescribed) if profile.undescribed else schema


def return_to_schema(
    func: Callable[..., Any],
    *,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any] | None:
    """Derive the JSON Schema of what a function gives back.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        profile: What the schema should say.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        A fresh schema; of what is yielded or awaited, if it is a generator or coroutine
        function. ``None`` if there is no return annotation, or it is ``None``.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import return_to_schema
        >>> def status(service: str) -> dict[str, str]: ...
        >>> return_to_schema(status)
        {'type': 'object', 'additionalProperties': {'type': 'string'}}
    """
    schema, _ = output_of(func, strict=strict, profile=profile, localns=localns)
    return schema


def output_of(
    func: Callable[..., Any], *, strict: bool, profile: Profile, localns: Names = None
) -> tuple[dict[str, Any] | None, bool]:
    """The schema of what a function gives back, and whether that is boxed in ``result``."""
    _expect(profile)
    signature = read(func, localns)
    annotation = given_back(resolve(signature.returns, signature.scope), signature)
    origin, args = split(annotation)
    bare = args[0] if origin is Annotated and args else annotation
    if is_any(bare, (MISSING, None, type(None), NoReturn, Never)):
        return None, False
    if not profile.outputs or _names_any(annotation, profile.opaque_outputs):
        return None, False
    walk = _start(f"{signature.name}() -> ", signature.scope, profile, strict=strict, output=True)
    try:
        fragment = walk.schema(annotation)
        text = _output_doc(signature) if profile.output_docs else ""
        if text and not walk.definitions.is_described(fragment):
            fragment["description"] = text
        walk.definitions.complete()
        is_boxed = profile.box is not None and set(walk.definitions.kinds(fragment)) != {"object"}
        return _finish(lambda: _boxed(fragment, walk) if is_boxed else fragment, walk), is_boxed
    except errors.SchemaError as problem:
        if strict or profile.failure != "open":
            raise
        errors.warn(problem.reason, problem.path, problem.annotation)
        return None, False


def _output_doc(signature: Signature) -> str:
    """What the docstring says of what comes back: returned or, by a generator, yielded."""
    from milo_schema.docstrings import parse_docstring

    found = ""
    for doc in signature.docs:
        parsed = parse_docstring(doc)
        found = parsed.yields or parsed.returns or found
    return found


def _boxed(fragment: dict[str, Any], walk: Walk) -> dict[str, Any]:
    """An object whose ``result`` the fragment describes; its definitions go to the root."""
    properties = {"result": fragment}
    box = copy(dict(walk.profile.box or {}))
    return {"type": "object", "properties": properties, "required": ["result"], **box}


def _names_any(tp: Any, names: frozenset[str]) -> bool:
    """Whether an annotation is a class of such a name, or a union with one."""
    origin, args = split(tp)
    if is_any(origin, (Union, Annotated)):
        return any(_names_any(arg, names) for arg in args)
    return bare_name(tp if origin is None else origin) in names


def type_to_schema(
    annotation: Any,
    *,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of an annotation.

    Args:
        annotation: A class, or anything else that may stand in an annotation.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        profile: What the schema should say.
        localns: Names that annotation strings use and the caller's do not have.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[int] | None)
        {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    _expect(profile)
    scope = Scope(extra=localns, frame=sys._getframe(1))
    walk = _start(display(annotation), scope, profile, strict=strict)
    return _finish(lambda: walk.schema(resolve(annotation, walk.scope)), walk)


def _expect(profile: object) -> None:
    """See to it that a profile is one; ``"MCP"`` is the name of one."""
    if not inherits(type(profile), Profile):
        way_out = "pass profiles.MCP or its like"
        raise errors.SchemaError(f"profile={display(profile)} is no Profile; {way_out}")


def _start(
    path: str, scope: Scope, profile: Profile, *, strict: bool, output: bool = False
) -> Walk:
    return Walk(profile, strict, output, path, scope, Definitions())


def _finish(
    build: Callable[[], dict[str, Any]], walk: Walk, step: Callable[[str], str] = str
) -> dict[str, Any]:
    """Build a schema, settle its definitions, and spell it as the profile has it.

    Args:
        build: Makes the fragment of the root.
        walk: Where the root is.
        step: How what leads from the root to a place is written: ``.x`` of a function is ``(x)``.
    """
    try:
        schema = walk.definitions.finish(build(), inline=walk.profile.inline)
    except RecursionError:  # the caller is deep down itself
        reason = "nested too deeply for what is left of Python's stack"
        raise errors.SchemaError(reason, walk.path) from None
    for transform in walk.profile.transforms:
        schema = transform(schema, lambda path, reason: walk.at(step(path)).complain(reason))
    return schema


def _as_parameter(path: str) -> str:
    """``(x)[]`` for ``.x[]``: the properties of the root are parameters."""
    if not path.startswith("."):
        return path
    end = next((i for i, mark in enumerate(path) if i and mark in ".[{"), len(path))
    return f"({path[1:end]}){path[end:]}"


# -- parameters --------------------------------------------------------------------------------


def _record(signature: Signature, walk: Walk, exclude: Collection[Any]) -> Record:
    """The parameters of a function as a record: what an object with its arguments has."""
    is_left_out = _Filter(walk.profile, exclude).is_left_out
    docs = _parameter_docs(signature)
    record = Record([], extra=False if walk.profile.closed != "nothing" else MISSING)
    for parameter in signature.parameters:
        if is_left_out(parameter):
            continue
        if parameter.kind in VARIADIC:
            known = {field.name for field in record.fields}
            more = _variadic(parameter, record, docs.get(parameter.name), walk)
            new = [key for key in more if key.name not in known and not is_left_out(key)]
            record.fields.extend(new)
        else:
            record.fields.append(parameter)
        if walk.strict and parameter.kind == POSITIONAL_ONLY:
            reason = "positional-only, but JSON passes arguments by name; drop the '/'"
            walk.at(parameter.step).refuse(reason, parameter.annotation)
    if docs:
        for field in record.fields:
            field.description = docs.get(field.name) or field.description
    return record


def _variadic(field: Field, record: Record, description: str | None, walk: Walk) -> list[Field]:
    """What ``*args`` or ``**kwargs`` add to the record: fields, or further properties."""
    keys = unpacked(field.annotation)
    if field.kind == VAR_KEYWORD and keys is not MISSING:  # PEP 692
        return _unpacked(field, keys, record, walk)
    if type(field.annotation) is UnresolvedError:  # it may have been Unpack[...]
        walk.at(field.step).unsupported(field.written, str(field.annotation), field.annotation)
    if walk.profile.variadics == "error":
        walk.at(field.step).refuse("no JSON Schema for variadic parameters; name each of them")
    if field.kind == VAR_KEYWORD and walk.profile.variadics == "open":
        is_untyped = is_form(type(field.annotation), "ParamSpecKwargs")  # P.kwargs, PEP 612
        record.extra = MISSING if is_untyped else field.annotation
        record.extra_step = f"{field.step}{{}}"
        if description and record.extra is not MISSING:
            record.extra = alias_of(Annotated, (record.extra, description))
    return []


def _unpacked(field: Field, typed_dict: Any, record: Record, walk: Walk) -> list[Field]:
    """The keys of ``**kwargs: Unpack[TypedDict]``, as parameters."""
    try:
        keys = _read_keys(close(typed_dict, field.scope), field.scope)
    except UnresolvedError as problem:
        walk.at(field.step).complain(str(problem), field.annotation, problem)
        return []
    for each in keys.fields:
        each.step = f"({each.name})"
    if keys.extra is not MISSING:
        record.extra = keys.extra
    return keys.fields


def _read_keys(typed_dict: Any, scope: Scope) -> Record:
    origin, _ = split(typed_dict)
    head = typed_dict if origin is None else origin
    if not is_class(head) or not records.is_typed_dict(head):
        raise UnresolvedError(f"{display(typed_dict)} is no TypedDict; PEP 692 asks for one")
    return records.read(typed_dict, scope)


def _parameter_docs(signature: Signature) -> dict[str, str]:
    """What the docstrings say of each parameter."""
    if not signature.docs:
        return {}
    from milo_schema.docstrings import names_in

    docs: dict[str, str] = {}
    for text in signature.docs:
        docs.update(names_in(text))
    return docs


def _describe(schema: dict[str, Any], template: str) -> dict[str, Any]:
    """Give each property a description that has none."""
    properties = schema["properties"]
    for name, fragment in properties.items():
        if "description" not in fragment:
            bare = {"anyOf": [fragment]} if "$ref" in fragment else fragment
            properties[name] = {**bare, "description": template.replace("{name}", name)}
    return schema


def _warn_missing_docs(schema: dict[str, Any], signature: Signature) -> None:
    for name, fragment in schema["properties"].items():
        if "description" not in fragment:
            reason = "no description; document it in the docstring or with Description(...)"
            errors.warn(reason, f"{signature.name}({name})")


# -- parameters that are not the caller's ------------------------------------------------------


class _Filter:
    """Which parameters the framework fills in: by name, by class, by ``Injected``."""

    def __init__(self, profile: Profile, exclude: Collection[Any]) -> None:
        every = [exclude] if isinstance(exclude, (str, type)) else exclude
        self.names = profile.injected_names.union(each for each in every if isinstance(each, str))
        self.types = [each for each in every if not isinstance(each, str)]
        self.class_names = profile.injected_classes

    def is_left_out(self, field: Field) -> bool:
        """Whether a parameter is no part of the schema."""
        tp = field.annotation
        if field.name in self.names:
            return True
        if type(tp) is type and not self.types:  # most are
            return tp.__name__ in self.class_names
        if type(tp) is UnresolvedError:
            return self._is_called_injected(text_of(field.written))
        try:
            return self._is_injected(tp)
        except UnresolvedError:  # an alias that stands for nothing: reported where it is met
            return False

    def _is_injected(self, tp: Any) -> bool:
        if is_any(tp, self.types):
            return True
        origin, args = split(tp)
        if origin is Union:
            members = [arg for arg in args if arg is not type(None)]
            return bool(members) and all(map(self._is_injected, members))
        if origin is Annotated and args:
            marked = any(each is Injected or type(each) is Injected for each in args[1:])
            return marked or self._is_injected(args[0])
        if is_class(head := tp if origin is None else origin):
            return self._is_injected_class(head)
        if is_reference(tp):
            return self._is_called_injected(text_of(tp))
        return origin is None and self._is_injected_by_another_name(tp)

    def _is_injected_class(self, cls: type) -> bool:
        if self.types and any(base is each for base in mro(cls) for each in self.types):
            return True
        return bare_name(cls) in self.class_names

    def _is_injected_by_another_name(self, tp: Any) -> bool:
        if is_alias(tp):
            return self._is_injected(alias_value(tp)[0])
        return is_form(type(tp), "NewType") and self._is_injected(tp.__supertype__)

    def _is_called_injected(self, text: str) -> bool:
        """Whether a string says ``Context``, ``x.Context | None`` or ``Optional[Context]``."""
        known = {each.__name__ for each in self.types if is_class(each)} | self.class_names
        names = set(_names_in(text)) - {"None"}
        return bool(names) and names <= known


def _names_in(text: str) -> Iterator[str]:
    """The names of the members that an annotation in a string has, without evaluating it."""
    import ast

    try:
        todo: list[ast.AST] = [ast.parse(str.strip(text), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.BinOp):
            todo += [node.left, node.right]
        elif isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            members = {"Optional": inside, "Union": inside, "Annotated": inside[:1]}
            todo += members.get(head, [node.value])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names_in(node.value)
        else:
            yield ast.unparse(node).rpartition(".")[2]


# -- what is given back ------------------------------------------------------------------------


def given_back(annotation: Any, signature: Signature) -> Any:
    """What is yielded or awaited, where that is what a caller gets."""
    origin, args = split(annotation)
    if origin is Annotated and args:
        inner = given_back(args[0], signature)
        return annotation if inner is args[0] else alias_of(origin, (inner, *args[1:]))
    head = annotation if origin is None else origin
    if is_any(head, (abc.Awaitable, abc.Coroutine)):
        return given_back(args[-1], signature) if args else Any
    is_generator = signature.func is not None and signature.func.__code__.co_flags & _GENERATOR
    if is_any(head, _ITERATORS) or (is_generator and head is abc.Iterable):
        return args[0] if args else Any
    return annotation


_GENERATOR = 0x20 | 0x200  # inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_ITERATORS = (
    abc.Generator,
    abc.AsyncGenerator,
    abc.Iterator,
    abc.AsyncIterator,
    abc.AsyncIterable,
)
