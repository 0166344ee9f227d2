"""Find the rule for an annotation and apply it.

Lists, mappings and ``X | None`` need only this module and ``containers``. An annotation that is not
in the built-in tables is looked up in ``rules``, which is loaded when it is first needed.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Fragment
from milo_schema.annotations.classes import Unresolved, UnresolvedError
from milo_schema.annotations.forms import UNION, alias_of, is_generic_class, split
from milo_schema.schemas.containers import BY_IDENTITY, union
from milo_schema.schemas.walk import Derivation, Step, Walk


def by_rule(  # noqa: PLR0913, PLR0917 - once per annotation: keywords would cost time
    tp: Any,
    walk: Walk,
    step: Step,
    drops_none: bool | str = False,  # noqa: FBT001, FBT002
    parts: tuple[Any, Arguments] | None = None,
    default: Any = None,
) -> Fragment:
    """Derive the schema of an annotation with the rule for it.

    Args:
        tp: The annotation.
        walk: The place around it.
        step: The step from there to the annotation.
        drops_none: Whether ``T | None`` is ``T``, as for an optional parameter; the same values as
            ``Profile.unwrap_none``.
        parts: Its head and its arguments, if it is already split.
        default: The default of the parameter or field.
    """
    profile, derivation = walk.profile, walk.derivation
    if walk.depth >= profile.max_depth or derivation.size > profile.max_subschemas:
        walk.at(step).keep_to_limits(tp)
    if type(tp) is type and (met := derivation.definitions) and id(tp) in met.annotations:
        return met.refer(id(tp))
    try:
        head, args = parts or split(tp)
        rule = BY_IDENTITY.get(id(head))
        if rule is None or profile.types:
            rules = derivation.rules or rules_of(derivation)
            rule, args = rules.find_for(tp, head, args, walk)
            if not drops_none or rule not in rules.MAY_BE_OPTIONAL:
                return rule(tp, args, walk, step)  # type: ignore[no-any-return]  # of RULES
        elif rule is not union:
            return rule(tp, args, walk, step)
        if drops_none:
            bare = _without_none(tp, rule, args, walk)
            if bare is not tp and (drops_none is True or default is None):
                return walk.schema(bare, step)
        return rule(tp, args, walk, step)
    except UnresolvedError as problem:
        shown = tp.text if type(tp) is Unresolved else tp
        return walk.at(step).unsupported(shown, str(problem), problem)
    except RecursionError:  # the caller is deep in the stack itself
        reason = "nested too deeply for the space left on Python's stack"
        walk.at(step).refuse(reason, tp, code="limit")


def rules_of(derivation: Derivation) -> Any:
    """The module ``schemas.rules``, loaded for the first annotation that needs it."""
    global _rules  # noqa: PLW0603 - written once, and always with the same value
    if _rules is None:
        from milo_schema.schemas import rules

        _rules = rules
    derivation.rules = _rules
    return _rules


_rules: Any = None
"""The module ``schemas.rules``, once it is loaded."""


def _without_none(tp: Any, rule: Any, args: Arguments, walk: Walk) -> Any:
    """``T`` for ``T | None``. Classes, and unions of classes and ``None``, need no closer look."""
    rules = walk.derivation.rules
    for arg in args if rule is union or rule is rules.annotated else (tp,):
        if type(arg) is not type and not is_generic_class(arg):
            rules = rules or rules_of(walk.derivation)
            return rules.without_none(tp, walk.scope)
    if rule is not union or _NONE_TYPE not in args:
        return tp
    others = [arg for arg in args if arg is not _NONE_TYPE]
    return others[0] if len(others) == 1 else alias_of(UNION, tuple(others))


_NONE_TYPE = type(None)
