"""Phrases that must not come back in what users read: pages, messages, docstrings and comments."""

import ast
import functools
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.every import every
from tests.sources import PACKAGE

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md")),
    *(ROOT / ".github").glob("*.md"),
    *(ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"),
    *(ROOT / "docs/_templates").glob("*.html"),
    *(ROOT / "docs/live" / name for name in ("examples.toml", "index.html")),
]
SOURCES = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "docs/examples").glob("*.py")])

PHRASES = {
    r"(?<!there )\b(?:is|are|was|were|be) no\b(?! (?:longer|more|less|other|such))": "is not a",
    r"\b(?:some|no|any)body(?:'s)?\b": "you, callers, users, or the passive",
    r"\bwhoever\b": "you, callers, users, or the passive",
    r"\btrue schema\b": "exact schema",
    r"\b(?:cannot be said|say less|has to be said)\b": "is not supported",
    r"\b(?:is|are) (?:none of|there not)\b": "is not one of",
    r"\bschemas? (?:says|tells)\b": "the schema describes",
    r"\b(?:is|are|was|were|be) said\b": "is described",
    r"\b(?:and|or) the like\b": "or similar",
    r"\bone buys\b": "you buy",
    r"\b(?:its|their) like\b": "such as ..., or: and others",
    r"\b(?:is|are|was|were) told\b": "is reported to, or: gets",
    r"\b(?:given?s?|gave) back\b": "return",
    r"\b(?:say|says|said) of\b": "says about, describes",
    r"\bcosts? (?:only )?(?:its|their) own\b": "affects only",
    r"\bone's own\b": "your own",
    r"\ba text\b(?! block)": "a string",
    r"\bwhole (?:call|result|tool definition)s?\b": "complete",
    r"\band (?:its|their) relatives\b": "and others, and similar",
}
"""The replacement for each."""


def without_code(text: str) -> str:
    """A page without its quotations: code, and text between quotation marks."""
    text = re.sub(r"^```.*?^```|^> .*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"``.*?``|`.*?`|\"[^\"\n]*\"|“[^”]*”", "", text)


def found_in(text: str) -> list[str]:
    return [
        f"{match[0]!r}: write {better!r}"
        for phrase, better in PHRASES.items()
        for match in re.finditer(phrase, text, re.IGNORECASE)
    ]


@every("page", PAGES)
def test_page_has_none_of_the_phrases(page: Path):
    assert found_in(without_code(page.read_text(encoding="utf-8"))) == []


def docstrings(tree: ast.AST) -> Iterator[str]:
    """The docstrings of modules, classes, functions and constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield inspect.cleandoc(str(node.value.value))


def messages(tree: ast.AST) -> Iterator[str]:
    """The texts of a module that are not docstrings."""
    ours = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is str and id(node) not in ours:
            yield node.value


def comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@functools.cache
def is_suspicious(source: Path) -> bool:
    """Whether a file has a phrase anywhere; few have one, and then mostly in code."""
    return found_in(source.read_text(encoding="utf-8")) != []


@every("source", SOURCES)
def test_docstring_and_comment_have_none_of_the_phrases(source: Path):
    text = source.read_text(encoding="utf-8")
    if is_suspicious(source):
        texts = [*docstrings(ast.parse(text)), *comments(text)]
        assert [fault for each in texts for fault in found_in(without_code(each))] == []


@every("source", SOURCES)
def test_message_has_none_of_the_phrases(source: Path):
    text = source.read_text(encoding="utf-8")
    if is_suspicious(source):
        found = [fault for each in messages(ast.parse(text)) for fault in found_in(each)]
        assert found == []


@every("source", SOURCES)
def test_docstring_begins_with_a_verb_or_a_noun(source: Path):
    text = source.read_text(encoding="utf-8")
    if '"""What ' in text:
        assert [each for each in docstrings(ast.parse(text)) if each.startswith("What ")] == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("'x' is no int", 1),
        ("a fence that is not closed is text", 0),
        ("it is no longer public", 0),
        ("for somebody else, or whoever asks", 2),
        ('the message "nobody knows" of `is no int`', 0),
        ("there is no true schema", 1),
        ("lists and their like, as they are told", 2),
        ("what it gave back, and gives back", 2),
        ("what a docstring says of it costs only its own place", 2),
    ],
)
def test_phrase_is_found_outside_of_quotations(text, faults):
    assert len(found_in(without_code(text))) == faults
