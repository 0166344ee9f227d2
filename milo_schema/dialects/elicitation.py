"""The forms of MCP's elicitation: an object of plain fields that a client asks its user for.

A field is text, a number, a check box, or a choice of one or several strings, which may have
titles. Nothing is nested and nothing is null: an optional field is left out.
"""

from __future__ import annotations

from milo_schema.annotations import Fragment
from milo_schema.dialects.branches import Describer, constraints, described, normalized, resolved
from milo_schema.dialects.consumers import ELICITATION, Report
from milo_schema.dialects.spelling import object_at_root, spell
from milo_schema.json_schema.keywords import ANNOTATION_KEYWORDS
from milo_schema.json_schema.subschemas import step_to, without
from milo_schema.json_schema.validation import is_valid

_OF_A_FORM = frozenset({"type", "properties", "required", "additionalProperties"})
_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def elicitation(schema: Fragment, report: Report) -> Fragment:
    """Write a schema as a form, which MCP calls ``requestedSchema``.

    Args:
        schema: The finished schema of an object; it is not changed.
        report: Called with the path (``.address``) and message of each unsupported part.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: *report* raised it.

    Example:
        >>> from milo_schema.dialects.elicitation import elicitation
        >>> colors = [{"const": "#f00", "title": "Red"}, {"const": "#00f", "title": "Blue"}]
        >>> schema = {"type": "object", "properties": {"color": {"anyOf": colors}}}
        >>> elicitation(schema, print)["properties"]["color"]["oneOf"][0]
        {'const': '#f00', 'title': 'Red'}
    """
    bodies = schema.get("$defs", {})
    root = object_at_root(schema, bodies, ELICITATION.name, report)
    if root.get("type") != "object" or "properties" not in root:
        report("", f"{ELICITATION.name} supports only an object with named properties")
    for keyword in constraints(root):
        if keyword not in _OF_A_FORM:
            report("", f"{ELICITATION.name} does not support {keyword} at the root")
    fields = {
        name: _field(resolved(normalized(each), bodies), bodies, step_to(name), report)
        for name, each in root.get("properties", {}).items()
    }
    required = [name for name in root.get("required", ()) if name in fields]
    for name in required:
        if is_valid(None, root["properties"][name], schema):
            report(step_to(name), f"{ELICITATION.name} does not support null; do not require it")
    return {"type": "object", "properties": fields, **({"required": required} if required else {})}


def _field(node: Fragment, bodies: Fragment, path: str, report: Report) -> Fragment:
    """A property as a field of a form."""
    if options := _options(node):
        return _spelled({"type": "string", **_annotations(node)}, _choice(options, "oneOf"))
    items = resolved(normalized(node.get("items", {})), bodies)
    if node.get("type") == "array" and (options := _options(items)):
        return _spelled(without(node, "uniqueItems"), {"items": _choice(options, "anyOf")})
    spelled = spell({**node, "$defs": bodies}, ELICITATION, _ignore)
    branches = [each for each in _alternatives(spelled) if each["type"] != "null"]
    if len(branches) == 1 and branches[0]["type"] in _PLAIN:
        return {**branches[0], **without(spelled, "anyOf")}
    kinds = " | ".join(each["type"] for each in branches) or "null"
    reason = f"{ELICITATION.name} supports plain fields only, not {kinds}"
    report(path, f"{reason}; write a field for each part")
    annotations = _annotations(node)
    phrase = Describer(bodies).schema(without(node, *annotations))
    annotations.pop("default", None)
    return described(_spelled({"type": "string", **annotations}, {}), [phrase])


def _alternatives(node: Fragment) -> list[Fragment]:
    """The members of a union and of the unions in it."""
    branches: list[Fragment] = node.get("anyOf") or node.get("oneOf") or []
    members = [member for branch in branches for member in _alternatives(normalized(branch))]
    return members if branches else [node]


def _annotations(node: Fragment) -> Fragment:
    return {key: node[key] for key in node if key in ANNOTATION_KEYWORDS}


def _spelled(node: Fragment, more: Fragment) -> Fragment:
    """A plain node in the dialect, and keywords that only this dialect writes in this way."""
    spelled = spell(node, ELICITATION, _ignore)
    return {"type": spelled["type"], **more, **without(spelled, *more)}


def _ignore(_path: str, _reason: str) -> None:
    """Ignore a report about a part of a field: a loss is reported for the whole field."""


# -- choices -----------------------------------------------------------------------------------


def _options(node: Fragment) -> dict[str, str]:
    """The options of a choice with their titles; empty if the node is not a choice."""
    options: dict[str, str] = {}
    branches = _alternatives(node)
    for branch in branches:
        if branch.get("type") == "null" or branch.get("enum") == [None]:
            continue
        values = [value for value in branch.get("enum", ()) if value is not None]
        if not values or any(type(value) is not str for value in values):
            return {}
        is_option = len(values) == 1 and branches != [node]
        options |= dict.fromkeys(values, branch.get("title", "") if is_option else "")
    return options


def _choice(options: dict[str, str], union: str) -> Fragment:
    """The keywords of a choice, for one string or for the items of an array."""
    if any(options.values()):
        return {
            union: [{"const": value, "title": title or value} for value, title in options.items()]
        }
    return {**({"type": "string"} if union == "anyOf" else {}), "enum": [*options]}
