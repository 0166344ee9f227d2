"""The docstrings of callables and classes, and strings below the fields of a class."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    attributes,
    body,
    class_name,
    is_any,
    is_class,
    mro,
    own,
    static,
)
from milo_schema.annotations.forms import split
from milo_schema.annotations.scopes import enclosing_class
from milo_schema.callables.wrappers import DESCRIPTORS, is_compiled, is_partial, wrapped_by
from milo_schema.docstrings import Docstring, Docstrings
from milo_schema.docstrings.lines import without_indentation
from milo_schema.docstrings.sections import description_in

# -- classes -----------------------------------------------------------------------------------


def text_of_doc(cls: type) -> str | None:
    """The docstring of a class; ``None`` if there is none, or Python generated it."""
    doc = body(cls).get("__doc__")
    if type(doc) is not str or (doc[-1:] == ")" and doc.startswith(f"{class_name(cls)}(")):
        return None  # that of a dataclass or NamedTuple
    return None if doc in ("", "An enumeration.") or doc.isspace() else doc


ClassDocs = dict[str, tuple[str, dict[str, str]]]
"""The description and the texts of fields in each docstring of a class that was parsed."""


def written_doc(cls: type, known: ClassDocs | None = None) -> tuple[str, dict[str, str]] | None:
    """The description of a class, and the texts of its fields; ``None`` without a docstring.

    Args:
        cls: The class.
        known: The docstrings that were parsed before; that of the class is added.
    """
    if (text := text_of_doc(cls)) is None:
        return None
    docs: ClassDocs = {} if known is None else known
    if text not in docs:
        docs[text] = description_in(text)
    return docs[text]


def description_of(cls: type) -> str | None:
    """The description of a class, without the descriptions of its fields."""
    doc = written_doc(cls)
    return None if doc is None else doc[0] or None


# -- strings below fields ----------------------------------------------------------------------


def texts_of_fields(cls: type) -> dict[str, str]:
    """The texts of the fields of a class: in its docstring, and in the strings below them."""
    doc = written_doc(cls)
    return {**(doc[1] if doc else {}), **attribute_docs(cls)}


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


# -- callables ---------------------------------------------------------------------------------


def docs_of(func: Any, function: types.FunctionType | None) -> list[str]:
    """The docstrings that describe the parameters of a callable; the most specific one last.

    Args:
        func: The callable, which is not a plain function.
        function: The function that finally runs.
    """
    while type(func) is types.MethodType and type(func.__func__) is not types.FunctionType:
        func = func.__func__  # made by a decorator
    if type(func) is types.MethodType:
        cls = func.__self__ if is_class(func.__self__) else type(func.__self__)
        return texts(func.__doc__) or inherited_docs(cls, func.__name__)
    if is_compiled(func):
        return texts(func.__doc__)
    if is_partial(func):
        func = function
    if is_any(type(func), (types.FunctionType, *DESCRIPTORS)) or wrapped_by(func) is not None:
        if (doc := texts(func.__doc__)) or function is None:
            return doc
        outer = enclosing_class(function)
        return [] if outer is None else inherited_docs(outer, function.__name__)
    is_written = type(static(type(func), "__call__")) is not types.WrapperDescriptorType
    docs = inherited_docs(type(func), "__call__") if is_written else []
    return [*docs, *texts(attributes(func).get("__doc__"))]


def inherited_docs(cls: type, name: str) -> list[str]:
    """The docstring that a method inherits from a base class, as for ``inspect.getdoc()``."""
    found = (own(base, name) for base in mro(cls))
    docs = (texts(method.__doc__) for method in found if method is not None)
    return next(filter(None, docs), [])


def texts(*docs: Any) -> list[str]:
    """The docstrings that are strings."""
    return [doc for doc in docs if type(doc) is str]


# -- tools -------------------------------------------------------------------------------------


def description_of_callable(
    func: Any, docs: Sequence[str], sections: tuple[str, ...], parser: Docstrings
) -> str:
    """The text of these sections in the docstring of a callable: the description of a tool.

    Args:
        func: The callable.
        docs: The docstrings in the signature of the callable.
        sections: The names of the sections, as in ``Profile.tool_description``.
        parser: Parses them.
    """
    every: list[Any] = [*docs[::-1]]
    cls, _ = split(func)
    if is_class(cls):
        every = [text_of_doc(cls), _doc_of_method(own(cls, "__init__"))]
    elif type(static(type(func), "__call__")) is types.FunctionType:  # an instance
        of_class = text_of_doc(type(func))
        if wrapped_by(func) is None:  # what it is comes before what its method does
            every = [*texts(attributes(func).get("__doc__")), of_class, *every]
        else:
            every.append(of_class)
    return next(filter(None, (_said_in(text, sections, parser) for text in every)), "")


def _doc_of_method(method: Any) -> Any:
    """The docstring of a method, if there is a method: ``None`` has a docstring, too."""
    doc = getattr(method, "__doc__", None) if type(method) is types.FunctionType else None
    is_made_up = type(doc) is str and doc.startswith("Method generated by attrs for class ")
    return None if is_made_up else doc


def _said_in(text: Any, sections: tuple[str, ...], parser: Docstrings) -> str:
    """The text of these sections of a docstring; empty if the first section is missing."""
    if type(text) is not str:
        return ""
    doc = parser.parse(text)
    parts = [SECTIONS[each](doc, text) for each in sections]
    return "\n\n".join(filter(None, parts)) if parts and parts[0] else ""


def _titled(title: str, text: str) -> str:
    return f"{title}:\n{text}" if text else ""


def _returns(doc: Docstring, _text: str) -> str:
    """The description of the value that is returned or yielded."""
    parts = (_titled("Returns", doc.returns), _titled("Yields", doc.yields))
    return "\n\n".join(filter(None, parts))


def _raises(doc: Docstring, _text: str) -> str:
    lines = [f"{name}: {said}" if said else name for name, said in doc.raises.items()]
    return _titled("Raises", "\n".join(lines))


SECTIONS: dict[str, Callable[[Docstring, str], str]] = {
    "first_line": lambda doc, _: doc.description.partition("\n")[0],
    "summary": lambda doc, _: doc.summary,
    "prose": lambda doc, _: doc.description,
    "returns": _returns,
    "raises": _raises,
    "examples": lambda doc, _: _titled("Examples", doc.examples),
    "docstring": lambda _, text: without_indentation(text),
}
"""How to get each section of ``Profile.tool_description`` from a docstring."""
