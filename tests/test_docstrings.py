"""The docstring parser follows the style guides for every input."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from milo_schema.callables.docs import written_doc
from milo_schema.docstrings import Docstring, parse_docstring, sections
from milo_schema.docstrings.lines import code_in, colon_at
from milo_schema.docstrings.sections import names_in, result_in
from tests.docstring_cases import CASES
from tests.every import every


@every("fact", CASES)
def test_case(fact: str) -> None:
    """Each case is a fact, a docstring and all that is in it."""
    text, expected = CASES[fact]
    assert parse_docstring(text) == expected


@every("fact", CASES)
def test_names_in_returns_the_texts_of_attributes_and_parameters(fact: str) -> None:
    text, expected = CASES[fact]
    assert names_in(text) == {**expected.attributes, **expected.params}


@every("fact", CASES)
def test_yielded_values_take_precedence_over_returned_ones(fact: str) -> None:
    text, expected = CASES[fact]
    assert result_in(text) == (expected.yields or expected.returns)


# The same docstring, written in other ways

ONE_WAY = {fact: text for fact, (text, _) in CASES.items() if "\r" not in text and "\f" not in text}


def deeper(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"        {line}" if line.strip() else line for line in rest)])


class TestInvariance:
    """The contents of a docstring do not depend on its indentation and line ends."""

    @every("fact", ONE_WAY)
    def test_indented_deeper(self, fact: str) -> None:
        assert parse_docstring(deeper(ONE_WAY[fact])) == CASES[fact][1]

    @every("fact", ONE_WAY)
    def test_line_ends_of_windows(self, fact: str) -> None:
        assert parse_docstring(ONE_WAY[fact].replace("\n", "\r\n")) == CASES[fact][1]

    @every("fact", ONE_WAY)
    def test_trailing_blanks(self, fact: str) -> None:
        text = "".join(f"{line} \t \n" for line in ONE_WAY[fact].split("\n"))
        assert parse_docstring(text) == CASES[fact][1]

    @every("fact", ONE_WAY)
    def test_doubled_blank_lines(self, fact: str) -> None:
        assert parse_docstring(ONE_WAY[fact].replace("\n\n", "\n \n\n\n")) == CASES[fact][1]

    @every("fact", ONE_WAY)
    def test_first_line_blank(self, fact: str) -> None:
        first, *rest = ONE_WAY[fact].expandtabs().split("\n")
        margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
        text = "\n".join(["", " " * margin + first.lstrip(), *rest])
        assert parse_docstring(text) == CASES[fact][1]


LINES = st.builds(
    "{}{}".format, st.sampled_from(["", " ", "  ", "    "]), st.sampled_from(["", "A b"])
)


@example(["", "    A b", "  A b"])
@example(["", " A b", "", "A b"])
@example(["A b", "", "    A b", "  A b"])
@given(st.lists(LINES, max_size=6))
def test_prose_has_the_indentation_that_pep_257_gives_it(lines: list[str]) -> None:
    text = re.sub(r" +$", "", inspect.cleandoc("\n".join(lines)), flags=re.MULTILINE)
    parsed = parse_docstring("\n".join(lines))
    assert parsed.description == re.sub(r"\n{3,}", "\n\n", text.strip("\n"))
    assert parsed.summary == " ".join(parsed.description.partition("\n\n")[0].split())


# Anything at all

WORDS = [
    "Args:", "Returns:", "Raises:", "Examples:", "Parameters", "----------", "==", ":param", "x:",
    ":type", "int", ":returns:", "@param", "@return", "x", "y", "(int):", ":", "*args",
    "**kwargs", "-", "*", "#", "Args", "**Args**", "```", "~~~", ">>>", "word", "(", "[", "{",
    ")", "]", "}", ",", "'", '"', "`", "\\", "--", "—",
]  # fmt: skip
BLANKS = [
    " ", " ", "\t", "\r", "\n", "\n", "\n\n", "\n    ", "\n    ", "\n        ", "\f", "\u2028",
    "\x00", "\x1f",
]  # fmt: skip
PIECES = st.sampled_from(WORDS) | st.sampled_from(BLANKS)
TEXTS = st.text() | st.lists(PIECES, max_size=60).map("".join)


class TestAnything:
    """Nothing raises, nothing is invented."""

    @given(TEXTS)
    def test_every_word_found_is_a_word_of_the_docstring(self, text: str) -> None:
        found = parse_docstring(text)
        named = (found.params, found.attributes, found.raises)
        said = [found.description, found.returns, found.yields, found.examples]
        said += [text for each in named for text in each.values()]
        written = " ".join(text.expandtabs().split())
        for word in " ".join(said).split():
            assert word in written
        for name in (name for each in named for name in each):
            assert all(part in written for part in name.split("_"))

    @given(TEXTS)
    def test_no_text_is_empty_or_has_blank_lines_at_its_ends(self, text: str) -> None:
        found = parse_docstring(text)
        for said in (
            found.description,
            found.examples,
            *found.params.values(),
            *found.attributes.values(),
        ):
            assert said == said.strip("\n")
            assert "\n\n\n" not in said
        assert all(found.params.values())
        assert "\n" not in found.summary

    @given(TEXTS)
    def test_the_result_pickles(self, text: str) -> None:
        found = parse_docstring(text)
        assert pickle.loads(pickle.dumps(found)) == found

    @pytest.mark.parametrize("text", [None, 3, b"Do it.", property(), ["Do it."]])
    def test_anything_but_text_counts_as_empty(self, text: object) -> None:
        assert parse_docstring(text) == Docstring()  # type: ignore[arg-type]

    def test_a_subclass_of_str_is_text(self) -> None:
        class Text(str):
            __slots__ = ()

        assert parse_docstring(Text("Do it.")) == Docstring("Do it.", "Do it.")


# The short way of sections in the form that most tools have

LINES = st.sampled_from(
    """
Do it.
Do it: now.
# Do it
_Do_ it.
@do
-----
=====
```
>>> do
Args:
    Args:
args:
Attributes:
Returns:
Return:
Raises:
Note:
Args: see
:param z: The z.
    x: The x.
    x: The x.
    y: The y.
    y: The\N{NO-BREAK SPACE}y.\N{NO-BREAK SPACE}
    z:
    z:\N{NO-BREAK SPACE}
     y: Deeper.
  y: Not as deep.
        Goes on.
    not an item: no
    Error: If not.
    The result.
        x: The x.
        y: The y.
    ```
    -----
""".splitlines()
)
FORMS = st.lists(LINES, max_size=8).map("\n".join)
NEARLY_PLAIN = [
    "Do it.\n\nArgs:\nx: The x.\nReturns: It.",
    "Do it.\n\nArgs:\n    x: The x.\n    x: Another x.",
    "Do it.\n\nArgs:\n    x: The x.\n  y: The y.",
    "Do it.\n\nArgs:\n    x: The x,\n        of it,\n      all.",
    "Do it.\n\nArgs:\n        x: The x.\n    y: The y,\n      of it.",
    "Do it.\n\nArgs:\n    x: The x.\n    x: Another,\n      of it.\n    y: The y.",
    "Do it.\n\nArgs:\n    x: \N{NO-BREAK SPACE}\n      The x.\n    y: The y.",
    "Do it.\n\nArgs:\n    x:\n      The x.\n    y: The y.",
    "Do it.\n\nArgs:\n    x: The x.\n    not an item\n    y: The y.",
    "Do it.\n\nArgs:\n    x: \N{NO-BREAK SPACE}\n    y: The y.",
    "Do it.\n\nArgs:\n    x: \N{NO-BREAK SPACE}The x.\N{NO-BREAK SPACE}\n    y: The y.",
    "Do it.\n\n>>> do\nArgs:\n    x: The x.\n    y: The y.",
    "Do it.\n\n```\nArgs:\n    x: The x.\n\n```",
    "Do it.\n\n    ```\nArgs:\n    x: The x.\n\n    ```",
    "Do it.\n\nReturns:\n    The first.\n\nYields:\n    The second.",
    "Do it.\n\nReturns:\n    The first.\n\nReturns:\n    The second.",
    "Do it.\n\nRaises:\n    ValueError",
    "Do it.\n\nReturns:\n\n    It.",
    "Do it.\n\nReturns:\n    It.\n\n    All of it.",
    "Do it.\n\nReturns:\n    It,\n  on two lines.",
    "Do it.\n\nReturns:\n    It,\n      indented.",
    "Do it.\n\nReturns:\n    str: It.",
    "Do it.\n\nReturns:\n    ---\n    It.",
    "Do it.\n\nRaises:\n    ValueError\n\nReturns:\n    It.",
]
PLAIN = "Do it.\n\nArgs:\n    x: The x.\n    y: The y.\n\n"


def class_with(text: str) -> type:
    return type("Documented", (), {"__doc__": text})


def in_general(text: str) -> tuple[dict[str, str], str, Docstring]:
    """All that is taken from a docstring, without the short way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "plain_items", lambda *_: {})
        return all_of(text)


def all_of(text: str) -> tuple[dict[str, str], str, Docstring]:
    return names_in(text), result_in(text), parse_docstring(text)


class TestPlainForm:
    """The short way leads to the same result as the general one."""

    @every("text", NEARLY_PLAIN)
    def test_nearly_plain_form(self, text: str) -> None:
        assert all_of(text) == in_general(text)

    @settings(max_examples=500)
    @given(FORMS | FORMS.map(PLAIN.__add__) | FORMS.map(lambda end: PLAIN[:-1] + end) | TEXTS)
    def test_any_lines(self, text: str) -> None:
        names, result, parsed = all_of(text)
        assert (names, result, parsed) == in_general(text)
        assert list(names) == list(in_general(text)[0])
        assert names == {**parsed.attributes, **parsed.params}
        assert result == (parsed.yields or parsed.returns)
        if (found := written_doc(class_with(text))) is not None:
            assert found == (parsed.description, {**parsed.params, **parsed.attributes})

    @pytest.mark.parametrize(
        "text",
        [
            PLAIN,
            "\nArgs:\n    x: The x.",
            PLAIN.replace("Args", "Arguments"),
            PLAIN.replace("Args", "Parameters"),
            PLAIN.replace("Args", "Attributes"),
            PLAIN.replace("\n", "\n    "),
            PLAIN + "Returns:\n    It.",
            PLAIN[:-1] + "Returns:\n    It.",
            PLAIN + "Returns:\n    It,\n    on two lines.\n\nRaises:\n    ValueError: If not.",
        ],
    )
    def test_no_item_takes_the_general_way(
        self, text: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = in_general(text)
        monkeypatch.setattr(sections, "google_items", None)
        assert all_of(text) == expected


class TestDocstring:
    """The value itself."""

    def test_not_hashable_because_it_holds_dicts(self) -> None:
        with pytest.raises(TypeError, match="unhashable"):
            hash(Docstring())

    def test_repr_shows_fields_that_are_set_and_can_be_evaluated(self) -> None:
        found = parse_docstring("A.\n\nArgs:\n    x: y")
        shown = "Docstring(summary='A.', description='A.', params={'x': 'y'}, styles=('google',))"
        assert repr(found) == shown
        assert eval(shown) == found

    def test_dicts_are_fresh_every_time(self) -> None:
        first = parse_docstring("Args:\n    x: y")
        first.params["z"] = "changed"
        assert parse_docstring("Args:\n    x: y").params == {"x": "y"}
        assert Docstring().params is not Docstring().params


# Growth: work is counted, not time

UNITS = [
    " ", "\n", "x\n", "x\n\n", ":\n", "@\n", "#\n", "*\n", "(", "[", "--\n", "Args:\n",
    "Args:\n\n", "Args:\n    x\n", "Args:\nx: y\n", "Returns: x\n", "Parameters\n----------\n",
    "```\n", "~~~\n```\nx\n", ">>> x\n", ">>> x\n\n", ":param x: y\n", ":param x\n",
    "@param x: y\n", "@param\n", "x (\n    ", "(\n     ", "    x: y\n", "- x\n", "- x: y\n",
    "# Args\n", "**Args**\n", "x : int\n    y\n",
]  # fmt: skip
BEFORE = ["", "Args:\n    ", "Parameters\n----------\n", "x (", "@param x: y\n", "Returns:\n    "]


def work(text: str) -> int:
    """Return how many lines of the library run for a text."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        parse_docstring(text)
        names_in(text)
        result_in(text)
    finally:
        sys.settrace(before)
    return count


@every("before", BEFORE, ids=repr)
@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_text_is_at_most_twice_the_work(unit: str, before: str) -> None:
    assert work(before + unit * 120) <= 2.1 * work(before + unit * 60) + 200


@pytest.mark.parametrize("line", ["```", "x", "x: y", "- x", "Args:", ">>> x"])
def test_stairs_are_at_most_twice_the_work(line: str) -> None:
    """Twice the text is 1.4 times the steps; blank lines below must not be seen once per step."""

    def stairs(steps: int) -> str:
        return "\n".join(" " * step + line for step in range(steps)) + "\n" * steps * steps

    assert work(stairs(85)) <= 2.1 * work(stairs(60)) + 200


@pytest.mark.parametrize("unit", UNITS)
def test_large_docstrings_are_read(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    assert parse_docstring(text).returns in ("", "x")
    assert result_in(text) in ("", "x")


def test_a_large_docstring_in_the_plain_form_is_read() -> None:
    text = "Do it.\n\nArgs:\n    x: The x," + "\n        of it" * 100_000 + "\n    y: The y."
    assert names_in(text) == {"x": "The x," + "\nof it" * 100_000, "y": "The y."}


# functions of Python itself


def library() -> Iterator[tuple[str, str]]:
    """Yield the docstrings in some of the standard library's sources."""
    for name in (
        "argparse",
        "asyncio/base_events",
        "inspect",
        "shutil",
        "statistics",
        "subprocess",
        "typing",
    ):
        path = Path(sysconfig.get_path("stdlib"), f"{name}.py")
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node, clean=False)
                if text:
                    yield f"{name}:{node.name}", text


def test_library_docstrings_lose_no_word_of_prose() -> None:
    """Text outside of sections is the description, to the last word."""
    read = [(parse_docstring(text), text) for _, text in library()]
    plain = [(found, text) for found, text in read if not found.styles]
    assert len(plain) > 300
    for found, text in plain:
        assert found.description.split() == text.split()
        assert found == Docstring(found.summary, found.description)


@pytest.mark.slow
def test_library_docstrings_are_the_same_however_they_are_written() -> None:
    for _, text in library():
        found = parse_docstring(text)
        assert parse_docstring(deeper(text)) == found
        assert parse_docstring(text.replace("\n", "\r\n")) == found


def test_a_fence_or_a_doctest_on_the_first_line_begins_code():
    assert code_in(["```", "x: y", "```", "z"]) == {1, 2}
    assert code_in([">>> f()", "x: y", "", "z"]) == {1}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x: y", (1, 0)),
        ("x:", (1, 0)),
        ("x (a: b): y", (8, 0)),
        ("x (a", (-1, 1)),
        ("x (a: [b", (-1, 2)),
        ("x", (-1, 0)),
        ("a:b", (-1, 0)),
    ],
)
def test_a_colon_outside_of_brackets_is_found(line, expected):
    assert colon_at(line) == expected


def test_a_body_ends_at_the_next_line_that_opens_something_however_many_there_are():
    sections = [f"Args:\n    x{at}: The x.\n\nReturns:\n    The sum.\nRaises:\n" for at in range(9)]
    doc = parse_docstring("Do it.\n\n" + "".join(f"{each}    Error: Bad.\n" for each in sections))
    assert doc.params == {f"x{at}": "The x." for at in range(9)}
    assert (doc.returns, doc.raises) == ("The sum.", {"Error": "\n".join(["Bad."] * 9)})
    assert doc.description == "Do it."
