"""Ready-made transforms for ``Profile.transforms``, which change the form of a schema.

A transform is a function ``(schema, report) -> schema``. It gets a finished schema and returns a
fresh one. The ``report`` knows the function, and whether the schema is for its input or output.
"""

from __future__ import annotations

from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.annotations.classes import MISSING, USER_CODE_ERRORS
from milo_schema.annotations.frozen import Frozen
from milo_schema.errors import Report
from milo_schema.json_schema.subschemas import rebuild, simplify, without

__all__ = [
    "Descriptions",
    "Report",
    "Titles",
    "nullable",
    "required_lists",
    "without_null_defaults",
]


class Descriptions(Frozen):
    """Add a description to each parameter of a function that has none.

    Put it before the transform of a dialect, which may move descriptions.

    Args:
        template: The description, in which ``{name}`` becomes the name of the parameter.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> from milo_schema.transforms import Descriptions
        >>> mine = profiles.MCP.replace(transforms=[Descriptions("The {name}.")])
        >>> def greet(word: str): ...
        >>> function_to_schema(greet, profile=mine)["properties"]["word"]["description"]
        'The word.'
    """

    template: str

    def __call__(self, schema: dict[str, Any], report: Report) -> dict[str, Any]:
        """Add the descriptions."""
        if report.output or report.func is None:
            return schema
        known = schema.get("properties", {})
        return {**schema, "properties": {name: self._of(name, known[name]) for name in known}}

    def _of(self, name: str, schema: Fragment) -> Fragment:
        if "description" in schema:
            return schema
        bare = {"anyOf": [schema]} if "$ref" in schema else schema  # a reference has no siblings
        return {**bare, "description": self.template.replace("{name}", name)}


class Titles(Frozen):
    """Add titles as pydantic does: for properties, definitions, and the whole schema.

    A property ``city_name`` gets the title ``City Name``, unless it only refers to a definition,
    which has its name as the title. So use a profile with ``inline=False``, like pydantic.
    Existing titles are not changed.

    Args:
        inputs: The title of an input schema; ``{name}`` becomes the function's name, and
            ``{tool}`` the name that the tool was given, if it was given another one.
        outputs: The title of an output schema, except that of a named type, such as a dataclass.
        mappings: The title of the output schema of a mapping, such as ``dict[str, int]``.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> from milo_schema.transforms import Titles
        >>> mine = profiles.MCP.replace(inline=False, transforms=[Titles("{name}_args")])
        >>> def greet(first_name: str): ...
        >>> schema = function_to_schema(greet, profile=mine)
        >>> schema["title"], schema["properties"]["first_name"]["title"]
        ('greet_args', 'First Name')
    """

    inputs: str = "{name}Arguments"
    outputs: str = "{name}Output"
    mappings: str = "{name}DictOutput"

    def __call__(self, schema: dict[str, Any], report: Report) -> dict[str, Any]:
        """Add the titles."""
        schema = _with_titles(schema)
        for name, definition in schema.get("$defs", {}).items():
            definition.setdefault("title", name)
        if title := self._of_root(schema, report):
            schema.setdefault("title", title)
        return schema

    def _of_root(self, schema: dict[str, Any], report: Report) -> str:
        if report.type_name or report.func is None:
            return report.type_name
        is_mapping = schema.get("type") == "object" and "properties" not in schema
        of_output = self.mappings if is_mapping else self.outputs
        template = of_output if report.output else self.inputs
        try:
            name = getattr(report.func, "__name__", None)  # a mock may have anything
        except USER_CODE_ERRORS:
            name = None
        name = name if type(name) is str else report.name
        return template.replace("{name}", name).replace("{tool}", report.tool or name)


def _with_titles(schema: Fragment) -> Fragment:
    schema = rebuild(schema, _with_titles)
    for name, each in schema.get("properties", {}).items():
        if type(each) is dict and not _is_reference(each):
            each.setdefault("title", name.replace("_", " ").title().strip())
    return schema


def _is_reference(schema: Fragment) -> bool:
    """Whether a schema only refers to a definition, or to a definition or null."""
    arms = [arm for arm in schema.get("anyOf", [schema]) if arm != _NULL]
    return len(arms) == 1 and "$ref" in arms[0]


_NULL = {"type": "null"}


def nullable(schema: dict[str, Any], _report: Report | None = None) -> dict[str, Any]:
    """Write ``T | None`` as ``"nullable": true``, as in OpenAPI 3.0.

    Example:
        >>> from milo_schema import profiles, type_to_schema
        >>> from milo_schema.transforms import nullable
        >>> type_to_schema(int | None, profile=profiles.MCP.replace(transforms=[nullable]))
        {'type': 'integer', 'nullable': True}
    """
    schema = rebuild(schema, nullable)
    arms = schema.get("anyOf", [])
    others = [arm for arm in arms if arm != _NULL]
    if not others or len(others) == len(arms):
        return schema
    rest = without(schema, "anyOf")
    if len(others) > 1 or "$ref" in others[0]:
        return {"anyOf": others, **rest, "nullable": True}
    return {**others[0], **rest, "nullable": True}


def required_lists(schema: dict[str, Any], _report: Report | None = None) -> dict[str, Any]:
    """Add ``required`` to every object with properties, even if the list is empty.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> from milo_schema.transforms import required_lists
        >>> def greet(name: str = "you"): ...
        >>> mine = profiles.MCP.replace(transforms=[required_lists])
        >>> function_to_schema(greet, profile=mine)["required"]
        []
    """
    schema = rebuild(schema, required_lists)
    if "properties" in schema:
        schema.setdefault("required", [])
    return schema


def without_null_defaults(schema: dict[str, Any], _report: Report | None = None) -> dict[str, Any]:
    """Leave out ``"default": null``: providers take a default for a value to send.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> from milo_schema.transforms import without_null_defaults
        >>> def greet(name: str | None = None): ...
        >>> mine = profiles.MILO.replace(transforms=[without_null_defaults])
        >>> function_to_schema(greet, profile=mine)["properties"]["name"]
        {'type': 'string'}
    """
    schema = rebuild(schema, without_null_defaults)
    if schema.get("default", MISSING) is not None:
        return schema
    del schema["default"]
    return simplify(schema) if "anyOf" in schema else schema  # a $ref may stand alone again
