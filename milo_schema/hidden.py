"""Find the parameters that a schema leaves out, and why; for code that fills them in.

This only reports: ``visible_parameters()`` in ``schemas`` decides.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Collection, Iterator, Mapping
from milo_schema.annotations.classes import MISSING, Classes
from milo_schema.annotations.forms import unpacked
from milo_schema.callables import read
from milo_schema.callables.parameters import Injection
from milo_schema.callables.signatures import VAR_KEYWORD, VARIADIC, Field
from milo_schema.callables.variadics import read_keys
from milo_schema.frozen import Frozen
from milo_schema.markers import Injected
from milo_schema.profile import MILO, Profile
from milo_schema.schemas import excluded, expect_profile, start
from milo_schema.schemas import visible_parameters as visible
from milo_schema.schemas.walk import Walk

__all__ = ["HiddenParameter", "hidden_parameters"]


class HiddenParameter(Frozen):
    """A parameter that a schema leaves out.

    Attributes:
        name: Its name.
        why: The reason: the field ``"injected_names"``, ``"injected_classes"``,
            ``"injected_if"`` or ``"variadics"`` of the profile, the argument ``"exclude"``, or
            the marker ``"Injected"``.
        by: The name, class, function or marker that matches it.
        annotation: Its annotation; ``None`` if there is none.
        required: Whether a value is required.

    Example:
        >>> from milo_schema import HiddenParameter, hidden_parameters
        >>> def greet(name: str, ctx: object): ...
        >>> hidden_parameters(greet) == [
        ...     HiddenParameter("ctx", "injected_names", "ctx", object, required=True)
        ... ]
        True
    """

    name: str
    why: str
    by: Any
    annotation: Any
    required: bool


def hidden_parameters(
    func: Callable[..., Any],
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    localns: Mapping[str, Any] | None = None,
) -> list[HiddenParameter]:
    """Find the parameters that the schema of a function leaves out, and why.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The parameters, in the order of the signature.

    Raises:
        SchemaError: The function has no schema.

    Example:
        >>> from milo_schema import hidden_parameters, profiles
        >>> class Session: ...
        >>> mine = profiles.MCP.with_injected(classes={Session}, names={"user"})
        >>> def greet(name: str, session: Session, user: str = "me"): ...
        >>> [(each.name, each.why) for each in hidden_parameters(greet, profile=mine)]
        [('session', 'injected_classes'), ('user', 'injected_names')]
    """
    expect_profile(profile)
    signature = read(func, localns)
    walk = start(signature.name, signature.scope, profile, strict=False)
    shown = {field.python_name for field in visible(signature, walk, exclude).fields}
    found = []
    for each in _every(signature.parameters):
        if each.python_name not in shown and (met := _reason(each, exclude, walk)) is not None:
            annotation = None if each.annotation is MISSING else each.annotation
            is_required = each.required and each.kind not in VARIADIC
            found.append(HiddenParameter(each.name, *met, annotation, is_required))
    return found


def _every(parameters: list[Field]) -> Iterator[Field]:
    """The parameters, with the keys of ``**kwargs: Unpack[...]`` in its place."""
    for each in parameters:
        keys = unpacked(each.annotation) if each.kind == VAR_KEYWORD else MISSING
        yield from [each] if keys is MISSING else read_keys(keys, each.scope).fields


def _reason(parameter: Field, exclude: Collection[Any], walk: Walk) -> tuple[str, Any] | None:
    """The reason why a parameter is left out; ``None`` if additional properties replace it."""
    profile = walk.profile
    names, types = excluded(exclude)
    if parameter.name in profile.injected_names:
        return "injected_names", parameter.name
    if parameter.name in names:
        return "exclude", parameter.name
    for predicate in profile.injected_if:
        if predicate(parameter):
            return "injected_if", predicate
    classes = sorted(profile.injected_classes, key=str)
    for why, each, injection in (
        ("Injected", Injected, Injection([], Classes(()))),  # first, for the others match it, too
        *(("exclude", tp, Injection([tp], Classes(()))) for tp in types),
        *(("injected_classes", cls, Injection([], Classes({cls}))) for cls in classes),
    ):
        if injection.is_injected(parameter):
            return why, each
    is_shown = parameter.kind == VAR_KEYWORD and profile.variadics == "open"
    is_lost = parameter.kind in VARIADIC and not is_shown
    return ("variadics", profile.variadics) if is_lost else None
