"""How Sphinx makes a site of these pages: ``sphinx-build -W -n docs docs/_build/html``."""

import html
import re
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import milo_schema  # noqa: E402 - from the checkout

URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
IS_PUBLIC = "/OWNER/" not in URLS["Source"]

project = "milo_schema"
author = "milo_schema maintainers"
copyright = author  # noqa: A001 - Sphinx has no other name for it
release = milo_schema.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["_build", "examples", "live"]
templates_path = ["_templates"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
maximum_signature_line_length = 88
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True  # profile=MILO, not the repr of all its fields
napoleon_use_rtype = False
nitpick_ignore_regex = [
    ("py:.*", r"(?!milo_schema\b).*"),  # others have pages of their own
    # Internal, and types of keyword arguments that only type checkers know.
    ("py:class", r"milo_schema\.(?:(?:callables|schemas)\.\w+\.\w+|[\w.]+\.(?:Func|Result|Value))"),
    ("py:class", r"milo_schema\.[\w.]+(?:Changes|Fields|Options)"),
]
copybutton_prompt_text = r"^(\$|>) "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"milo_schema {release}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_copy_source = False
html_search_scorer = str(ROOT / "docs/scorer.js")
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "live.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_additional_pages = {"404": "404.html"}
html_context = {"root": "/"}
pygments_dark_style = "a11y-high-contrast-dark"  # the usual one underlines modules like links
if IS_PUBLIC:
    html_baseurl = URLS["Documentation"]
    html_context["root"] = urlsplit(html_baseurl).path
    html_theme_options = {
        "source_repository": URLS["Source"],
        "source_branch": "main",
        "source_directory": "docs/",
    }

# -- links to Python's documentation -------------------------------------------------------------

PYTHON = {
    "functions": ["bool", "float", "int"],
    "stdtypes": ["bytes", "dict", "frozenset", "list", "set", "str", "tuple"],
    "exceptions": ["AssertionError", "AttributeError", "TypeError", "ValueError"],
    "collections.abc": ["Callable", "Collection", "Iterable", "Iterator", "Mapping", "Sequence"],
    "typing": ["Annotated", "Any", "Literal", "Protocol", "TypedDict"],
}
"""The names in our signatures, by page.

A table instead of intersphinx, which would need the network in every build: where warnings are
errors, a server that does not answer would be one. Others link to us with our ``objects.inv``.
"""
BARE = {"functions", "stdtypes", "exceptions"}
PAGES = {
    name: f"{page}.html#{name if page in BARE else f'{page}.{name}'}"
    for page, names in PYTHON.items()
    for name in names
}


def link_to_python(_app: Any, _env: Any, node: Any, content: Any) -> Any:
    """Link a name of Python to its documentation."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in PAGES:
        return None
    address = f"https://docs.python.org/3/library/{PAGES[name]}"
    return nodes.reference("", "", content, internal=False, refuri=address)


# -- signatures ----------------------------------------------------------------------------------


def spell_callables(*event: Any) -> tuple[str, str | None] | None:
    """Write ``Callable[..., Any]`` as Python does, where autodoc has ``Callable[[...], Any]``."""
    *_, arguments, returned = event
    if arguments is None:  # a property
        return None
    return arguments.replace("[[...],", "[...,"), returned and returned.replace("[[...],", "[...,")


# -- descriptions --------------------------------------------------------------------------------


def describe(_app: Any, name: str, _template: str, context: Any, doctree: Any) -> None:
    """Let the first paragraph of a page describe it to search engines."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    first = next((each.astext() for each in paragraphs), f"{project}: {context.get('title', name)}")
    text = re.sub("<[^>]+>", "", first)  # a link that is written as HTML
    content = html.escape(textwrap.shorten(text, 160, placeholder=" ..."))
    context["metatags"] = (
        f'{context.get("metatags", "")}<meta name="description" content="{content}">'
    )


def give_levels(_app: Any, _name: str, _template: str, context: Any, _doctree: Any) -> None:
    """Tell screen readers the level of the headings in the sidebar, which the theme leaves out."""
    heading, tree = 'role="heading"', context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(heading, f'{heading} aria-level="2"')


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("missing-reference", link_to_python)
    app.connect("autodoc-process-signature", spell_callables)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", give_levels, priority=900)  # after the theme
