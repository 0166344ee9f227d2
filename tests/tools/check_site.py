"""Look at the built site without a browser: ``python -m tests.tools.check_site SITE``.

It says what is wrong: a link to a page, a file or a heading that does not exist, a page without
a title, a description or an icon, words that Sphinx takes for a type, and a question that the
search of the site does not answer.
"""

import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

BASE = "site:///"
QUESTIONS = {
    "Context": ["injected"],
    "hide a parameter": ["injected"],
    "pre-commit": ["command-line", "how-to/ci"],
    "changelog": ["changelog"],
    "docstring_parser": ["how-to/from-docstring-parsers"],
    "griffe": ["how-to/from-docstring-parsers"],
    "LangChain": ["how-to/langchain"],
    "strict mode": ["strict"],
    "no JSON Schema": ["troubleshooting"],
}
"""Searches, each with pages that have to be among those that have all of its words."""


class Page(HTMLParser):
    """The links of a page, its anchors, and the contents of its head."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.head: set[str] = set()
        self.base = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "base":
            self.base = found["href"]
            return
        self.links += [found[name] for name in ("href", "src") if name in found]
        if tag == "title":
            self.head.add("title")
        elif tag == "meta":
            self.head.add(found.get("name", ""))
        elif tag == "link":
            self.head |= set(found.get("rel", "").split())


def pages(site: Path) -> dict[str, Page]:
    """Every page of the site, by its address."""
    return {
        urljoin(BASE, path.relative_to(site).as_posix()): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def dead_links(site: Path) -> Iterator[str]:
    """Report broken links of the site; external links are not followed."""
    found = pages(site)
    for address, page in found.items():
        for link in sorted({*page.links}):
            target, anchor = urldefrag(urljoin(address if not page.base else BASE, link))
            if not target.startswith(BASE):
                continue
            path = site / unquote(urlsplit(target).path).removeprefix("/")
            name = address.removeprefix(BASE)
            if path.is_dir():
                path, target = path / "index.html", urljoin(f"{target}/", "index.html")
            if not path.exists():
                yield f"{name}: {link}: no such file"
            elif anchor and target in found and unquote(anchor) not in found[target].anchors:
                yield f"{name}: {link}: no such place on that page"


def bare_heads(site: Path) -> Iterator[str]:
    """Report pages that lack something that a browser or a search engine shows."""
    for address, page in pages(site).items():
        for name in sorted({"title", "description", "icon"} - page.head):
            yield f"{address.removeprefix(BASE)}: no {name}"


TYPE = re.compile(
    r'<dt class="field-\w+">Type<span class="colon">:</span></dt>\s*<dd[^>]*><p>(.*?)</p>',
    re.DOTALL,
)


def sentences_as_types(site: Path) -> Iterator[str]:
    """Report words that are shown as a type: those before a colon in a property's docstring."""
    for path in sorted(site.rglob("*.html")):
        for found in TYPE.findall(path.read_text(encoding="utf-8")):
            text = re.sub("<[^>]+>", "", found)
            if re.search(r"\w \w", text) and not text.startswith("Literal["):
                yield f"{path.relative_to(site)}: the type {text!r}; write no colon after it"


def unanswered(site: Path) -> Iterator[str]:
    """Report questions that the search does not answer; Sphinx looks for all of their words."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    for question, wanted in QUESTIONS.items():
        answers = set.intersection(
            *(with_word(index, word) for word in re.findall(r"\w\w+", question.lower()))
        )
        for page in wanted:
            if page not in answers:
                yield f"search for {question!r}: does not find {page}"


def with_word(index: dict[str, Any], word: str) -> set[str]:
    """The pages with a word, or one that contains it, in the text or titles."""
    found: set[int] = set()
    stem = word[: max(4, len(word) - 2)]  # the index has stems
    for table in (index["terms"], index["titleterms"]):
        for term, at in table.items():
            if stem in term:
                found.update([at] if isinstance(at, int) else at)
    return {index["docnames"][each] for each in found}


def main(site: str) -> int:
    """Look at the whole site; the exit status is 1 if anything is wrong."""
    folder = Path(site).resolve()
    looks = (dead_links, bare_heads, sentences_as_types, unanswered)
    wrong = [each for look in looks for each in look(folder)]
    print("\n".join(wrong) or f"nothing wrong with {len(pages(folder))} pages")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
