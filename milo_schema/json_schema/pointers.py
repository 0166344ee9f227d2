"""Follow the references of a schema: the JSON Pointers of RFC 6901."""

from __future__ import annotations

from milo_schema.annotations import Any


def resolve_reference(reference: str, root: Any) -> Any:
    """The subschema of *root* that a reference such as ``#/$defs/Item`` leads to, or ``None``."""
    if not reference.startswith("#"):
        return None
    if "%" in reference:  # in a URL, a pointer is percent-encoded (RFC 6901, section 6)
        from urllib.parse import unquote

        reference = unquote(reference)
    target = root
    for token in reference.split("/")[1:]:
        target = _member(target, token.replace("~1", "/").replace("~0", "~"))
    return target if type(target) in (dict, bool) else None


def _member(value: Any, name: str) -> Any:
    if type(value) is list:
        return {str(index): item for index, item in enumerate(value)}.get(name)
    return value.get(name) if type(value) is dict else None
