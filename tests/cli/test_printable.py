"""Nothing that others wrote is a command to a terminal, to CI, or to what shows a report."""

import json
import re
from typing import Any

import pytest

from milo_schema.cli.terminal import printable, printable_json
from tests.fragments import STRING, obj

HOSTILE = (
    "\x1b]0;pwned\x07",
    "x\n::warning::a",
    "\r::error::b",
    "::notice::c",
    "  ::notice::d",
    "##[group]e",
    "##vso[task.x]f",
    "\u202eabc",
    "\u2028::error::g",
    "\x9b31m",
    "\ud800",
    "\U000e0041",
    "<script>|[x](javascript:y)*`",
)
UNSAFE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff\U000e0000-\U000e007f]"
    r"|^\s*::|##\[|##vso\[",
    re.MULTILINE,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, \xe9 \u65e5 \U0001f600 a:b x::y", None),
        ("\U0001f469\u200d\U0001f4bb", None),  # joined by a character that is not seen
        ("a\x1bb\nc\td\x7f", "a\\x1bb\\nc\\td\\x7f"),
        ("\u202e\u2066\U000e0041\ud800", "\\u202e\\u2066\\U000e0041\\ud800"),
        ("::error::x", "\\x3a:error::x"),
        ("  ::error::x", "  \\x3a:error::x"),
        (":error::x", None),
        ("a ##[group] ##vso[x] ## [b]", "a \\x23#[group] \\x23#vso[x] ## [b]"),
    ],
)
def test_a_text_of_others_is_printable(text, shown):
    assert printable(text) == (text if shown is None else shown)


@pytest.mark.parametrize("text", HOSTILE)
def test_json_keeps_its_value_and_has_no_commands(text):
    written = printable_json(json.dumps({"a": text}, indent=2, ensure_ascii=False))

    assert json.loads(written) == {"a": text}
    assert not UNSAFE.search(written)
    assert written.count("\n") == 2


@pytest.fixture
def hostile(folder):
    """A list of tools, in which every text is hostile."""
    tools: list[Any] = []
    for number, text in enumerate(HOSTILE):
        choice = {"enum": [text, 1], "default": 2, "pattern": text}
        own = STRING | {"description": text, "default": text}
        schemas = {
            "inputSchema": obj([text], **{text: own, "b": choice}),
            "outputSchema": obj([], **{text: {"const": text}}),
        }
        texts = {"title": text, "description": f"{text}\n{text}"}
        tools.append({"name": f"tool_{number}", **texts, **schemas})
    (folder / "tools.json").write_text(json.dumps(tools))
    (folder / "names.json").write_text(json.dumps([{**tools[0], "name": x} for x in HOSTILE]))
    for tool in tools:
        schema = tool["inputSchema"]
        schema["properties"]["\x1b" + tool["title"]] = {"type": "string"}
        schema["required"] = ["\x1b" + tool["title"]]
        tool["description"] = "other"
    (folder / "new.json").write_text(json.dumps(tools))


@pytest.mark.parametrize(
    "words",
    [
        ("show", "tools.json"),
        ("show", "tools.json", "--tool"),
        ("check", "names.json"),
        ("check", "names.json", "--format", "sarif"),
        ("check", "tools.json", "--together"),
        ("check", "tools.json", "--together", "--format", "json"),
        ("check", "tools.json", "--together", "--format", "sarif"),
        ("check", "tools.json", "--cost"),
        ("check", "tools.json", "--cost", "--format", "json"),
        ("diff", "tools.json", "new.json"),
        ("diff", "tools.json", "new.json", "--format", "json"),
        ("snapshot", "-", "tools.json"),
    ],
    ids=" ".join,
)
def test_hostile_definitions_are_printable_in_each_format(run, hostile, words):
    _, out, err = run(*words)

    assert out
    assert not UNSAFE.search(out)
    assert not UNSAFE.search(err)


@pytest.mark.parametrize("words", [("check", "names.json"), ("diff", "tools.json", "new.json")])
def test_each_line_for_github_is_one_command(run, hostile, words):
    _, out, _ = run(*words, "--format", "github")

    for line in out.splitlines():
        assert re.fullmatch(r"::(error|notice) title=[a-z -]+(,file=(names|new).json)?::.*", line)
        assert not UNSAFE.search(line.removeprefix("::"))


def test_a_message_in_sarif_has_no_links(run, hostile):
    _, out, _ = run("check", "tools.json", "--together", "--format", "sarif")

    texts = [each["message"]["text"] for each in json.loads(out)["runs"][0]["results"]]
    assert any("[x] (javascript:y)" in text for text in texts)
    assert not any("](" in text for text in texts)


def test_hostile_docstrings_and_errors_are_printable(run, write):
    write("tools.py", "def f(x: 'int' = '\\x1b[31m') -> None:\n    '\\x1b]0;pwned'\n")
    write("bad.py", "raise ValueError('\\x1b]0;pwned\\n::error::x')\nprint('\\x1b')")

    _, out, _ = run("show", "tools.py")
    assert not UNSAFE.search(out)
    _, _, err = run("check", "bad.py", "--traceback")
    assert not UNSAFE.search(err)
    told = "importing bad.py raised ValueError: \\x1b]0;pwned ::error::x (bad.py:1)"
    assert (3, "", f"milo-schema: {told}\n") == run("check", "bad.py")
