"""The command line: standard output has the result, an error is one line and status 2."""

import ast
import builtins
import errno
import gc
import io
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from milo_schema import Profile, SchemaError, __version__, profiles
from milo_schema import __main__ as command_line
from milo_schema import targets as heard
from milo_schema.checks import check_reading
from milo_schema.cli import check as check_command
from milo_schema.cli import files, functions, terminal
from milo_schema.cli.texts import COMMANDS
from milo_schema.errors import CODES, FINDING_CODES, STYLE
from milo_schema.schemas import functions as readings
from milo_schema.targets import Silence
from milo_schema.targets.imports import short
from tests.fragments import BOOLEAN, NULL, STRING, map_of, obj

ROOT = Path(__file__).parents[2]
DEPLOY = str(ROOT / "docs/examples/deploy.py")

DEPLOY_SCHEMA = obj(
    ["environment", "service"],
    environment={"type": "string", "minLength": 1, "description": "Target environment"},
    service={"type": "string", "minLength": 1, "description": "Service name."},
    version={"type": "string", "description": "Version or image tag.", "default": "latest"},
) | {"additionalProperties": False}


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
AS_MODULE = ("-W", "error", "-m", "milo_schema")


def program(*arguments, python=AS_MODULE, **options):
    """Run the command line as a separate program."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    command = [sys.executable, *python, *map(str, arguments)]
    return subprocess.run(command, check=False, **{"env": ENVIRONMENT, **streams, **options})


def schema_of(**properties):
    required = [name for name, schema in properties.items() if "default" not in schema]
    schema = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    return {**schema, "additionalProperties": False}


# -- show --------------------------------------------------------------------------------------


OPEN = {"type": "object", "properties": {}}
STOP = {**OPEN, "additionalProperties": False}


def tool(schema, key="inputSchema"):
    return {"name": "stop", key: schema}


TOOLS = """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Point:
    x: int
class Thing:
    def __init__(self, size: int): ...
    def f(self): ...
def move(to: Point): ...
def now(at: bool | None = None): ...
def stop() -> None: ...
def go() -> None: ...
"""
POINT = obj(["x"], x={"type": "integer"})
STRICT = {**STOP, "required": []}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([f"{DEPLOY}:deploy"], DEPLOY_SCHEMA),
        (["show", f"{DEPLOY}:deploy"], DEPLOY_SCHEMA),
        ([f"{DEPLOY}:deploy", "--output"], map_of(STRING)),
        (["--output", f"{DEPLOY}:deploy"], map_of(STRING)),
        (["tools:stop", "--output"], None),
        (["textwrap:dedent", "--quiet"], schema_of(text={})),
        (["pathlib:PurePath.joinpath"], STOP),
        (["tools:Thing"], schema_of(size={"type": "integer"})),
        (["tools.py:move"], schema_of(to=POINT)),
        (["tools.py:now"], schema_of(at={"anyOf": [BOOLEAN, NULL], "default": None})),
        (["tools.py:now", "--profile", "milo"],
         obj([], at={"type": "boolean", "default": None})),
        (["tools.py:stop", "tools.py:go"], {"stop": STOP, "go": STOP}),
        (["tools.py:stop", "tools.py:go", "--as", "anthropic"],
         [tool(STOP, "input_schema"), {**tool(STOP, "input_schema"), "name": "go"}]),
        (["tools.py:stop", "--tool"], tool(STOP)),
        (["tools.py:stop", "--as", "mcp"], tool(STOP)),
        (["tools.py:stop", "--as", "openai"],
         {"type": "function", "function": tool(STOP, "parameters")}),
        (["tools.py:stop", "--as", "openai", "--profile", "openai_strict"],
         {"type": "function", "function": {**tool(STRICT, "parameters"), "strict": True}}),
        (["tools.py:stop", "--as", "anthropic"], tool(STOP, "input_schema")),
        (["tools.py:stop", "--as", "gemini"], tool(STOP, "parametersJsonSchema")),
        (["tools.py:stop", "--as", "gemini", "--profile", "GEMINI"], tool(OPEN, "parameters")),
        (["tools.py:stop", "--as", "bedrock"], {"toolSpec": tool({"json": STOP})}),
    ],
    ids=lambda each: " ".join(map(str, each)).replace(DEPLOY, "deploy.py") if each else "",
)  # fmt: skip
def test_a_schema_or_a_definition_is_shown(run, write, words, expected):
    write("tools.py", TOOLS)

    status, out, err = run(*words)

    assert (0, expected, "") == (status, json.loads(out), err)


STOP_AND_GO = """\
from __future__ import annotations
from typing import Any

def stop() -> Any: ...

def go(far: int = 1) -> Any: ...
"""


def test_functions_are_shown_as_python(run, write):
    write("tools.py", "def stop(): ...\ndef go(far: int = 1): ...")
    assert run("show", "tools.py", "--format", "python") == (0, STOP_AND_GO, "")
    status, out, err = run("show", "tools.py:stop", "--format", "python")
    assert (status, out.partition("\n\n")[2], err) == (0, "def stop() -> Any: ...\n", "")
    assert json.loads(run("show", "tools.py:stop", "--format", "json")[1]) == STOP


def test_the_tools_of_a_file_are_shown_as_python_and_what_is_lost_is_counted(run, write):
    point = obj([], x=STRING | {"not": {"const": "a"}}) | {"additionalProperties": False}
    inputs = obj(["at"], at=point)
    said = '\x1b[31m"""\nimport os'
    tools = [{"name": "plot.it", "description": said, "inputSchema": inputs}]
    write("tools.json", json.dumps({"tools": tools}))

    status, out, err = run("show", "tools.json", "--format", "python")

    assert status == 0
    written = 'def plot_it(at: At) -> Any:\n    """\\x1b[31m\\"""\n    import os\n    """\n'
    assert out.endswith(written)
    lost = "plot.it(at).x: no annotation of Python means the same as 'not'"
    assert err == f"milo-schema: 2 restrictions cannot be written in Python, such as {lost}\n"
    assert run("show", "tools.json", "--format", "python", "--quiet") == (0, out, "")


def test_a_tool_that_is_not_valid_is_not_shown_as_python(run, write):
    broken = {"type": "object", "properties": {"x": {"type": "strin"}}}
    write("tools.json", json.dumps({"tools": [{"name": "run", "inputSchema": broken}]}))
    status, out, err = run("show", "tools.json", "--format", "python")
    assert (status, out) == (2, "from __future__ import annotations\n")
    assert err.startswith("milo-schema: run(x): the input schema is not valid: 'type' ")


def test_non_ascii_text_is_printed_as_it_is(run, write):
    write("tools.py", "def grüße(name: str = 'Zoë'): ...")

    status, out, _ = run("tools.py:grüße")

    assert status == 0
    assert '"default": "Zoë"' in out


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "Zoë"), ("ascii", r"Zo\u00eb"), ("latin-1", "Zoë"), (None, "Zoë")],
)
def test_characters_that_standard_output_cannot_encode_are_escaped(
    write, monkeypatch, encoding, shown
):
    write("tools.py", "def f(name: str = 'Zoë'): ...")
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding) if encoding else io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)

    assert command_line.main(["tools.py:f"]) == 0

    text = raw.getvalue().decode(encoding) if encoding else stream.getvalue()
    assert json.loads(text) == schema_of(name={"type": "string", "default": "Zoë"})
    assert f'"default": "{shown}"' in text


def test_a_warning_is_one_line_on_standard_error(run, write):
    write("tools.py", "def turn(by: complex): ...")

    status, out, err = run("tools.py:turn")

    assert (0, schema_of(by={})) == (status, json.loads(out))
    assert err.startswith("milo-schema: turn(by): no JSON Schema for complex; ")
    assert err.count("\n") == 1


# -- targets -----------------------------------------------------------------------------------


def names_of(run, *targets, command="check"):
    """The names of functions in targets, as ``check`` prints them; none has a description."""
    if command == "show":
        _, out, _ = run("show", *targets)
        return list(json.loads(out))
    _, out, _ = run("check", "--format", "json", *targets)
    return list(dict.fromkeys(row["function"] for row in json.loads(out)))


MODULE = """
    import enum, functools, textwrap, typing
    from textwrap import fill
    def first(): ...
    def _private(): ...
    @functools.lru_cache
    def cached(): ...
    class Service:
        def __init__(self): ...
        def run(self, x): ...
        @classmethod
        def make(cls): ...
        @staticmethod
        def name(): ...
        def _hidden(self): ...
        value = 1
        class Inner: ...
    class Color(enum.Enum):
        RED = 1
    class Broken(Exception): ...
    class Runs(typing.Protocol):
        def run(self): ...
    class Options(typing.TypedDict):
        a: int
    class Meta(type): ...
    number = 1
    T = typing.TypeVar("T")
    again = first
"""
PUBLIC = ["first", "cached", "Service", "Service.run", "Service.make", "Service.name"]


NAMES = ["_private", "fill", "again", "first", "nothing", 1, "number"]
SHOP = """
    from dataclasses import dataclass
    @dataclass
    class Shop:
        name: str
        def open(self): ...
        @property
        def town(self): ...
    class Branch(Shop): ...
    TOOLS = [Branch]
"""
MODELS = """
    from typing import Generic, TypeVar
    import pydantic
    T = TypeVar("T")
    class Page(pydantic.BaseModel, Generic[T]):
        _seen: int = 0  # so pydantic adds model_post_init()
        items: list[T]
        def first(self) -> int: ...
    globals()["Page[int]"] = Page[int]  # as pydantic does
"""
PACK = {
    "pack/__init__.py": "from ._inner import shown\n__all__ = ['shown']",
    "pack/_inner.py": "def shown(): ...",
    "pack/tools.py": "from . import shown\ndef run(): ...",
    "pack/below/__init__.py": "",
    "pack/below/deep.py": "from ..tools import run\ndef dive(): ...\nclass Sub:\n"
                          "    def __init__(self): ...",
    "pack/__main__.py": "raise SystemExit",
}  # fmt: skip
IN_PACK, DEEP = ["shown", "below.deep.dive", "below.deep.Sub", "tools.run"], ["dive", "Sub"]
ELSEWHERE = {"there/pack_there/__init__.py": "from .tools import run",
             "there/pack_there/tools.py": "def run(): ..."}  # fmt: skip


def named(names):
    return {"tools.py": f"def first(): ...\na = b = first\n__all__ = {names}"}


FOUND: list[tuple[str, dict[str, str], list[str], list[str]]] = [
    # the command, the files, the targets, and the names of the functions
    ("check", {"tools.py": MODULE}, ["tools"], PUBLIC),
    ("check", {"tools.py": MODULE}, ["tools.py"], PUBLIC),
    ("show", {"tools.py": f"{dedent(MODULE)}\n__all__ = {NAMES}"}, ["tools"],
     ["_private", "fill", "first"]),
    # of several names, that of the function or the first
    *(("show", named(names), ["tools"], ["first"])
      for names in (["b", "a", "first"], ["first", "b", "a"], ["a", "first", "b"])),
    *(("show", named(names), ["tools"], ["a"]) for names in (["b", "a"], ["a", "b"])),
    # classes, dataclasses, models and partials
    ("check", {"tools.py": MODULE}, ["tools:Service"],
     ["Service", "Service.run", "Service.make", "Service.name"]),
    ("check", {"tools.py": "import functools\n__all__ = ['g']\ng = functools.partial(int, base=2)"},
     ["tools"], ["g"]),
    ("check", {"tools.py": SHOP}, ["tools.py"], ["Shop.open"]),
    ("check", {"tools.py": SHOP}, ["tools.py:Shop"], ["Shop", "Shop.open"]),
    ("check", {"tools.py": SHOP}, ["tools.py:TOOLS"], ["Branch"]),
    ("check", {"shop.py": MODELS}, ["shop.py"], ["Page", "Page.first"]),
    # packages, folders and files
    ("check", PACK, ["pack"], IN_PACK),
    ("check", PACK, ["./pack"], IN_PACK),
    ("check", PACK, ["pack/__init__.py"], IN_PACK),
    ("check", PACK, ["pack/below"], ["deep.dive", "deep.Sub"]),
    ("check", PACK, ["pack.below"], ["deep.dive", "deep.Sub"]),
    ("check", PACK, ["pack/below/deep.py"], DEEP),
    ("check", PACK, ["pack._inner"], ["shown"]),
    ("check", ELSEWHERE, ["there/pack_there"], ["tools.run"]),
    ("show", {"a:b.py": "def f(): ..."}, ["a:b.py"], ["f"]),
    ("show", {"a:b/c.py": "def f(): ...", "a:b/notes": ""}, ["a:b"], ["c.f"]),
    # a module before a folder, and a file before a module of Python with its name
    ("show", {"mine.py": "def f(): ...", "mine/two.py": "def g(): ..."}, ["mine"], ["f"]),
    ("show", {"sys.py": "def f(): ..."}, ["sys.py"], ["f"]),
    # two files or functions of one name
    ("check", {"one/tools.py": "def first(): ...", "two/tools.py": "def second(): ..."},
     ["one/tools.py", "two/tools.py", "one/tools.py:first", "two/tools.py:second"],
     ["first", "second"]),
    ("show", {"one.py": "def run(): ...\ndef go(): ...", "two.py": "def run(): ..."},
     ["one", "two", "one:go"], ["one:run", "go", "two:run"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "files", "targets", "names"), FOUND, ids=range(len(FOUND)))
def test_functions_are_found_in_targets(run, write, command, files, targets, names):
    for name, source in files.items():
        write(name, source)

    assert names == names_of(run, *targets, command=command)


@pytest.fixture
def package(write):
    for name, source in PACK.items():
        write(name, source)


NO_TOOL = ", which cannot be called and lists no tools"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tools:"], "'tools:' is not a target; use module:function or file.py:function"),
        ([":deploy"], "':deploy' is not a target; use module:function or file.py:function"),
        (["show", ""], "'' is not a target; use module:function or file.py:function"),
        (["tools:Lazy:x"],
         "'tools:Lazy:x' is not a target; use module:function or file.py:function"),
        (["q:zzzzzzzzzz.py"], "no such file: q:zzzzzzzzzz.py"),
        (["no\\where"], "no\\where is not a Python file, package or folder"),
        (["plain/file.txt"], "plain/file.txt is not a Python file, package or folder"),
        (["script"], "script is not a Python file, package or folder"),
        (["missing.py:f"], "no such file: missing.py"),
        (["tool.py:f"], "no such file: tool.py; did you mean tools.py?"),
        (["nope/pack"], "nope/pack is not a Python file, package or folder"),
        (["no_such_module:f"], "no module named no_such_module"),
        (["textwarp:dedent"], "no module named textwarp; did you mean textwrap?"),
        (["tiem:sleep"], "no module named tiem; did you mean time?"),
        (["collectionsabc:f"], "no module named collectionsabc; did you mean collections?"),
        (["textwrap.dedent"], "no module named textwrap.dedent; did you mean textwrap:dedent?"),
        (["pack.tolls:f"], "no module named pack.tolls; did you mean pack.tools?"),
        (["json.nothing"], "no module named json.nothing"),
        (["textwrap:nothing"], "textwrap has no nothing"),
        (["textwrap:dednt"], "textwrap has no dednt; did you mean dedent?"),
        (["tools:Lazy.rnu"], "tools has no Lazy.rnu; did you mean Lazy.run?"),
        (["pack:tools.f"], "pack has no tools.f; it is a module, so write pack.tools:function"),
        (["tools:textwrap"], "tools:textwrap is a module; its target is textwrap"),
        (["tools:Lazy.size"], f"tools:Lazy.size is an instance of property{NO_TOOL}"),
        (["textwrap:dedent.nothing"], "textwrap has no dedent.nothing"),
        (["chek"], "unknown command chek; did you mean check?"),
        (["show", "--strict", "textwrap:dedent"], "dedent(text): no annotation; add one"),
        (["math:pi"], f"math:pi is an instance of float{NO_TOOL}"),
        (["sys:version"], f"sys:version is an instance of str{NO_TOOL}"),
        (["sys:path"], "sys:path[0] is an instance of str, not a tool"),
        (["tools:lazy.x"], "looking up lazy.x in tools raised ValueError: no x"),
        (["tools:lazy.leave"], "looking up lazy.leave in tools raised SystemExit: 0"),
        (["plain/tools.py"], "no such file: plain/tools.py"),
        (["show", "tools", "--profile", "MPC"], "MPC is not a profile; did you mean MCP?"),
        (["show", "tools", "--profile", "none"],
         "none is not a profile; write module:NAME for your own"),
        (["show", "tools", "--profile", "tools:lazy"],
         "tools:lazy is not a profile; write module:NAME for your own"),
        (["show", "tools", "--profile", "tools:nothing"], "--profile: tools has no nothing"),
        (["show", "tools", "--profile", "qqqqqqqq:X"], "--profile: no module named qqqqqqqq"),
        (["show", "tools", "--profile", "needy:x"],
         ("--profile: importing needy raised ModuleNotFoundError: "
               "No module named 'no_such' (needy.py:1)")),
        (["show"], "show needs a TARGET, such as . or mypackage; see milo-schema show --help"),
        (["explain"], "explain needs a CODE; see milo-schema explain --help"),
        (["explain", "falback"], "unknown code falback; did you mean fallback?"),
        (["check", "tools", "--ignore", "falback"],
         "--ignore: unknown code falback; did you mean fallback?"),
        (["check", "tools", "--ignore", "foo"],
         "--ignore: unknown code foo; choose from those that milo-schema check --help lists"),
        (["check", "tools", "--format", "xml"],
         "--format: unknown format xml; choose from text, json, github, sarif"),
        (["show", "--pro", "mcp", "tools"], "show has no option --pro; did you mean --profile?"),
        (["check", "--stirct", "tools"], "check has no option --stirct"),
        (["show", "--stirct=1", "tools"], "show has no option --stirct=1; did you mean --strict?"),
        (["--vers"], "show has no option --vers; did you mean --version?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_broken_target_is_one_line_and_status_2(run, write, arguments, message):
    write("plain/file.txt")
    write("pack/__init__.py")
    write("pack/tools.py")
    write("needy.py", "import no_such")
    write("script", "def f(): ...")
    write(
        "tools.py",
        """
        import textwrap
        class Lazy:
            def run(self): ...
            @property
            def size(self): ...
            @property
            def leave(self): print("bye"); raise SystemExit(0)
            def __getattr__(self, name): raise ValueError(f"no {name}")
        lazy = Lazy()
        """,
    )
    assert (2, "", f"milo-schema: {message}\n") == run(*arguments)


def test_no_arguments_print_the_help(run):
    status, out, err = run()

    assert (0, "") == (status, err)
    assert out.startswith("usage: milo-schema COMMAND [OPTION...] TARGET...\n")
    assert out.endswith("  130  interrupted\n")
    assert out == run("--help")[1]


def test_an_option_without_its_value_is_a_usage_error(run):
    status, out, err = run("check", "json", "--profile")

    assert (2, "", "usage: milo-schema check") == (status, out, err[:24])


# -- imports -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("raise ValueError('a\\n  b')", "ValueError: a b (tools.py:1)"),
        ("raise SystemExit('a b')", "SystemExit: a b (tools.py:1)"),
        ("import sys; sys.exit()", "SystemExit (tools.py:1)"),
        ("import os\nos._exit(0)", "SystemExit: os._exit() (tools.py:2)"),
        ("import os\nos.execlp('true', 'true')", "SystemExit: os.execv() (tools.py:2)"),
        ("import os; os.execle('true', {})", "SystemExit: os.execve() (tools.py:1)"),
        ("class Odd(BaseException): ...\nraise Odd", "Odd (tools.py:2)"),
        ("class Odd(Exception):\n    def __str__(self): raise OSError\nraise Odd",
         "Odd (tools.py:3)"),
        ("print('before')\n1 / 0", "ZeroDivisionError: division by zero (tools.py:2)"),
        ("import other", "KeyError: 'x' (other.py:1)"),
        ("def f(:", "SyntaxError: invalid syntax (tools.py, line 1)"),
        (("from milo_schema import function_to_schema\ndef f(x): ...\n"
               "function_to_schema(f, strict=True)"),
         "SchemaError: f(x): no annotation; add one (tools.py:2)"),
        ("from milo_schema import function_to_schema\nfunction_to_schema(None)",
         ("SchemaError: expected a function, got None; did you write f(...) instead of f? "
               "(tools.py:2)")),
    ],
)  # fmt: skip
def test_a_target_that_fails_to_import_is_one_line_and_status_3(run, write, statement, reason):
    write("tools.py", statement)
    write("other.py", "{}['x']")

    message = f"milo-schema: importing tools.py raised {reason}\n"
    assert (3, "", message) == run("show", "tools.py:f")
    assert "tools" not in sys.modules


def test_a_module_is_imported_with_an_empty_standard_input(write, folder):
    write("tools.py", "import os, sys\nread = sys.stdin.read(), os.read(0, 9)\ndef stop(): ...")
    write("other.py", "import tools\nassert tools.read == ('', b'')")
    words = ["snapshot", "-", "tools.py", "other.py"]
    taken = program(*words, cwd=folder, input="unread").stdout

    done = program("diff", "-", "tools.py", cwd=folder, input=taken)

    assert (0, "no changes\n", "") == (done.returncode, done.stdout, done.stderr)
    assert list(json.loads(taken)["functions"]) == ["stop"]


def test_a_server_that_runs_when_it_is_imported_ends_at_once(write, folder):
    write(
        "server.py",
        """
        import asyncio, sys
        def stop(): ...
        async def run():
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader)
            await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
            print(await reader.read())
        asyncio.run(run())
        """,
    )
    command = [sys.executable, "-m", "milo_schema", "server.py:stop"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.wait(60) == 0  # standard input is still open
        assert json.loads(process.stdout.read()) == STOP
        assert process.stderr.read() == b"milo-schema: importing server.py printed \"b''\"\n"


def test_a_target_is_found_although_a_module_before_it_changes_the_folder(run, write):
    write("elsewhere/__init__.py")
    write("mover.py", "import os\nos.chdir('elsewhere')\ndef go(): ...")
    write("tools.py", "def stop(): ...")
    write("tools.json", '{"tools": [{"name": "h", "inputSchema": {"type": "object"}}]}')

    status, out, err = run("show", "mover.py", "tools.py", "tools.json")

    assert (0, {"go", "stop", "h"}, "") == (status, json.loads(out).keys(), err)


def test_a_thread_that_a_module_leaves_behind_does_not_keep_the_program(write, folder):
    write(
        "tools.py",
        """
        import threading
        threading.Thread(target=threading.Event().wait).start()
        def stop() -> None: ...
        """,
    )

    done = program("check", "tools.py", cwd=folder, timeout=60)

    assert (1, "") == (done.returncode, done.stderr)
    assert done.stdout.endswith("\n1 function: 1 finding (1 undescribed-tool)\n")


def test_the_program_exits_past_a_thread_with_the_status_of_the_command(write, monkeypatch):
    write(
        "tools.py",
        """
        import threading
        over = threading.Event()
        threading.Thread(target=over.wait).start()
        def stop() -> None: ...
        """,
    )
    exited: list[int] = []
    monkeypatch.setattr(os, "_exit", exited.append)
    monkeypatch.setattr(sys, "argv", ["milo-schema", "check", "tools.py"])

    assert command_line.main() == 1
    assert exited == [1]

    sys.modules["tools"].over.set()


def test_a_pipe_or_a_device_is_not_imported(run, write, folder):
    write("tools/good.py", "def stop(): ...")
    os.mkfifo(folder / "tools/pipe.py")
    (folder / "tools/zero.py").symlink_to("/dev/zero")
    (folder / "tools/gone.py").symlink_to("nowhere")
    write("elsewhere/far.py", "def go(): ...")
    (folder / "tools/linked").symlink_to(folder / "elsewhere")
    told = "milo-schema: importing {} raised OSError: it is not a regular file\n"

    status, out, err = run("tools")

    assert (3, ["good.stop"]) == (status, [*json.loads(out)])
    assert err == told.format("tools/gone.py, tools/pipe.py, tools/zero.py")
    assert (3, "", told.format("tools/pipe.py")) == run("tools/pipe.py")


def test_the_traceback_of_an_import_error_is_printed_on_demand(run, write, folder):
    write("tools.py", "import other")
    write("other.py", "{}['x']")

    status, out, err = run("show", "tools.py:f", "--traceback")

    assert (3, "") == (status, out)
    assert err.startswith("Traceback (most recent call last):\n  File ")
    told = "milo-schema: importing tools.py raised KeyError: 'x' (other.py:1)\n"
    assert err.endswith(f"KeyError: 'x'\n{told}")
    assert f'File "{folder / "other.py"}", line 1, in <module>' in err


@pytest.mark.parametrize("place", ["", "@classmethod\n    def __milo_schema__(cls, walk): "])
def test_a_keyboard_interrupt_is_one_line_and_status_130(run, write, place):
    write("tools.py", f"class A:\n    {place}raise KeyboardInterrupt\ndef f(a: A): ...")

    assert (130, "", "milo-schema: interrupted\n") == run("show", "tools.py")


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ("print('hello')", "'hello'"),
        ("print('hello')\nprint('a')\nprint('b')", "'hello' and 2 more lines"),
        ("print('hello')\nprint('a')", "'hello' and 1 more line"),
        ("import sys; sys.stdout.write('hello')", "'hello'"),
        ("import os; os.write(1, b'hel'); print('lo')", "'hello'"),
        ("print('a' * 81)", repr(f"{'a' * 77}...")),
    ],
)
def test_a_target_that_prints_is_one_line_on_standard_error(run, write, statements, words):
    write("tools.py", f"{statements}\ndef stop(): ...")

    status, out, err = run("tools.py:stop")

    assert (0, STOP) == (status, json.loads(out))
    assert err == f"milo-schema: importing tools.py printed {words}\n"


def test_lazy_imports_keep_standard_output_clean(run, write):
    write(
        "tools.py",
        """
        __all__ = ["go", "leave", "stop"]
        def __getattr__(name):
            print("loading", name)
            if name == "leave":
                raise SystemExit
            def stop(): ...
            return stop
        """,
    )

    status, out, err = run("show", "tools.py")
    assert (0, {"go": STOP, "stop": STOP}, "") == (status, json.loads(out), err)
    status, out, err = run("show", "tools.py:stop")
    assert (0, STOP, "") == (status, json.loads(out), err)


LOUD = """
    import os, subprocess, sys
    print("by Python")
    sys.__stdout__.write("by its own name\\n")
    os.write(1, b"by the system \\xff\\n")
    subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
    def stop(): ...
"""


def test_not_even_a_subprocess_of_a_target_reaches_standard_output(write, folder):
    write("tools.py", LOUD)

    done = program("tools.py:stop", cwd=folder)

    assert (0, STOP) == (done.returncode, json.loads(done.stdout))
    assert done.stderr.startswith("milo-schema: importing tools.py printed ")
    assert done.stderr.endswith(" and 3 more lines\n")
    assert done.stderr.count("\n") == 1


def test_a_failing_module_of_a_package_is_reported_and_the_rest_is_checked(run, package, write):
    write("pack/broken.py", "import no_such")

    status, out, err = run("check", "--format", "json", "pack")

    assert {"shown", "tools.run"} <= {row["function"] for row in json.loads(out)}
    reason = "ModuleNotFoundError: No module named 'no_such' (pack/broken.py:1)"
    assert (1, f"milo-schema: importing pack.broken raised {reason}\n") == (status, err)


def test_output_of_a_package_is_reported_for_each_module(run, package, write):
    write("pack/tools.py", "print('hello')\ndef run() -> None:\n    'Run.'")
    write("pack/__init__.py", "print('welcome')")
    write("pack/below/deep.py")

    status, out, err = run("check", "pack")

    assert (0, "1 function: no findings\n") == (status, out)
    assert err.splitlines() == [
        "milo-schema: importing pack printed 'welcome'",
        "milo-schema: importing pack.tools printed 'hello'",
    ]


def test_output_of_a_hook_is_not_output_of_the_command(run, write):
    write(
        "tools.py",
        """
        class Money:
            @classmethod
            def __milo_schema__(cls, walk):
                print("hello")
                return {"type": "string"}
        def pay(sum: Money): ...
        """,
    )

    status, out, err = run("tools.py:pay")

    assert (0, schema_of(sum={"type": "string"}), "") == (status, json.loads(out), err)


@pytest.mark.parametrize(
    ("statements", "printed"),
    [
        ("sys.stdout.close()", None),
        ("sys.stdout.detach()", None),
        ("sys.stdout = io.StringIO()\nprint('a')", None),
        ("sys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'utf-8')\nprint('a')", "'a'"),
        ("print('a')\natexit.register(print, 'at exit')", "'a'"),
        ("logging.basicConfig(stream=sys.stdout)\natexit.register(logging.error, 'b')", None),
    ],
)
def test_standard_output_stays_clean_whatever_a_target_does(write, folder, statements, printed):
    write("tools.py", f"import atexit, io, logging, sys\n{statements}\ndef stop(): ...")

    done = program("tools.py:stop", cwd=folder)

    told = f"milo-schema: importing tools.py printed {printed}\n" if printed else ""
    assert (0, STOP, told) == (done.returncode, json.loads(done.stdout), done.stderr)


def test_a_target_that_ends_the_process_at_exit_does_not_decide_its_status(write, folder):
    write("tools.py", "import atexit, os\natexit.register(lambda: os._exit(0))\ndef stop(): ...")

    done = program("check", "tools.py", cwd=folder)

    assert done.returncode == 1
    assert done.stderr.endswith("\nSystemExit: os._exit()\n")


def test_modules_of_the_current_folder_hide_no_standard_module(write, folder):
    """The program is started without the current folder in the path, as a console script is."""
    for name in ("difflib", "textwrap", "shutil", "json"):
        write(f"{name}.py", "def f(): ...")
    start = "import sys; sys.path.remove(''); from milo_schema.__main__ import main; exit(main())"

    for target in ("tools.py:f", "difflib.py:g"):
        done = program(target, python=("-c", start), cwd=folder)
        assert (2, "") == (done.returncode, done.stdout)
        assert done.stderr.startswith("milo-schema: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("redirect", ["1>&-", "1>&- 2>/dev/null"])
@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_a_closed_standard_output_causes_no_traceback(write, folder, redirect):
    write("tools.py", "print('hello')\ndef stop(): ...")
    command = f"'{sys.executable}' -m milo_schema tools.py:stop {redirect}"
    options = {"shell": True, "cwd": folder, "env": ENVIRONMENT, "capture_output": True}
    done = subprocess.run(command, check=False, text=True, **options)

    assert "Traceback" not in done.stderr


# -- check -------------------------------------------------------------------------------------

UNTIDY = """
    def search(query, limit: int = "ten", page: int = 1):
        '''Search.

        Args:
            querry: What to look for.
        '''
    def tidy() -> None:
        '''Do it.'''
"""
UNTIDY_TABLE = """\
search  tools.py:2
  no-annotation          (query): no annotation; add one
  no-output-schema       no output schema; annotate what it returns, or pass output_schema=
  undescribed-parameter  (query), (limit), (page): no description; document it in the docstring \
or with Description(...)
  default-misfit         (limit): its default does not fit: expected an integer, got \"ten\"
  unknown-parameter      (querry): documented, but not a parameter; did you mean query?

2 functions: 7 findings (3 undescribed-parameter, 1 no-annotation, 1 no-output-schema, \
1 default-misfit, 1 unknown-parameter)
"""


def test_check_prints_a_table_of_findings(run, write):
    write("tools.py", UNTIDY)

    assert (1, UNTIDY_TABLE, "") == run("check", "tools.py")


def test_check_prints_json(run, write):
    write("tools.py", UNTIDY)

    status, out, err = run("check", "tools.py", "--format", "json", "--select", "default-misfit")

    assert (1, "") == (status, err)
    place = {"function": "search", "target": "tools:search", "file": "tools.py", "line": 2}
    message = 'its default does not fit: expected an integer, got "ten"'
    found = {**place, "path": "(limit)", "code": "default-misfit", "message": message}
    assert json.loads(out) == [found]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (["--select", "default-misfit,no-output-schema"], ["no-output-schema", "default-misfit"]),
        (["--select", " default-misfit, no-output-schema,"],
         ["no-output-schema", "default-misfit"]),
        (["--select", "default-misfit", "--select", "unknown-parameter"],
         ["default-misfit", "unknown-parameter"]),
        (["--ignore", "undescribed-parameter,default-misfit", "--ignore", "unknown-parameter"],
         ["no-annotation", "no-output-schema"]),
        (["--select", "default-misfit", "--ignore", "default-misfit"], []),
    ],
)  # fmt: skip
def test_codes_are_selected_and_ignored(run, write, options, codes):
    write("tools.py", UNTIDY)

    status, out, _ = run("check", "tools.py", "--format", "json", *options)

    assert codes == [row["code"] for row in json.loads(out)]
    assert status == (1 if codes else 0)


def test_the_place_of_a_finding_begins_with_its_function(run, write):
    write(
        "tools.py",
        """
        import functools
        class Client:
            def get(self, url: complex, to: list[complex]) -> complex:
                '''Get.'''
        @functools.lru_cache
        def cached(x) -> int:
            '''Cache.'''
        bound = Client().get
        part = functools.partial(cached)
        __all__ = ["Client", "cached", "part", "bound"]
        """,
    )

    _, out, _ = run("check", "tools.py", "--format", "json", "--ignore", "undescribed-tool")
    rows = [(row["function"], row["line"], row["path"], row["code"]) for row in json.loads(out)]

    assert rows[:5] == [
        ("Client.get", 4, "(url)", "fallback"),
        ("Client.get", 4, "(to)[]", "fallback"),
        ("Client.get", 4, "() -> result", "fallback"),
        ("Client.get", 4, "(url)", "undescribed-parameter"),
        ("Client.get", 4, "(to)", "undescribed-parameter"),
    ]
    assert ("cached", 6, "(x)", "undescribed-parameter") in rows
    assert {line for name, line, *_ in rows if name == "bound"} == {4}
    assert {line for name, line, *_ in rows if name == "part"} == {6}


def test_a_dataclass_is_a_tool_if_it_is_named_and_needs_no_output_schema(run, write):
    write(
        "tools.py",
        """
        from dataclasses import dataclass
        @dataclass
        class Item:
            '''An item.'''
            name: str
        """,
    )

    _, out, _ = run("check", "tools.py:Item", "--format", "json")

    assert [(row["file"], row["line"], row["code"]) for row in json.loads(out)] == [
        ("tools.py", 3, "undescribed-parameter")
    ]
    assert (5, "[]\n") == run("check", "tools.py", "--format", "json")[:2]


def test_a_class_without_a_constructor_has_the_line_where_its_name_is(run, write):
    write(
        "tools.py",
        """
        import functools
        from dataclasses import dataclass
        @dataclass
        class Item:
            name: str
        def make():
            @dataclass
            class Inner:
                name: str
            return Inner
        part, inner = functools.partial(Item), make()
        """,
    )

    _, out, _ = run("check", "tools.py:part", "tools.py:inner", "--format", "json")

    assert {(row["function"], row["line"]) for row in json.loads(out)} == {
        ("part", 4),
        ("inner", 8),
    }


def test_a_builtin_function_has_no_file(run):
    _, out, _ = run("check", "math:hypot", "--format", "json")

    assert {(row["function"], row["file"], row["line"]) for row in json.loads(out)} <= {
        ("hypot", None, None), ("hypot", row_file("math"), None)
    }  # fmt: skip


def row_file(name):
    """The location of a built-in module in its rows: it may have its own file, or not."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return file and short(file)


def test_files_elsewhere_have_paths_relative_to_their_import_folder(run):
    _, out, _ = run("check", "textwrap:dedent", "--format", "json")

    assert {row["file"] for row in json.loads(out)} == {"textwrap.py"}
    assert short("nowhere/else.py") == "nowhere/else.py"
    sys.path[:0] = ["/a", "/a/b/", "/a"]
    assert short("/a/b/c.py") == "c.py"


def test_the_current_folder_is_searched_first(run, write, folder):
    write("there/mine.py", "def other(): ...")
    write("mine.py", "def own(): ...")
    sys.path.insert(0, str(folder / "there"))
    assert names_of(run, "mine", command="show") == ["own"]


def test_a_module_that_cannot_be_parsed_has_the_place_of_the_mistake(run, write):
    write("tools.py", "def f(:")
    reason = "SyntaxError: invalid syntax (tools.py, line 1)"
    assert run("show", "tools") == (3, "", f"milo-schema: importing tools raised {reason}\n")


def test_tools_are_checked_together_on_demand(run, write):
    write(
        "tools.py",
        """
        def refund(order_id: str) -> None:
            '''Refund.

            Args:
                order_id: Which.
            '''
        def bad(**x: int) -> None: ...
        class Shop:
            '''A shop.'''
            def refund(self) -> None:
                '''Refund.'''
        """,
    )

    status, out, err = run("check", "tools.py", "--together", "--ignore", "undescribed-tool")

    assert (1, "") == (status, err)
    assert out == (
        "together\n"
        "  duplicate-tool  refund: another tool has this name; give it another one\n"
        "\n"
        "4 functions: 1 finding (1 duplicate-tool)\n"
    )


def test_a_missing_schema_is_a_finding(run, write):
    write("tools.py", "def f(x) -> int: 'Do.'")

    options = ["--profile", "platools", "--format", "json", "--together"]
    status, out, err = run("check", "tools.py:f", *options)

    assert [(row["code"], row["path"]) for row in json.loads(out)] == [("no-schema", "(x)")]
    assert (1, "") == (status, err)


@pytest.mark.parametrize(
    "words",
    [["check", "--together"], ["check", "--cost"], ["show"], ["show", "--tool"], ["snapshot", "-"]],
    ids=" ".join,
)
def test_each_function_is_read_once(run, write, monkeypatch, words):
    write("tools.py", "def f(a, b: complex) -> int: ...\ndef g(c: int, /): ...\ndef h(): ...")
    calls = []
    read = vars(readings)["read_callable"]

    def counted(*args):
        calls.append(args)
        return read(*args)

    monkeypatch.setattr(readings, "read_callable", counted)

    run(*words, "tools.py", "--exclude-parameter", "a")
    assert len(calls) == 3


def test_mistakes_in_user_code_are_reported_and_the_rest_is_checked(run, write, monkeypatch):
    write("tools.py", UNTIDY)

    def fail(reading):
        if reading.func.__name__ == "search":
            raise RuntimeError("a b")
        return check_reading(reading)

    monkeypatch.setattr(check_command, "check_reading", fail)

    told = "milo-schema: search: RuntimeError: a b\n"
    assert (2, "2 functions: no findings\n", told) == run("check", "tools.py")


HOOK = """
    class Odd(BaseException): ...
    class Money:
        @classmethod
        def __milo_schema__(cls, walk):
            raise {}
    def pay(sum: Money): ...
    def stop(): ...
"""


def test_an_exit_in_user_code_does_not_stop_the_rest(run, write):
    write("tools.py", HOOK.format("Odd('a b')"))

    status, out, err = run("show", "tools.py", "--as", "mcp")

    assert (2, "milo-schema: pay: Odd: a b\n") == (status, err)
    assert {"name": "stop", "inputSchema": STOP} in json.loads(out)


# -- snapshot and diff -------------------------------------------------------------------------

BEFORE = """
    def deploy(environment: str, version: str = "latest") -> dict[str, str]:
        '''Deploy.'''
    def stop() -> None: ...
"""
AFTER = """
    def deploy(environment: str, replicas: int, version: str = "stable") -> dict[str, int]:
        '''Deploy it.'''
    def start(): ...
"""
SNAPSHOT = {
    "milo_schema_snapshot": 2,
    "profile": "MCP",
    "$defs": {},
    "functions": {"deploy": {"description": "Deploy.",
            "input": obj(["environment"], environment=STRING,
              version={"type": "string", "default": "latest"}) | {"additionalProperties": False},
            "output": map_of(STRING)}, "stop": {"input": STOP}},
}  # fmt: skip
CHANGES = """\
deploy: description "Deploy." -> "Deploy it." (reworded)
deploy.version: default "latest" -> "stable" (compatible)
deploy.replicas: added, required (breaking): {"environment": ""} worked before
deploy() -> result{}: type string -> integer (breaking): {"a": 0} may be returned now
start: added (compatible)
stop: removed (breaking)
6 changes, 3 breaking
"""


def test_a_snapshot_is_sorted_json_with_a_format(run, write, folder):
    write("tools.py", BEFORE)

    assert (0, "", "") == run("snapshot", "schemas.json", "tools.py")

    text = (folder / "schemas.json").read_bytes().decode()
    assert json.loads(text) == SNAPSHOT
    assert list(json.loads(text)) == ["milo_schema_snapshot", "profile", "$defs", "functions"]
    functions = json.loads(text)["functions"]
    assert json.dumps(functions) == json.dumps(functions, sort_keys=True)
    assert text.endswith("}\n")
    assert "\r" not in text


def test_a_diff_lists_the_changes(run, write):
    write("old/tools.py", BEFORE)
    write("new/tools.py", AFTER)
    run("snapshot", "schemas.json", "old/tools.py")

    assert (1, CHANGES, "") == run("diff", "schemas.json", "new/tools.py")
    assert (0, "no changes\n", "") == run("diff", "schemas.json", "old/tools.py")


def test_a_compatible_change_is_not_a_failure(run, write):
    write("old/tools.py", "def f(a: int): ...\ndef g() -> None: ...\ndef h() -> int: ...")
    write("new/tools.py", "def f(a: float): ...\ndef g() -> int: ...\ndef h(): ...")
    run("snapshot", "schemas.json", "old/tools.py")

    options = ["diff", "schemas.json", "--format", "json"]
    status, out, err = run(*options, "new/tools.py:f", "new/tools.py:g", "new/tools.py:h")

    assert (1, "") == (status, err)
    assert json.loads(out) == [
        {"path": "f.a", "message": "type integer -> number", "effect": "compatible"},
        {"path": "g() -> result", "message": "has an output schema", "effect": "compatible"},
        {"path": "h() -> result", "message": "no output schema any more", "effect": "breaking"},
    ]
    run("snapshot", "schemas.json", "old/tools.py:f")
    told = "f.a: type integer -> number (compatible)\n1 change, none breaking\n"
    assert (0, told, "") == run("diff", "schemas.json", "new/tools.py:f")


def test_a_function_without_a_schema_fails_a_snapshot_unless_it_is_skipped(run, write):
    write("tools.py", "def f(x): ...\ndef g(x: int, y: complex, z: complex) -> None: ...")

    status, out, err = run("snapshot", "-", "tools.py", "--profile", "platools")
    assert (2, "") == (status, out)
    first, second = err.splitlines()
    assert first.startswith("milo-schema: f(x):")
    assert first.endswith("; --exclude tools:f skips it")
    assert second.startswith("milo-schema: g(y):")
    assert second.endswith("; --exclude tools:g skips it")
    exclude = ("--exclude", "tools:f,tools:g")
    assert (5, "") == run("snapshot", "-", "tools.py", "--profile", "platools", *exclude)[:2]

    status, out, err = run("snapshot", "-", "tools.py:f", "--profile", "platools")
    assert (2, "milo-schema: f(x):", 1) == (status, err[:18], err.count("\n"))
    assert "--exclude" not in err

    status, out, err = run("snapshot", "-", "tools.py:g")
    assert (0, ["g"]) == (status, list(json.loads(out)["functions"]))
    told = "2 places without an exact schema; run milo-schema check for details"
    assert err == f"milo-schema: {told}\n"


def test_a_function_without_a_schema_in_a_package_is_reported_with_its_module(run, write):
    write("pack/__init__.py")
    write("pack/tools.py", "def f(x): ...\nclass Shop:\n    def f(self, x): ...")

    _, _, err = run("snapshot", "-", "pack", "--profile", "platools")

    assert [line.partition("): ")[0] for line in err.splitlines()] == [
        "milo-schema: tools.f(x",
        "milo-schema: tools.Shop.f(x",
    ]


HEAD = '{"milo_schema_snapshot": 2, "profile": "MCP", "functions": '


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("\xff",
         "is not JSON: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        ('{"a": 1}\n{"a": 2}', ("is not JSON: Extra data: line 2 column 1 (char 9); "
               "if each line is a value (JSON Lines), put them into one list")),
        ("{} // A.", ("is not JSON: Extra data: line 1 column 4 (char 3); "
               "remove the comments")),
        ('["a",\n# B.\n]', ("is not JSON: Expecting value: line 2 column 1 (char 6); "
               "remove the comments")),
        ("{}", ("is not a snapshot: it has no 'milo_schema_snapshot'; "
               "write one with milo-schema snapshot")),
        ('{"milo_schema_snapshot": 1}',
         ("is not a snapshot: it has format 1, but this release reads 2; "
               "recreate it, or use the release that wrote it")),
        ('{"milo_schema_snapshot": 2}',
         "is not a snapshot: it does not name the profile that made it"),
        ('{"milo_schema_snapshot": 2, "profile": "MCP"}', "is not a snapshot: it has no functions"),
        (HEAD + '{"f": {}}}', "is not a snapshot: f has no input schema"),
        (HEAD + '{"f": 1}}', "is not a snapshot: f has no input schema"),
        (HEAD + '{"f": {"input": 1}}}',
         "is not a snapshot: the input schema of f: it must be an object"),
        (HEAD + '{"f": {"input": {}, "output": {"minimum": "x"}}}}',
         "is not a snapshot: the output schema of f: 'minimum' must be a number, not \"x\""),
        (HEAD + '{"f": {"input": {}}}, "$defs": {"A": {"minimum": "x"}}}',
         "is not a snapshot: 'minimum' must be a number, not \"x\""),
    ],
)  # fmt: skip
def test_a_bad_snapshot_is_one_line_and_status_2(run, folder, content, reason):
    (folder / "schemas.json").write_bytes(content.encode("latin-1"))

    assert (2, "", f"milo-schema: schemas.json {reason}\n") == run("diff", "schemas.json", "json")


def test_a_file_without_an_end_is_one_line_and_status_2(run, write, folder, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 9)
    write("tools.py", "def f(): ...")
    (folder / "base.json").write_text(" " * 10)

    message = "milo-schema: cannot read base.json: it has more than 9 bytes\n"
    assert (2, "", message) == run("diff", "base.json", "tools.py")


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("write", ["snapshot", "no/schemas.json", "tools.py"]),
        ("read", ["diff", "no/schemas.json", "json"]),
    ],
)
def test_a_file_that_does_not_exist_is_one_line_and_status_2(run, write, verb, words):
    write("tools.py", BEFORE)

    message = f"milo-schema: cannot {verb} no/schemas.json: No such file or directory\n"
    assert (2, "", message) == run(*words)


# -- terminals ---------------------------------------------------------------------------------


@pytest.fixture
def on_terminal(monkeypatch):
    """Standard output and standard error are terminals, sixty columns wide."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(terminal, "_is_terminal", lambda stream: True)


def test_a_terminal_has_colors_and_a_width(run, write, on_terminal):
    write("tools.py", UNTIDY)

    status, out, err = run("check", "tools.py", "--select", "undescribed-parameter")

    assert (1, "") == (status, err)
    assert out == (
        "\x1b[1msearch\x1b[0m  \x1b[2mtools.py:2\x1b[0m\n"
        "  \x1b[33mundescribed-parameter\x1b[0m  (query), (limit), (page): no\n"
        "                         description; document it in the\n"
        "                         docstring or with Description(...)\n"
        "\n"
        "2 functions: 3 findings (3 undescribed-parameter)\n"
    )


def test_the_color_of_a_change_shows_whether_it_breaks(run, write, on_terminal):
    write("old/tools.py", "def f(a: int = 1): ...")
    write("new/tools.py", "def f(a: int = 2, *, b: int): ...")
    run("snapshot", "schemas.json", "old/tools.py")

    _, out, _ = run("diff", "schemas.json", "new/tools.py")

    assert out == (
        "f.a: default 1 -> 2 \x1b[32m(compatible)\x1b[0m\n"
        "f.b: added, required \x1b[31m(breaking)\x1b[0m: {} worked before\n"
        "2 changes, 1 breaking\n"
    )


def test_the_heading_of_findings_in_many_functions_is_bold(run, write, on_terminal):
    write("tools.py", "".join(f"def f{number}(x: complex) -> None: ...\n" for number in range(4)))

    _, out, _ = run("check", "tools.py", "--select", "errors")

    assert out.startswith("\x1b[1min many functions\x1b[0m\n  \x1b[33mfallback\x1b[0m  4 places,")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_may_have_no_colors(run, write, on_terminal, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    write("tools.py", UNTIDY)

    _, out, _ = run("check", "tools.py", "--select", "default-misfit")

    assert out == (
        "search  tools.py:2\n"
        "  default-misfit  (limit): its default does not fit:\n"
        '                  expected an integer, got "ten"\n'
        "\n"
        "2 functions: 1 finding (1 default-misfit)\n"
    )


def test_a_closed_stream_is_not_a_terminal():
    stream = io.StringIO()
    stream.close()

    assert terminal._is_terminal(stream) is False
    assert terminal._is_terminal(None) is False


def test_a_reader_of_a_pipe_may_close_it(write, folder, monkeypatch):
    """A pipe without a reader: the command ends, and Python does not fail again at exit."""
    write("tools.py", "def stop(): ...")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert command_line.main(["tools.py:stop"]) == 0
        stream.flush()  # as Python does when it ends


def test_a_full_disk_is_one_line_and_status_2(write, monkeypatch, capsys):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(errno.ENOSPC, "No space left on device")

        def fileno(self):
            return os.open("written", os.O_CREAT | os.O_WRONLY)

    write("tools.py", "def stop(): ...")
    with monkeypatch.context() as patch:  # undone before capsys is, whose stream ends with it
        patch.setattr(sys, "stdout", Full())
        assert command_line.main(["tools.py:stop"]) == 2

    assert capsys.readouterr().err == "milo-schema: cannot write: No space left on device\n"


def test_nothing_is_reported_without_standard_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)

    assert command_line.main(["textwrap:dednt"]) == 2


# -- without sys.stdout ------------------------------------------------------------------------


def test_silence_captures_all_output(capfd):
    with Silence() as silence:
        print("by Python")
        os.write(1, b"by the system \xff\n")
        assert sys.__stdout__ is not None
        sys.__stdout__.write("by its own name\n")
    print("after")

    written = sorted(silence.text.splitlines())
    assert written == ["by Python", "by its own name", "by the system \ufffd"]
    assert capfd.readouterr() == ("after\n", "")


def test_only_a_process_that_is_forked_ends_in_silence(monkeypatch):
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    with Silence():
        monkeypatch.setattr(os, "getpid", lambda: 0)
        os._exit(3)
    assert (ended, os._exit) == ([3], ended.append)


def test_silence_works_without_standard_output(monkeypatch):
    monkeypatch.setattr(heard, "STDOUT", -1)
    monkeypatch.setattr(sys, "stdout", None)

    with Silence() as silence:
        print("hello")

    assert silence.text == "hello\n"
    assert sys.stdout is None


def test_silence_works_if_standard_output_is_the_descriptor(monkeypatch):
    with os.fdopen(os.dup(1), "w") as other:
        monkeypatch.setattr(heard, "STDOUT", other.fileno())
        monkeypatch.setattr(sys, "stdout", other)
        with Silence() as silence:
            print("hello")

    assert silence.text == "hello\n"


@pytest.mark.parametrize(
    "words",
    [["tools.py:stop"], ["check", "tools.py", "--cost"], ["snapshot", "-", "tools.py"], ["--help"]],
)
def test_without_standard_output_a_result_is_not_written_and_the_status_is_2(
    write, monkeypatch, capsys, words
):
    write("tools.py", "def stop(): ...")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert command_line.main(words) == 2

    assert capsys.readouterr().err == "milo-schema: cannot write: standard output is closed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("words", [["--version"], ["--help"], ["explain", "no-annotation"]])
def test_help_that_a_full_disk_cannot_take_has_the_status_2(words):
    with Path("/dev/full").open("w") as full:
        done = program(*words, stdout=full)

    message = "milo-schema: cannot write: No space left on device\n"
    assert (2, message) == (done.returncode, done.stderr)


# -- the program -------------------------------------------------------------------------------


def test_the_program_exits_with_the_status_of_the_command(write, monkeypatch, capsys):
    write("tools.py", UNTIDY)
    monkeypatch.setattr(sys, "argv", ["milo-schema", "check", "tools.py"])
    monkeypatch.delitem(sys.modules, "milo_schema.__main__")

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("milo_schema", run_name="__main__")

    assert (1, UNTIDY_TABLE) == (ended.value.code, capsys.readouterr().out)


def test_an_older_python_is_one_line(monkeypatch):
    monkeypatch.delitem(sys.modules, "milo_schema.__main__")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version_info", (3, 10, 13))
        patch.setattr(sys, "version", "3.10.13 (main)")
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("milo_schema", run_name="__main__")

    told = "milo-schema needs Python 3.11 or later, but this is 3.10.13"
    assert told == ended.value.code


def test_an_error_of_the_library_is_one_line_and_status_2(run, monkeypatch):
    def fail(arguments, console):
        raise SchemaError("it fails", "f(x)")

    monkeypatch.setattr(functions, "show", fail)

    assert (2, "", "milo-schema: f(x): it fails\n") == run("show", "json")


class Unreadable(BaseException):
    """An exception without a text."""

    def __str__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (RecursionError("too deep"), "RecursionError: too deep"),
        (MemoryError(), "MemoryError"),
        (SystemExit(0), "SystemExit: 0"),
        (Unreadable(), "Unreadable"),
    ],
)
def test_any_other_exception_is_one_line_and_status_2(run, monkeypatch, problem, told):
    def fail(arguments, console):
        raise problem

    monkeypatch.setattr(functions, "show", fail)
    message = f"milo-schema: it failed with {told}; --traceback shows where\n"

    assert (2, "", message) == run("show", "json")
    status, out, err = run("show", "json", "--traceback")
    assert (2, "", True) == (status, out, err.startswith("Traceback (most recent call last):\n"))
    assert err.endswith(message)


def test_a_failure_that_cannot_be_reported_is_one_line_and_status_2(monkeypatch, capfd):
    def fail(*_):
        raise ValueError

    monkeypatch.setattr(functions, "show", fail)
    monkeypatch.setattr(terminal.Console, "report", fail)

    assert command_line.main(["show", "json"]) == 2
    assert capfd.readouterr() == ("", "milo-schema: it failed\n")


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        ("import json\njson.dumps = 0",
         ("milo-schema: it failed with TypeError: 'int' object is not callable; "
               "--traceback shows where\n")),
        ("import sys\nsys.stderr.close()\nimport json; del json.dumps", ""),
        ("import builtins\nbuiltins.len = builtins.type = 0", "milo-schema: it failed\n"),
    ],
)  # fmt: skip
def test_what_a_module_replaces_does_not_look_like_a_finding(write, folder, statements, told):
    write("tools.py", f"{statements}\ndef stop(): ...")

    done = program("tools.py", cwd=folder)

    assert (2, "", told) == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_version_and_help_load_hardly_anything(word):
    script = f"""
import sys
from milo_schema.cli import main
main([{word!r}])
sys.exit(" ".join(name for name in sys.modules if name.startswith("milo_schema.")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    loaded = {name.split(".")[1] for name in done.stderr.decode().split()}
    assert loaded == {"annotations", "cli", "errors", "targets"}


def test_the_version_is_that_of_the_package(run):
    assert (0, f"milo-schema {__version__}\n", "") == run("--version")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples(run, command):
    status, out, err = run(*[command][: bool(command)], "--help")

    assert (0, "") == (status, err)
    assert ("\ncodes:\n" if command == "explain" else "\ntargets:\n") in out
    assert f"\nexamples:\n  milo-schema {command}" in out
    assert ("  --ignore CODE  " in out) is (command == "check")
    assert max(map(len, out.splitlines())) <= 80


MANY = (
    "--server SERVER, --timeout SECONDS, --profile PROFILE, --exclude PATTERN, "
    "--exclude-parameter NAME, --no-type-checking-imports, --allow-import-errors, --traceback, "
    "-q, --quiet, --isolated"
)
OF_CHECK = "--select CODE, --ignore CODE, --baseline FILE, --write-baseline, --together, --cost, "


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("show", f"--output, --tool, --as FORM, --format FORMAT, --strict, {MANY}"),
        ("check", f"--format FORMAT, {OF_CHECK}{MANY}"),
        ("snapshot", MANY),
        ("diff", f"--format FORMAT, --fail-on CHANGES, --against REVISION, {MANY}"),
        ("explain", ""),
    ],
)
def test_each_command_has_its_options(run, command, options):
    _, out, _ = run(command, "--help")
    found = re.findall(r"(?m)^  ((?:-q, )?--[a-z-]+(?: [A-Z]+)?)", out)
    assert ", ".join(found) == options


def test_help_has_every_built_in_profile(run):
    text = run("show", "--help")[1].partition("--profile PROFILE")[2]

    listed = re.findall(r"\w+", text.partition(", or module:NAME")[0])
    built_in = [name for name, each in vars(profiles).items() if type(each) is Profile]
    assert listed == sorted(built_in)


@pytest.mark.parametrize("command", ["check", "explain"])
def test_help_has_every_code(run, command):
    text = run(command, "--help")[1]

    assert [code for code in FINDING_CODES if f"\n  {code}\n      {CODES[code]}" not in text] == []


def test_help_of_check_ends_with_the_codes_that_errors_leaves_out(run):
    lines = run("check", "--help")[1].partition("\n  errors\n")[2].splitlines()

    assert " ".join(line[6:] for line in lines) == f"all codes but {' '.join(sorted(STYLE))}"
    assert all(line.startswith("      ") and len(line) <= 78 for line in lines)


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (None, "cannot read -: standard input is closed"),
        (io.TextIOWrapper(io.BytesIO(b"x")),
         "- is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
    ids=["closed", "no JSON"],
)  # fmt: skip
def test_a_standard_input_without_json_is_one_line_and_status_2(run, monkeypatch, stream, reason):
    monkeypatch.setattr(sys, "stdin", stream)

    assert (2, "", f"milo-schema: {reason}\n") == run("diff", "-", "json")


def test_writing_to_a_closed_stream_is_one_line(monkeypatch, capsys):
    stream = io.StringIO()
    stream.close()
    console = terminal.Console()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        console.write("hello")

    assert console.has_failed
    assert capsys.readouterr().err == "milo-schema: cannot write: I/O operation on closed file\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_leaves_early_is_not_an_error(write, folder):
    write("tools.py", "\n".join(f"def f{number}(x: int): ..." for number in range(500)))
    arguments = [sys.executable, "-m", "milo_schema", "show", "tools.py"]

    with subprocess.Popen(
        arguments, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        first = process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()

    assert (b"{", b"", 0) == (first.strip(), err, process.returncode)


@pytest.mark.slow
@pytest.mark.parametrize("parts", [4, pytest.param(20, marks=pytest.mark.long)])
def test_a_package_of_many_functions(write, folder, parts):
    write("many/__init__.py")
    functions = "".join(
        f"def run_{n}(name: str, kind: Literal['a', 'b'], x: Item = None) -> list[Item]: ...\n"
        for n in range(50)
    )
    head = "from dataclasses import dataclass\nfrom typing import Literal\n"
    item = "@dataclass\nclass Item:\n    name: str\n    tags: list[str]\n"
    for number in range(parts):
        write(f"many/part_{number}.py", head + item + functions)

    checked = program("check", "many", "--select", "undescribed-tool", cwd=folder)
    taken = program("snapshot", "schemas.json", "many", cwd=folder)
    done = program("diff", "schemas.json", "many", cwd=folder)

    assert (1, "") == (checked.returncode, checked.stderr)
    last = checked.stdout.splitlines()[-1]
    count = 50 * parts
    assert last == f"{count} functions: {count} findings ({count} undescribed-tool)"
    assert (0, "", "") == (taken.returncode, taken.stdout, taken.stderr)
    assert (0, "no changes\n", "") == (done.returncode, done.stdout, done.stderr)


def test_the_example_of_the_readme_needs_no_site_packages():
    done = program("docs/examples/deploy.py:deploy", python=("-S", *AS_MODULE), cwd=ROOT)

    assert (0, DEPLOY_SCHEMA, "") == (done.returncode, json.loads(done.stdout), done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
def test_a_real_terminal_has_colors(write, folder):
    import pty

    write("tools.py", UNTIDY)
    leader, follower = pty.openpty()
    env = {**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "70"}
    env.pop("NO_COLOR", None)

    words = ["check", "tools.py", "--select", "default-misfit"]
    done = program(*words, cwd=folder, env=env, stdout=follower)
    os.close(follower)
    text = os.read(leader, 10_000).decode()
    os.close(leader)

    assert done.returncode == 1
    assert text.splitlines() == [
        "\x1b[1msearch\x1b[0m  \x1b[2mtools.py:2\x1b[0m",
        "  \x1b[33mdefault-misfit\x1b[0m  (limit): its default does not fit: expected an",
        '                  integer, got "ten"',
        "",
        "2 functions: 1 finding (1 default-misfit)",
    ]


def test_output_before_a_target_replaced_the_stream_is_kept():
    with Silence() as silence:
        sys.stdout.write("written")
        sys.stdout = io.StringIO()
    assert silence.text == "written"


def test_a_command_looks_for_garbage_less_often_and_then_as_often_as_before(run, monkeypatch):
    inside: list[tuple[int, ...]] = []
    others = gc.get_threshold()
    gc.set_threshold(900)
    outside = gc.get_threshold()

    def look(*_: object) -> int:
        inside.append(gc.get_threshold())
        return 0

    monkeypatch.setattr(functions, "show", look)
    status, after = run("show", DEPLOY)[0], gc.get_threshold()
    gc.set_threshold(*others)
    assert (status, inside, after) == (0, [(20_000, *outside[1:])], outside)


@pytest.mark.parametrize("option", [[], ["--together"]])
def test_a_check_keeps_the_tools_only_if_it_looks_at_all_together(run, monkeypatch, option):
    kept: list[bool] = []
    rows_of = vars(check_command)["_rows"]

    def look(checked, *others):
        kept.extend(tool is not None for _, tool in checked.values())
        return rows_of(checked, *others)

    monkeypatch.setattr(check_command, "_rows", look)
    run("check", DEPLOY, *option)
    assert {*kept} == {bool(option)}


def test_a_check_parses_each_file_once(tmp_path, monkeypatch):
    lines = ["from typing import TYPE_CHECKING", "if TYPE_CHECKING:", "    from os import PathLike"]
    lines += ["class Base:", "    def __init__(self, x: 'PathLike'): ...", "class Tool(Base): ..."]
    (tmp_path / "parsed_once.py").write_text("\n".join([*lines, ""]))
    parsed: list[str] = []

    def counted(text, file, mode, *options, **named):
        is_tree = {*options, *named.values()} & {ast.PyCF_ONLY_AST}
        parsed.extend([text] if is_tree and "TYPE_CHECKING" in str(text) else [])
        return compile_(text, file, mode, *options, **named)

    compile_ = compile
    monkeypatch.setattr(builtins, "compile", counted)
    command_line.main(["check", str(tmp_path / "parsed_once.py")])
    assert len(parsed) == 1
