"""How Sphinx makes a site of these pages: ``sphinx-build -W -n docs docs/_build/html``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import milo_schema

project = "milo_schema"
author = "milo_schema maintainers"
copyright = author  # noqa: A001 - Sphinx has no other name for it
release = milo_schema.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "examples"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_use_rtype = False
nitpick_ignore_regex = [("py:.*", r"(?!milo_schema\b).*")]  # others have pages of their own

html_theme = "furo"
html_title = "milo_schema"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
pygments_dark_style = "a11y-high-contrast-dark"  # the usual one underlines modules like links
