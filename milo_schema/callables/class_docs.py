"""The documentation of a class and its fields: its docstring, and strings below the fields."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from milo_schema import docstrings
from milo_schema.annotations.classes import USER_CODE_ERRORS, body, class_name


def text_of_doc(cls: type) -> str | None:
    """The docstring of a class; ``None`` if there is none, or Python generated it."""
    doc = body(cls).get("__doc__")
    if type(doc) is not str or (doc[-1:] == ")" and doc.startswith(f"{class_name(cls)}(")):
        return None  # that of a dataclass or NamedTuple
    return None if doc in ("", "An enumeration.") or doc.isspace() else doc


def written_doc(cls: type) -> tuple[str, dict[str, str]] | None:
    """The description of a class, and the texts of its fields; ``None`` without a docstring."""
    if (text := text_of_doc(cls)) is None:
        return None
    parsed = docstrings.parse_docstring(text)
    return parsed.description, parsed.params | parsed.attributes


def description_of(cls: type) -> str | None:
    """The description of a class, without the descriptions of its fields."""
    doc = written_doc(cls)
    return None if doc is None else doc[0] or None


# -- strings below fields ----------------------------------------------------------------------


def attribute_docs(cls: type) -> dict[str, str]:
    """The strings below the fields of a class, by field; empty if the source cannot be read.

    Python does not keep these strings, so this parses the file.
    """
    import inspect

    pairs = ((_name_of_field(field), _text_of(below)) for field, below in pairwise(_written(cls)))
    return {name: inspect.cleandoc(text) for name, text in pairs if name and text}


def _written(cls: type) -> list[Any]:
    """The statements in the body of a class."""
    import ast
    import inspect

    try:
        lines = inspect.getsource(cls)
        # The class may be indented while lines of its strings are not.
        tree = ast.parse(f"if True:\n{lines}" if lines[:1] in (" ", "\t") else lines)
    except USER_CODE_ERRORS:  # no file, or it has changed: inspect and ast raise many errors
        return []
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return found[0].body if found and found[0].name == class_name(cls) else []


def _text_of(node: Any) -> str:
    """The text of a statement that is only a string; empty for any other."""
    import ast

    value = node.value if isinstance(node, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else None
    return text if isinstance(text, str) else ""


def _name_of_field(node: Any) -> str:
    """The name of the field that a statement defines; empty if it defines none."""
    import ast

    targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
