"""Read every callable that is not a plain function: methods, classes, partials, decorators.

Strategy: ``inspect`` finds the parameters, and the function that finally runs determines where the
names in the annotations are looked up.
"""

from __future__ import annotations

import _collections_abc as abc
import inspect
import types
from collections.abc import Iterator, Mapping
from typing import Any

from milo_schema.annotations import Names, generics
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    PY314,
    USER_CODE_ERRORS,
    UnresolvedError,
    attributes,
    body,
    is_any,
    is_class,
    loaded,
    mro,
    own,
    own_annotations,
    repr_of_error,
    shorten,
    static,
)
from milo_schema.annotations.forms import UNION, display, is_alias, is_form, is_typed_dict, split
from milo_schema.annotations.scopes import MAX_WRAPPERS, SELF, Scope, enclosing_class
from milo_schema.callables.docs import docs_of, texts
from milo_schema.callables.records import is_record, read_record
from milo_schema.callables.signatures import (
    DECLARED,
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    Field,
    Signature,
    from_code,
    is_model,
    is_plain_function,
    is_self,
    model_fields,
    read_function,
    with_field_infos,
)
from milo_schema.callables.wrappers import (
    DESCRIPTORS,
    context_manager_of,
    inner_callable,
    is_dispatcher,
    is_partial,
    missing_first,
    module_of,
    name_of,
    unwrap,
    wrapped_by,
)
from milo_schema.errors import SchemaError
from milo_schema.libraries import library, rows


def read_other(func: Any, localns: Names) -> Signature:
    """Read a callable that is not a plain function.

    Raises:
        UnresolvedError: It is not callable, or has no signature.
    """
    name = shorten(name_of(func))
    if special := _read_special(func, name, localns):
        return special
    function = unwrap(func)
    scope = _scope(func, function, localns)
    parameters, returns = _parameters(func, scope)
    returns = context_manager_of(func) or returns
    parameters = _without_self(parameters, func)
    if parameters and is_dispatcher(func):
        parameters[0] = parameters[0].replace(kind=POSITIONAL_ONLY)
    return Signature(
        name=name,
        parameters=parameters,
        returns=returns,
        scope=scope,
        func=function,
        docs=docs_of(func, function),
    )


def _read_special(func: Any, name: str, localns: Names) -> Signature | None:
    """Read a class or a partial; ``None`` for any other callable."""
    head, _ = split(func)
    is_union = func is UNION  # typing.Union itself is a class from 3.14 on
    if is_union or (head is not func and _is_special(head)) or is_alias(func):
        reason = f"{display(func)} is an annotation, not a function; use type_to_schema()"
        raise SchemaError(reason, annotation=func)
    if is_class(head):
        return _read_class(name, func, localns)
    return _read_partial(func, localns) if is_partial(func) else None


def _is_special(head: Any) -> bool:
    is_named = any(is_form(head, name) for name in ("Annotated", "Literal"))
    return is_named or is_any(head, (UNION, abc.Callable))


def _read_partial(func: Any, localns: Names) -> Signature:
    """Read a ``functools.partial``: its function without the arguments that are already given."""
    inner = func.func
    read = read_function if is_plain_function(inner) else read_other
    whole = read(inner, localns)
    known = {parameter.name: parameter for parameter in whole.parameters}
    parameters, _ = _from_inspect(func, whole.scope)
    whole.parameters = [
        _with_type_of(known[each.name], each) for each in parameters if each.name in known
    ]
    if func.__doc__ != type(func).__doc__:  # set by functools.update_wrapper()
        whole.docs = [*whole.docs, *texts(func.__doc__)]
    return whole


def _with_type_of(field: Field, parameter: Field) -> Field:
    """A parameter with the annotation of a field."""
    return field.replace(
        name=parameter.name,
        attribute=parameter.attribute,
        kind=parameter.kind,
        default=parameter.default,
        required=parameter.required,
    )


# -- parameters --------------------------------------------------------------------------------


def _parameters(func: Any, scope: Scope) -> tuple[list[Field], Any]:
    """The parameters of a callable that is not a class, and its return annotation."""
    method = func.__func__ if type(func) is types.MethodType else None
    if is_plain_function(method):
        parameters, returns = from_code(method, scope)
        if parameters and parameters[0].kind <= POSITIONAL_OR_KEYWORD:
            return parameters[1:], returns
    return _from_inspect(func, scope)


def _from_inspect(func: Any, scope: Scope) -> tuple[list[Field], Any]:
    signature = _signature(func)
    empty, beside = signature.empty, _evaluated_beside(func)
    parameters = [
        Field(
            each.name,
            MISSING if each.annotation is empty else beside.get(each.name, each.annotation),
            scope,
            MISSING if each.default is empty else each.default,
            int(each.kind),
            each.default is empty,
        )
        for each in signature.parameters.values()
    ]
    returns = signature.return_annotation
    returns = MISSING if returns is empty else beside.get("return", returns)
    return with_field_infos(parameters), returns


def _evaluated_beside(func: Any) -> dict[str, Any]:
    """The annotations that are strings in a ``__signature__``, but evaluated in the function."""
    evaluated: dict[str, Any] = {}
    for _ in range(MAX_WRAPPERS):
        if func is None:
            break
        found = attributes(func).get("__signature__")
        if type(found) is inspect.Signature and type(func) is types.FunctionType:
            written = {name: each.annotation for name, each in found.parameters.items()}
            written["return"] = found.return_annotation
            for name, tp in own_annotations(func).items():
                if type(tp) is not str and type(written.get(name)) is str:
                    evaluated.setdefault(name, tp)
        func = inner_callable(func)
    return evaluated


def _unwrap_for_inspect(func: Any) -> Any:
    """The callable whose signature ``inspect`` has to read instead of that of *func*."""
    if type(func) is classmethod:
        return func.__get__(None, object)
    head, _ = split(func)
    if head is not func and is_class(head):  # the __call__ of list[int] takes anything
        return head
    if is_partial(func):  # its __wrapped__, if any, has no arguments bound
        inner = _unwrap_for_inspect(func.func)
        return loaded("functools.partial")(inner, *func.args, **func.keywords)
    called = None if is_class(func) else static(type(func), "__call__")
    if type(called) is staticmethod:
        return called.__func__
    if type(called) is types.FunctionType and not _declares_its_signature(func):
        return types.MethodType(called, func)  # up to 3.12, inspect uses ==, which is user code
    return func


def _declares_its_signature(func: Any) -> bool:
    found = {*attributes(func), *(name for name in DECLARED if static(type(func), name))}
    return not DECLARED.isdisjoint(found)


def _signature(func: Any) -> inspect.Signature:
    if not callable(func := _unwrap_for_inspect(func)):
        raise SchemaError(_not_callable(func), annotation=func)
    options: dict[str, Any] = {}
    if PY314:  # pragma: no cover - 3.14
        import annotationlib

        options["annotation_format"] = annotationlib.Format.FORWARDREF
    try:
        if is_partial(func):
            # If no call is possible, the message of inspect lists all arguments, however long.
            inspect.signature(func.func, **options).bind_partial(*func.args, **func.keywords)
        return inspect.signature(func, **options)
    except (ValueError, TypeError) as problem:
        raise UnresolvedError(_no_signature(problem)) from problem
    except USER_CODE_ERRORS as problem:
        raise UnresolvedError(f"reading its signature raised {repr_of_error(problem)}") from problem


def _without_self(parameters: list[Field], func: Any) -> list[Field]:
    """The parameters without ``self``, for a method that was taken from its class."""
    if not parameters or type(func) is types.MethodType:
        return parameters
    return parameters[1:] if _is_self(parameters[0], func) else parameters


def _is_self(first: Field, func: Any) -> bool:
    if missing_first(func) == "self":  # str.upper
        return first.name in ("self", "cls")
    function = func if wrapped_by(func) is None else unwrap(func)
    if type(function) is not types.FunctionType:
        return False
    return is_self(first, function, enclosing_class(function))


# -- the scope of the annotations --------------------------------------------------------------


def _scope(func: Any, function: types.FunctionType | None, localns: Names) -> Scope:
    """The scope of a function's annotations; for a method, with the bindings of its class."""
    bindings: Mapping[Any, Any] = NOTHING
    if type(func) is types.MethodType:
        bindings = _of_class(_class_of(func.__self__), function, localns)
    elif function is not None and (cls := enclosing_class(function)) is not None:
        bindings = {SELF: cls}
    module = module_of(func) if function is None else None
    return Scope(function, bindings=bindings, extra=localns, module=module)


def _class_of(instance: Any) -> Any:
    """The class of an instance, with the type arguments it was made with: ``Box[int]()``."""
    if is_class(instance):
        return instance
    return attributes(instance).get("__orig_class__", type(instance))


def _of_class(tp: Any, function: types.FunctionType | None, localns: Names) -> Mapping[Any, Any]:
    cls, args = split(tp)
    names = NOTHING if localns is None else localns
    bound = generics.base_bindings(cls, generics.bindings_of(cls, args), names)
    writers = (base for base in mro(cls) if is_any(function, _functions(base)))
    writer = next(writers, cls)
    return {**bound.get(id(writer), {}), SELF: tp}


def _functions(cls: type) -> Iterator[Any]:
    for value in [*body(cls).values()]:
        yield value.__func__ if is_any(type(value), DESCRIPTORS) else value


# -- classes -----------------------------------------------------------------------------------


def _read_class(name: str, tp: Any, localns: Names) -> Signature:
    """Read a class as a callable: its constructor's parameters; it returns an instance."""
    cls, _ = split(tp)
    function = _constructor(cls)
    scope = Scope(function, bindings=_of_class(tp, function, localns), extra=localns)
    fields = _class_fields(tp, scope)
    if is_typed_dict(cls) or _takes_its_fields(cls, function):
        parameters = [field.replace(kind=KEYWORD_ONLY) for field in fields.values()]
    else:
        parameters, _ = _from_inspect(_constructor_for_inspect(cls, function), scope)
    return Signature(
        name=name,
        parameters=[_filled_by(each, fields.get(each.name), cls) for each in parameters],
        returns=tp if fields or is_model(cls) else MISSING,
        scope=scope,
        func=None,
        docs=[
            *texts(*(own(base, "__doc__") for base in reversed(mro(cls)[:-1]))),
            *texts(function.__doc__ if function is not None else None),
        ],
    )


def _constructor_for_inspect(cls: type, function: types.FunctionType | None) -> Any:
    """The object with the signature of a class: the class, or its ``__init__``.

    ``@deprecated`` (PEP 702) makes a ``__new__`` that takes anything, for subclasses as well. And
    a metaclass that makes attributes is not asked for those that ``inspect`` looks for.
    """
    new = static(cls, "__new__")
    new = new.__func__ if type(new) is staticmethod else new
    is_mere_wrapper = type(new) is types.FunctionType and unwrap(new) is None
    meta = type(cls)
    has_code = static(meta, "__getattribute__") is not type.__getattribute__
    has_code = has_code or static(meta, "__getattr__") is not None
    is_asked = has_code and static(cls, "__signature__") is None
    if is_asked and new is object.__new__ and static(cls, "__init__") is object.__init__:
        return types.MethodType(_take_nothing, cls)
    needs_function = is_mere_wrapper or is_asked
    return types.MethodType(function, cls) if needs_function and function is not None else cls


def _take_nothing(_self: Any) -> None:
    """The signature of the constructor of ``object``."""


def _takes_its_fields(cls: type, function: types.FunctionType | None) -> bool:
    """Whether a class is a pydantic model with the constructor of ``BaseModel``."""
    return is_model(cls) and library("pydantic").is_own_constructor(function)


def _class_fields(tp: Any, scope: Scope) -> dict[str, Field]:
    """The fields of a record class by their names in its constructor, if it is a record."""
    cls, _ = split(tp)
    if is_model(cls) and (fields := model_fields(cls)):
        return {field.alias or field.name: field for field in fields}
    if not is_record(cls):
        return {}
    names = _names_in_constructor(cls)
    fields = read_record(tp, scope).fields
    return {names.get(field.python_name, field.python_name): field for field in fields}


def _names_in_constructor(cls: type) -> dict[str, str]:
    """The name of each field in a constructor that a library made; empty for other classes."""
    return next((names(cls) for belongs, names in rows("CONSTRUCTORS") if belongs(cls)), {})


def _filled_by(parameter: Field, field: Field | None, cls: type) -> Field:
    """A constructor's parameter, with the facts that the field it fills adds."""
    if field is None:
        return parameter
    if parameter.annotation is MISSING and _names_in_constructor(cls):
        pass  # attrs does not know the parameter type of the field's converter
    elif not is_model(cls) and not generics.is_same(parameter.written, field.written):
        return parameter
    # The default of the constructor may be a stand-in for a factory.
    return _with_type_of(field, parameter.replace(default=field.default))


def _constructor(cls: type) -> types.FunctionType | None:
    """The ``__init__`` or ``__new__`` that a call of the class runs, if it is a Python function."""
    meta = static(type(cls), "__call__")
    if type(meta) is types.FunctionType:
        return meta
    for base in mro(cls):
        for name in ("__new__", "__init__"):
            found = own(base, name)
            found = found.__func__ if type(found) is staticmethod else found
            if type(found) is types.FunctionType and (inside := unwrap(found)) is not None:
                return inside
    return None


# -- refusals ----------------------------------------------------------------------------------


def _no_signature(problem: Exception) -> str:
    """The reason why ``inspect`` finds no signature."""
    text = repr_of_error(problem, str)
    if text.startswith("no signature found for builtin") or text.endswith(_INVALID):
        what = "its constructor" if text.startswith("no signature found for builtin type") else "it"
        way_out = "wrap it in a function with annotations"
        return f"{what} is written in C and has no signature; {way_out}"
    return f"its signature cannot be read: {text}"


_INVALID = "builtin has invalid signature"
"""The end of the reason up to 3.12, if a default of a C function has no Python value."""


def _not_callable(value: Any) -> str:
    """The reason why a value is not a function, and what was probably meant."""
    shown = display(value)
    if type(value) is str:
        return f"{shown} is a string, not a function; pass the function itself"
    if value is None:
        return "expected a function, got None; did you write f(...) instead of f?"
    if type(value) is types.ModuleType:
        return f"expected a function, got the module {value.__name__}"
    got = f"an instance of {display(type(value))}" if shown[0] == "<" else shown
    return f"expected a function, got {got}"
