"""Unions of models in models: pydantic tries every member, and all members of the unions inside.

So its time doubles with each level. ``reader_of_unions()`` makes a validator of the same schema, in
which each union decides about each value only once. It reads Python's dictionaries, not the text of
JSON, because a value is known by its id. So it is not for what the author made strict, which takes
the text of a date from JSON only; and shallow JSON is left to pydantic's own validator.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from milo_schema.annotations.classes import loaded

_SHALLOW = 6
"""The deepest nesting of JSON that pydantic's own validator reads, even if all of it are unions."""

_known: ContextVar[dict[tuple[int, int], tuple[Any, Any, Any]]] = ContextVar("_known")
"""The outcome of each union for each value, with that value, which has to stay alive."""


def is_deep(json: Any, levels: int = _SHALLOW) -> bool:
    """Whether JSON is nested deeper than this."""
    parts = json.values() if type(json) is dict else json if type(json) is list else ()
    return bool(parts) and (levels == 0 or any(is_deep(each, levels - 1) for each in parts))


def reader_of_unions(schema: Any) -> Callable[..., Any] | None:
    """A function that reads JSON as a core schema of pydantic describes it, each union once.

    Returns:
        The function, which takes the arguments of ``validate_python()``; ``None`` if the schema has
        no union, is strict somewhere, or if pydantic is too old.
    """
    copied = _Copied()
    root = copied.copy(schema)
    if copied.unions == 0 or copied.is_strict:
        return None
    whole = {"type": "definitions", "schema": root, "definitions": [*copied.definitions.values()]}
    try:
        # Without this option, pydantic takes the validator that each model has already.
        validator = loaded("pydantic_core.SchemaValidator")(whole, _use_prebuilt=False)
    except TypeError:
        return None

    def read(json: Any, **options: Any) -> Any:
        token = _known.set({})
        try:
            return validator.validate_python(json, **options)
        finally:
            _known.reset(token)

    return read


class _Copied:
    """A copy of a core schema, in which classes are definitions, and unions decide once.

    Attributes:
        definitions: The definitions, by their names.
        unions: How many unions there are.
        is_strict: Whether a part of it is strict, or has bytes in another form in JSON.
    """

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self.unions: int = 0
        self.is_strict: bool = False
        self._copies: dict[int, Any] = {}

    def copy(self, schema: Any) -> Any:
        """A copy of a part; parts that are the same object stay so."""
        if type(schema) in (list, tuple):
            return type(schema)(map(self.copy, schema))
        if type(schema) is not dict:
            return schema
        if id(schema) in self._copies:
            return self._copies[id(schema)]
        kind = schema.get("type")
        if kind == "definitions":
            for each in schema["definitions"]:
                self.definitions[each["ref"]] = self._with_parts(each)
            return self.copy(schema["schema"])
        if kind in ("model", "dataclass"):
            ref = f"milo_schema:{len(self._copies)}"
            self._copies[id(schema)] = {"type": "definition-ref", "schema_ref": ref}
            self.definitions[ref] = {**self._with_parts(schema), "ref": ref}
        else:
            self._copies[id(schema)] = self._with_parts(schema)
        return self._copies[id(schema)]

    def _with_parts(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A copy of a schema with copies of its parts."""
        if schema.get("strict") or schema.get("val_json_bytes"):
            self.is_strict = True
        found = {
            key: each if key in ("metadata", "serialization") else self.copy(each)
            for key, each in schema.items()
        }
        if found.get("type") != "union":
            return found
        self.unions += 1
        ref = {"ref": found.pop("ref")} if "ref" in found else {}
        decide = {"type": "no-info", "function": _deciding_once(self.unions)}
        return {"type": "function-wrap", "function": decide, "schema": found, **ref}


def _deciding_once(union: int) -> Callable[[Any, Callable[[Any], Any]], Any]:
    """A function around the validator of a union, which asks it only once about each value."""

    def decide(value: Any, validate: Callable[[Any], Any]) -> Any:
        if type(value) not in (dict, list):
            return validate(value)
        known, key = _known.get(), (id(value), union)
        if key not in known:
            known[key] = value, *_outcome(value, validate)
        _, found, problem = known[key]
        if problem is not None:
            raise problem
        return found

    return decide


def _outcome(value: Any, validate: Callable[[Any], Any]) -> tuple[Any, Any]:
    """The value that a union makes, or the error.

    pydantic prefers the member with most fields that are set, and counts those of inner unions.
    It cannot for those that decided before: so it is asked again when all of them have.
    """
    try:
        validate(value)
        return validate(value), None
    except loaded("pydantic.ValidationError") as problem:
        return None, problem
