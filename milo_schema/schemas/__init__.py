"""The schema of a function's parameters, and of an annotation: the entry points.

``callables`` reads the function. Its parameters are the fields of a record, without those that the
framework fills in and those in ``exclude=``; ``object_schema()`` makes an object schema of them.
"""

from __future__ import annotations

import sys

from milo_schema import errors
from milo_schema.annotations import Any, Callable, Collection, Names, UnionType
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Classes,
    inherits,
    loaded_when_used,
    repr_of_error,
)
from milo_schema.annotations.evaluation import Scope, evaluated
from milo_schema.callables import read
from milo_schema.callables.signatures import (
    KEYWORD_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    Field,
    Record,
    Signature,
    name_by_alias,
    names_in,
)
from milo_schema.profile import MILO, Profile, count_aliases
from milo_schema.schemas.walk import Derivation, Step, Walk, object_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import forms
    from milo_schema.callables import parameters
    from milo_schema.profile_fields import Predicate
    from milo_schema.schemas import containers as _containers
    from milo_schema.schemas import finishing as _finishing
    from milo_schema.schemas import rules as _rules
    from milo_schema.schemas import unusual as _unusual
else:
    # A function of plain types needs none of them. Our own submodules have an underscore here, so
    # that ``from milo_schema.schemas import rules`` imports the module, not the placeholder.
    Predicate = Any
    _containers = loaded_when_used("schemas.containers")
    _finishing = loaded_when_used("schemas.finishing")
    forms = loaded_when_used("annotations.forms")
    parameters = loaded_when_used("callables.parameters")
    _rules = loaded_when_used("schemas.rules")
    _unusual = loaded_when_used("schemas.unusual")


# -- entry points ------------------------------------------------------------------------------


def function_to_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    strict: bool = False,
    warn_missing_docs: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of a function's parameters.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        warn_missing_docs: Whether to warn about every parameter without a description.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh object schema: ``{"type": "object", "properties": {...}, "required": [...]}``.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import function_to_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> schema = function_to_schema(greet)
        >>> schema["properties"]
        {'name': {'type': 'string'}, 'times': {'type': 'integer', 'default': 1}}
        >>> schema["required"]
        ['name']
    """
    return input_of(
        func,
        strict=strict,
        exclude=exclude,
        profile=profile,
        localns=localns,
        warn_missing_docs=warn_missing_docs,
    )[0]


def input_of(  # noqa: PLR0913 - see function_to_schema()
    func: Callable[..., Any],
    *,
    strict: bool,
    exclude: Collection[str | type],
    profile: Profile,
    localns: Names,
    warn_missing_docs: bool = False,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a function's parameters, and the same before the profile's transforms."""
    if type(profile) is not Profile:
        expect_profile(profile)
    signature = None
    try:
        signature = read(func, localns)
        walk = start(signature.name, signature.scope, profile, strict=strict)
        make = _unusual.object_of if profile.flatten else object_schema
        build = lambda: make(visible_parameters(signature, walk, exclude), walk)  # noqa: E731
        schema = finish(build, walk, as_parameter, func)
    except errors.SchemaError as problem:
        source = None if signature is None else signature.scope.source
        if strict or profile.failure != "open":
            errors.add_location(problem, source)
            raise
        errors.warn(problem.reason, problem.path, problem.annotation, source, code=problem.code)
        schema = {"type": "object", "additionalProperties": True}
        return schema, schema
    if warn_missing_docs:
        _unusual.warn_missing_docs(schema, signature)
    if profile.undescribed != "":
        _unusual.describe(schema, profile.undescribed, signature)
    return schema, walk.derivation.respelled or schema


def type_to_schema(
    annotation: Any,
    *,
    output: bool = False,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of an annotation.

    Args:
        annotation: A class, or anything else that is valid as an annotation.
        output: Whether the schema is for values that a function returns, not for arguments.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        profile: How the schema is written.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[int] | None)
        {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    expect_profile(profile)
    profile = profile.for_outputs if output else profile
    scope = Scope(extra=localns, frame=sys._getframe(1))
    walk = start(errors.shown(annotation), scope, profile, strict=strict, output=output)
    return finish(lambda: walk.schema(evaluated(annotation, scope)), walk)


def expect_profile(profile: object) -> None:
    """Refuse anything but a profile: ``"MCP"`` is only the name of one."""
    if not inherits(type(profile), Profile):
        reason = f"profile must be a Profile, such as profiles.MCP, not {errors.shown(profile)}"
        raise errors.SchemaError(reason)


def start(path: str, scope: Scope, profile: Profile, *, strict: bool, output: bool = False) -> Walk:
    """The walk at the root of a new derivation."""
    return Walk(profile, Derivation(strict, output, _by_rule, _rules), scope, path)


def _load_rules(annotation: Any, walk: Walk, step: Step, *more: Any) -> dict[str, Any]:
    """Load the rules, for the first annotation that is not a plain class, and apply one.

    They are loaded late on purpose: a function of plain types does not need them, and a command
    line pays for its imports at every start.
    """
    global _by_rule  # noqa: PLW0603 - written once, and always with the same value
    _by_rule = walk.derivation.by_rule = _containers.by_rule
    return _by_rule(annotation, walk, step, *more)


_by_rule: Callable[..., dict[str, Any]] = _load_rules
"""Derives the schema of an annotation that is not a plain class."""


def finish(
    build: Callable[[], dict[str, Any]],
    walk: Walk,
    step: Callable[[str], str] = str,
    func: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Build a schema, resolve its references, and apply the transforms of the profile.

    Args:
        build: Makes the schema of the root.
        walk: The place of the root.
        step: Formats the path from the root to a subschema: ``.x`` of a function is ``(x)``.
        func: The function whose schema it is, if any.
    """
    profile, unsettled, type_name = walk.profile, None, ""
    try:
        schema = build()
        if (definitions := walk.derivation.definitions) is not None:
            if profile.transforms:
                type_name = definitions.name_of(schema)
                unsettled = definitions.unsettled(schema) if profile.inline else None
            schema = definitions.finish(schema, inline=profile.inline)
    except RecursionError:  # the caller is deep in the stack itself
        reason = "nested too deeply for the space left on Python's stack"
        raise errors.SchemaError(reason, walk.path, code="limit") from None
    if walk.derivation.strict or profile.transforms or profile.optional == "required":
        return _finishing.completed(schema, walk, step, unsettled, func=func, type_name=type_name)
    return schema


def as_parameter(path: str) -> str:
    """The path ``(x)[]`` for ``.x[]``: the properties of the root are parameters."""
    if not path.startswith("."):
        return path
    end = next((i for i, mark in enumerate(path) if i and mark in ".[{"), len(path))
    return f"({path[1:end]}){path[end:]}"


# -- parameters --------------------------------------------------------------------------------


def visible_parameters(signature: Signature, walk: Walk, exclude: Collection[Any]) -> Record:
    """The parameters of a function that a caller passes, as a record."""
    profile = walk.profile
    record = Record([], False if profile.closed != "nothing" else MISSING)
    names, types = excluded(exclude) if exclude else (frozenset(), [])
    hidden = Hidden(profile.injected_names | names, types, walk)
    docs: dict[str, str] = {}
    for text in signature.docs:
        docs = {**docs, **names_in(text)} if docs else names_in(text)
    record.fields = hidden.others(signature.parameters)
    if docs:
        if profile.docstrings != "last":
            docs = dict(_unusual.docs_of_profile(docs, record.fields, profile))
        for parameter in record.fields:
            if said := docs.get(parameter.name):
                parameter.description = said
    if not hidden.are_others_ordinary:
        _unusual.take_unusual(record, docs, hidden, walk)
    if names and walk.derivation.strict:
        _refuse_unknown(names, signature, hidden, walk)
    if "pydantic" in sys.modules and count_aliases(profile.aliases, output=False):
        name_by_alias(record.fields)
    return record


def _refuse_unknown(
    names: frozenset[str], signature: Signature, hidden: Hidden, walk: Walk
) -> None:
    """Refuse an excluded name that does not exist: the parameter that was meant stays visible."""
    kinds = {each.name: each.kind for each in signature.parameters}
    if any(kinds.get(name) == VAR_KEYWORD for name in names):
        return  # the other names may be its keys
    for name in sorted(names.difference(kinds, hidden.keys)):
        reason = f"exclude names {name!r}, which is not a parameter"
        walk.refuse(reason + errors.nearest(name, [*kinds, *hidden.keys]))


_ORDINARY = frozenset({POSITIONAL_OR_KEYWORD, KEYWORD_ONLY})
"""The kinds of parameters that are passed by name."""


class Hidden:
    """The parameters that a caller does not pass.

    Attributes:
        names: Their names.
        types: Their types; subclasses are included.
        classes: Their classes, mostly given by name.
        predicates: Functions that decide whether a parameter is hidden.
        keys: The keys of an unpacked TypedDict.
        are_others_ordinary: Whether callers pass all other parameters by name.
    """

    keys: Collection[str] = ()
    are_others_ordinary: bool = True

    def __init__(self, names: frozenset[str], types: list[Any], walk: Walk) -> None:
        self.names: frozenset[str] = names
        self.types: list[Any] = types
        self.classes: Classes = walk.profile.injected_classes
        self.predicates: tuple[Predicate, ...] = walk.profile.injected_if
        self._spared: frozenset[int] = frozenset() if types else self.classes.spared
        self._walk = walk
        self._injection: parameters.Injection | None = None

    def others(self, fields: list[Field]) -> list[Field]:
        """The parameters that a caller passes."""
        if self.predicates:
            fields = [each for each in fields if not self._is_chosen(each)]
        names, spared, shown = self.names, self._spared, []
        for each in fields:
            if each.name in names:
                continue
            if id(each.annotation) not in spared and self._is_injected(each):
                continue
            if each.kind not in _ORDINARY:
                self.are_others_ordinary = False
            shown.append(each)
        return shown

    def _is_injected(self, parameter: Field) -> bool:
        """Whether the annotation of a parameter says that the framework fills it in."""
        annotation, spared = parameter.annotation, self._spared
        if spared and issubclass(type(annotation), type):
            parameter.parts = annotation, ()
            return self.classes.have(annotation)
        head, args = parameter.parts = forms.split(annotation)
        is_known = head is UnionType or id(head) in spared
        if spared and is_known and spared.issuperset(map(id, args)):  # str | None, list[int]
            return False
        if self._injection is None:
            self._injection = parameters.Injection(self.types, self.classes)
        return self._injection.is_injected(parameter)

    def _is_chosen(self, parameter: Field) -> bool:
        """Whether one of the profile's functions, which are user code, returns true."""
        for predicate in self.predicates:
            try:
                if predicate(parameter):
                    return True
            except USER_CODE_ERRORS as problem:
                reason = f"{predicate!r} of injected_if raised {repr_of_error(problem)}"
                self._walk.at(parameter).refuse(reason, parameter.written, problem, "user-code")
        return False


def excluded(exclude: Collection[Any]) -> tuple[frozenset[str], list[Any]]:
    """The names and the types of parameters that are not part of the schema."""
    try:
        every = [exclude] if isinstance(exclude, (str, type)) else list(exclude)
    except USER_CODE_ERRORS as problem:  # the collection is user code
        reason = f"exclude must be a collection of names and types: {repr_of_error(problem)}"
        raise errors.SchemaError(reason, code="user-code") from problem
    names = frozenset(each for each in every if isinstance(each, str))
    return names, [each for each in every if not isinstance(each, str)]
