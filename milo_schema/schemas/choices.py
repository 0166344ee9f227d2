"""Rules for ``Literal`` and Enums: a list of values."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, Collection, Fragment, Sequence
from milo_schema.annotations.classes import (
    Unresolved,
    inherits,
    is_class,
    loaded,
    loaded_when_called,
    loaded_when_used,
    static,
)
from milo_schema.annotations.evaluation import evaluated, is_unresolved
from milo_schema.annotations.forms import split
from milo_schema.schemas.walk import Step, Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.callables import class_docs
    from milo_schema.json_schema import values as json_values
    from milo_schema.schemas import definitions
else:
    class_docs = loaded_when_used("callables.class_docs")
    definitions = loaded_when_used("schemas.definitions")
    json_values = loaded_when_used("json_schema.values")

display: Callable[..., str] = loaded_when_called("annotations.display", "display")


def literal(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``Literal[...]``: the values; for an Enum member, its value (PEP 586)."""
    if not args:
        return walk.at(step).unsupported(tp, f"no JSON Schema for {display(tp)}")
    return _choice(tp, args, walk, step)


def enumeration(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """An Enum: the values of its members. A Flag: any combination of its bits."""
    cls = tp if is_class(tp) else split(tp)[0]  # an Enum may have been written with arguments
    if not (members := static(cls, "_member_map_")):
        reason = f"{display(cls)} has no members, so no value is valid"
        return walk.at(step).unsupported(cls, reason)
    return definitions.define(cls, lambda walk: _enumeration(cls, members, walk), walk.at(step))


def _enumeration(cls: Any, members: dict[str, Any], walk: Walk) -> Fragment:
    names = static(cls, "_member_names_")
    values = [members[name]._value_ for name in names]
    is_text = values and type(values[0]) is str  # the values of a Flag are integers
    if not is_text and inherits(cls, loaded("enum.Flag")):
        fragment = {"type": "integer", "minimum": 0, "maximum": static(cls, "_flag_mask_")}
    else:
        fragment = _choice(cls, values, walk, "", names)
    if description := class_docs.description_of(cls):
        fragment["description"] = description
    return fragment


def _choice(
    tp: Any, values: Collection[Any], walk: Walk, step: Step, names: Sequence[str] = ()
) -> Fragment:
    for value in values:
        if type(value) is not str:
            break
    else:  # most have only strings
        return {"type": "string", "enum": list(dict.fromkeys(values))}
    distinct: dict[Any, Any] = {}
    types = set()
    try:
        for at, value in enumerate(values):  # noqa: B007 - the message names the last one
            json = json_values.exactly_json(value)
            types.add(json_values.json_type(json))
            distinct[type(json), repr(json)] = json  # 1 and True differ in JSON
    except json_values.NotJSONError as problem:
        if any(map(is_unresolved, values)):
            return _choice(tp, [_evaluated(each, walk) for each in values], walk, step, names)
        what = f"{display(tp)}.{names[at]} is" if names else f"{display(tp)} allows"
        reason = f"{what} {problem}, which is not JSON; use strings or numbers"
        return walk.at(step).unsupported(tp, reason)
    if types == {"integer", "number"}:
        types = {"number"}
    shared = {"type": types.pop()} if len(types) == 1 else {}
    return {**shared, "enum": list(distinct.values())}


def _evaluated(value: Any, walk: Walk) -> Any:
    """The value of a name that could not be evaluated before: ``Color.RED`` without ``Color``."""
    found = evaluated(value, walk.scope) if is_unresolved(value) else value
    if type(found) is Unresolved:
        raise found.error
    return found
