"""A pydantic model asked for its own schema, merged into ours.

Only pydantic knows all that a model checks: validators, aliases, discriminators. What it emits is
brought into our form by position, never by name alone: titles that it made up go, its references
become ours, so that its ``$defs`` are named, shared and inlined like all others.
"""

from __future__ import annotations

from milo_schema.annotations.forms import display, split
from milo_schema.annotations.hints import RAISED, Name, loaded, told
from milo_schema.json_schema import subschemas
from milo_schema.json_schema.values import NotJSONError, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]

_POINTER = "#/$defs/"


def schema_of(tp: Any, walk: Walk) -> Fragment:
    """The fragment of a pydantic model or dataclass."""
    mode = "serialization" if walk.output else "validation"
    from milo_schema.json_schema import metaschema

    said: list[str] = []
    try:
        adapter = loaded("pydantic.TypeAdapter")(tp)
        schema = copied(adapter.json_schema(mode=mode, schema_generator=_generator(said)))
    except NotJSONError as problem:
        walk.refuse(f"pydantic's schema of {display(tp)} has {problem}, which is no JSON", tp)
    except RAISED as problem:  # hooks of somebody's model
        reason = f"pydantic has no JSON Schema for {display(tp)}: {told(problem, str)}"
        return walk.unsupported(tp, reason, problem)
    try:
        schema = metaschema.checked(
            schema, references=[_POINTER + name for name in schema.get("$defs", ())]
        )
    except ValueError as problem:
        walk.refuse(f"pydantic's schema of {display(tp)} {problem}", tp)
    for detail in said:
        walk.complain(f"pydantic's schema of {display(tp)}: {detail}", tp)
    definitions = schema.pop("$defs", {})
    origin, _ = split(tp)
    return _Import(definitions, walk).named((tp if origin is None else origin).__name__, schema)


def _generator(said: list[str]) -> Any:
    """What pydantic makes schemas with; what it would warn of is *said*."""

    def emit_warning(_self: object, kind: str, detail: str) -> None:
        if kind != "non-serializable-default":  # which is left out, as everywhere
            said.append(detail)

    base = loaded("pydantic.json_schema.GenerateJsonSchema")
    return type(base)(base.__name__, (base,), {"emit_warning": emit_warning})


class _Import:
    """The definitions of one model, as they become ours."""

    def __init__(self, definitions: dict[str, Fragment], walk: Walk) -> None:
        self.definitions = definitions
        self.walk = walk

    def named(self, name: str, schema: Fragment) -> Fragment:
        """A reference to a schema of pydantic's, defined here under that name."""
        if set(schema) == {"$ref"}:
            return self._fragment(schema)
        schema = {key: value for key, value in schema.items() if key != "title"}
        # The same name with the same content, all told, is the same type.
        imported = Name(name, repr((schema, self._reachable(schema))))
        return self.walk.define(imported, lambda _: self._fragment(schema))

    def _fragment(self, schema: Fragment) -> Fragment:
        reference = schema.get("$ref")
        if type(reference) is str and reference.startswith(_POINTER):
            name = reference.removeprefix(_POINTER)
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            return {**self.named(name, self.definitions[name]), **siblings}
        if "discriminator" in schema:  # OpenAPI's; the members tell themselves apart without it
            rest = {key: value for key, value in schema.items() if key != "discriminator"}
            schema = {"anyOf" if key == "oneOf" else key: value for key, value in rest.items()}
        fragment = subschemas.rebuild(schema, self._fragment)
        for name, field in fragment.get("properties", {}).items():
            if field.get("title") == name.title().replace("_", " ").strip():  # made up
                del field["title"]
        if "properties" in fragment and self.walk.profile.closed == "everything":
            fragment.setdefault("additionalProperties", False)
        if self.walk.profile.unwrap_none and not self.walk.output:
            for name, field in fragment.get("properties", {}).items():
                fragment["properties"][name] = _without_null(field)
        return fragment

    def _reachable(self, schema: Fragment) -> dict[str, Fragment]:
        found: dict[str, Fragment] = {}
        todo = [schema]
        while todo:
            node = todo.pop()
            name = str(node.get("$ref", "")).removeprefix(_POINTER)
            if name in self.definitions and name not in found:
                found[name] = self.definitions[name]
                todo.append(found[name])
            todo.extend(subschemas.subschemas_of(node))
        return dict(sorted(found.items()))


def _without_null(field: Fragment) -> Fragment:
    """``T`` for ``T | None``, as everywhere in a profile that unwraps None."""
    arms = [arm for arm in field.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(field["anyOf"]):
        return field
    rest = {key: value for key, value in field.items() if key != "anyOf"}
    return {**arms[0], **rest} if len(arms) == 1 else {"anyOf": arms, **rest}
