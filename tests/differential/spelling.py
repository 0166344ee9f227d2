"""Normalize two schemas, so that remaining differences are differences of meaning."""

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from milo_schema import Profile, profiles
from tests.inside import rebuild, resolve_reference

Json = dict[str, Any]
PAGE = Path(__file__).parents[2] / "docs" / "profiles.md"


@functools.cache
def values() -> dict[str, Profile]:
    """The profiles of frameworks that are not built in, as the page on profiles has them."""
    _, _, below = PAGE.read_text(encoding="utf-8").partition("\n## Profiles for other frameworks\n")
    found = re.search(r"```python\n(.*?)```", below, re.DOTALL)
    assert found is not None
    namespace: dict[str, Any] = {"profiles": profiles}
    exec(found[1], namespace)
    return {name: value for name, value in namespace.items() if isinstance(value, Profile)}


def spelled(schema: Any, root: Json | None = None, inside: tuple[str, ...] = ()) -> Any:
    """A schema with its references written out, without its words, and with its lists sorted."""
    if type(schema) is not dict:
        return schema
    root = schema if root is None else root
    if reference := schema.get("$ref"):
        if reference in inside:
            return {"recursive": len(inside) - inside.index(reference)}
        schema = {**resolve_reference(reference, root), **schema}
        del schema["$ref"]
        inside = (*inside, reference)
    rest = {key: each for key, each in schema.items() if key not in _NOT_COMPARED}
    return _sorted(rebuild(rest, lambda below: spelled(below, root, inside)))


_NOT_COMPARED = {"$defs", "title", "description", "discriminator"}


def _sorted(schema: Json) -> Json:
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if "oneOf" in schema:
        schema["anyOf"] = schema.pop("oneOf")
    for keyword in ("items", "additionalProperties"):
        if schema.get(keyword) in (True, {}):
            del schema[keyword]
    for keyword in ("enum", "required", "anyOf"):
        if keyword in schema:
            schema[keyword] = sorted(schema[keyword], key=_text)
    if not schema.get("required", True):
        del schema["required"]
    if len(arms := schema.get("anyOf", ())) == 1:
        del schema["anyOf"]
        schema = {**arms[0], **schema}
    return schema


def differences(theirs: Any, ours: Any, path: str = "") -> Iterator[str]:
    """The places where two values differ."""
    if type(theirs) is dict and type(ours) is dict:
        for key in dict.fromkeys([*theirs, *ours]):
            yield from differences(theirs.get(key), ours.get(key), f"{path}.{key}")
    elif _text(theirs) != _text(ours):
        yield path


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
