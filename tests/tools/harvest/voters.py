"""The results of other parsers for a docstring: the witnesses of the ground truth.

Each witness reads a docstring in the style of its package first and in the other styles after that,
because real packages mix them. A witness that fails on a docstring finds nothing in it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import logging
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import docstring_parser
import griffe
from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from numpydoc.docscrape import NumpyDocString
from pydoctor.epydoc.markup import epytext
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring, NumpyDocstring

Texts = dict[str, str]
Witness = Callable[[str, str], "Texts"]

STYLES = ("google", "numpy", "sphinx")


def collapsed(text: str | None) -> str:
    """Return the text with every run of white space as one blank."""
    return " ".join((text or "").split())


def plain_name(name: str) -> str:
    """Return a name without stars, backslashes and backticks."""
    return name.replace("\\", "").strip(" *`")


def gathered(pairs: Iterable[tuple[str, str | None]]) -> Texts:
    """Return the first text of each name, `x, y` being two names; empty texts are skipped."""
    texts: Texts = {}
    for names, text in pairs:
        for name in names.split(","):
            if collapsed(text):
                texts.setdefault(plain_name(name), collapsed(text))
    return texts


def by_styles(read: Callable[[str, str], Texts], text: str, style: str) -> Texts:
    """Read in the package's own style, then in the others for the names still missing."""
    texts: Texts = {}
    for each in (style, *(other for other in STYLES if other != style)):
        with contextlib.suppress(Exception):
            texts = read(text, each) | texts
    return texts


def from_docstring_parser(text: str, style: str) -> Texts:
    styles = {
        "google": docstring_parser.DocstringStyle.GOOGLE,
        "numpy": docstring_parser.DocstringStyle.NUMPYDOC,
        "sphinx": docstring_parser.DocstringStyle.REST,
        "epydoc": docstring_parser.DocstringStyle.EPYDOC,
    }

    def read(text: str, style: str) -> Texts:
        parsed = docstring_parser.parse(text, style=styles[style])
        kinds = {"param", "parameter", "arg", "argument", "key", "keyword", "other_param"}
        kinds |= {"parameters", "params", "args", "arguments", "other parameters", "keyword args"}
        return gathered(
            (param.arg_name, param.description)
            for param in parsed.params
            if not param.args
            or param.args[0].lower().replace("_", " ") in kinds
            or style == "numpy"
        )

    return by_styles(read, text, style)


def from_griffe(text: str, style: str) -> Texts:
    def read(text: str, style: str) -> Texts:
        sections = griffe.Docstring(text).parse(style)  # type: ignore[arg-type]
        kinds = {"parameters", "other parameters"}
        return gathered(
            (item.name, item.description)
            for section in sections
            if section.kind.value in kinds
            for item in section.value
        )

    return by_styles(read, text, style)


def from_numpydoc(text: str, style: str) -> Texts:
    def read(text: str, style: str) -> Texts:
        if style != "numpy":
            return {}
        parsed = NumpyDocString(text)
        return gathered(
            (item.name, "\n".join(item.desc))
            for section in ("Parameters", "Other Parameters")
            for item in parsed[section]
        )

    return by_styles(read, text, style)


def from_napoleon(text: str, style: str) -> Texts:
    config = Config(napoleon_use_param=True, napoleon_use_keyword=True)

    def read(text: str, style: str) -> Texts:
        makers: dict[str, Any] = {"google": GoogleDocstring, "numpy": NumpyDocstring}
        if style in makers:
            text = "\n".join(makers[style](text, config, what="function").lines())
        return gathered(rest_fields(text))

    return by_styles(read, text, style)


def from_pydoctor(text: str, style: str) -> Texts:
    """Read epytext; its inline markup is gone from the texts, so compare with `without_markup`."""
    errors: list[Any] = []
    with contextlib.suppress(Exception):
        parsed = epytext.parse_docstring(text, errors)
        if not any(error.is_fatal() for error in errors):
            return gathered(
                (field.arg() or "", field.body().to_node().astext())
                for field in parsed.fields
                if field.tag() in {"param", "arg", "keyword", "kwarg"}
            )
    return {}


WITNESSES: dict[str, Witness] = {
    "docstring_parser": from_docstring_parser,
    "griffe": from_griffe,
    "numpydoc": from_numpydoc,
    "napoleon": from_napoleon,
    "pydoctor": from_pydoctor,
}
HEARD = {
    "google": ("docstring_parser", "griffe", "napoleon"),
    "numpy": ("docstring_parser", "griffe", "numpydoc", "napoleon"),
    "sphinx": ("docstring_parser", "griffe", "napoleon"),
    "epydoc": ("docstring_parser", "pydoctor"),
}


def witnesses(text: str, style: str) -> dict[str, Texts]:
    """Return the results of each witness; nothing if it fails."""
    text = inspect.cleandoc(text)
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        found = {who: WITNESSES[who](text, style) for who in HEARD[style]}
    if style == "epydoc":
        return {w: {k: without_markup(v) for k, v in texts.items()} for w, texts in found.items()}
    return found


# Epytext


def without_markup(text: str) -> str:
    """Return epytext without its inline markup, white space apart: `C{x}` is `x`."""
    before = ""
    text = text.replace("E{lb}", "").replace("E{rb}", "")
    while before != text:
        before = text
        text = re.sub(r"[A-Z]\{([^{}<]*)(?:<[^{}]*>)?\}", r"\1", text)
    return re.sub(r"[\s{}]+", "", text)


# reST: docutils finds the fields, and we keep the source of each body as it stands


@functools.lru_cache(maxsize=8)  # napoleon leaves a docstring of another style as it is
def rest_fields(text: str) -> list[tuple[str, str]]:
    """Return the name and the source of every parameter field that docutils sees."""
    settings = frontend.get_default_settings(Parser)
    settings.report_level = 5
    settings.halt_level = 6
    settings.file_insertion_enabled = False
    document = utils.new_document("docstring", settings)
    Parser().parse(text, document)
    found = []
    for field in document.findall(nodes.field):
        tag, _, argument = field[0].rawsource.partition(" ")
        if tag.lower() in {"param", "parameter", "arg", "argument", "key", "keyword", "kwarg"}:
            found.append((argument.rpartition(" ")[2], field[1].rawsource))
    return found


def keep_source(self: Any, indented: Any, offset: int, node: Any) -> None:
    node.rawsource = "\n".join(indented)


states.Body.parse_field_body = keep_source  # type: ignore[method-assign]
logging.disable(logging.CRITICAL)
