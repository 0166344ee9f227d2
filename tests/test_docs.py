"""The documentation is true: its Python runs, and its commands print the output on the page."""

import ast
import doctest
import functools
import importlib.util
import inspect
import itertools
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import milo_schema
from milo_schema import Profile, errors, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError
from tests import judges
from tests.every import every
from tests.inside import consumers
from tests.needs import lacking
from tests.sources import MODULES, PACKAGE, SOURCES, TREES, nodes_of
from tests.tools import type_tables

pytestmark = pytest.mark.core

ROOT = Path(__file__).parents[1]
CONTRIBUTORS = [ROOT / ".github/design.md", ROOT / ".github/sources.md"]
"""Pages for those who change the library, which are not on the site."""
PAGES = [
    ROOT / "README.md",
    *CONTRIBUTORS,
    *sorted(each for each in ROOT.glob("docs/**/*.md") if "_build" not in each.parts),
]
TROUBLESHOOTING = ROOT / "docs/troubleshooting.md"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

LANGUAGES = {"console", "json", "python", "sh", "text", "toml", "yaml"}
LANGUAGES |= {"{eval-rst}", "{include}", "{toctree}"}
"""Of these, ``python``, ``console`` and ``sh`` run."""

FOREIGN = {"agents", "fastmcp", "langchain_core", "mcp"}
FOREIGN |= {"openai", "pydantic", "pydantic_ai", "typer"}
"""Packages that the examples use; a block that needs one that is missing here is skipped."""

NOT_RUN = {
    "python3 -m venv .venv && .venv/bin/python -m pip install --editable '.[test]'"
    " && .venv/bin/python -m pytest": "makes a virtual environment, installs",
    "python -m pip install milo-schema 'mcp>=2'": "install two packages from the network",
    'milo-schema snapshot tools.lock.json --server "python server.py"': "a server",
}
"""Commands in blocks that no test runs, with the reason that the text gives."""


class Block(NamedTuple):
    """A fenced block of a page: its language, content, first line, and the text before it."""

    language: str
    source: str
    line: int
    before: str

    @property
    def file(self) -> str:
        """The file as which the reader is to save the block; its first line names it."""
        named = FILE.match(self.source) if self.language == "python" else None
        return named[1] if named else ""


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


@functools.cache
def blocks(page: Path) -> list[Block]:
    text, end, found = page.read_text(encoding="utf-8"), 0, []
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start(2))
        found.append(Block(match[1], match[2], line, text[end : match.start()]))
        end = match.end()
    return found


SHOWN = {"pydantic": "pydantic>=2.13"}
"""The oldest release of a package with the output that a page shows."""


def require_foreign(source: str) -> None:
    """Skip the test if the source imports a package that is not here, or too old a one."""
    for name in re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE):
        if name in FOREIGN:
            judges.require(name)
        if lack := lacking(SHOWN.get(name, "")):
            pytest.skip(lack)


@every("page", PAGES, ids=page_id)
def test_every_block_of_a_page_has_a_known_kind(page: Path):
    assert {block.language.partition(" ")[0] for block in blocks(page)} <= LANGUAGES


@every("page", PAGES, ids=page_id)
def test_the_links_of_a_page_have_targets(page: Path):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


# -- Python ------------------------------------------------------------------------------------


def python(page: Path) -> list[Block]:
    """Code that runs in the page's own namespace; a block that is a file runs as a command."""
    return [each for each in blocks(page) if each.language == "python" and not each.file]


def test_the_documentation_has_python_to_run():
    assert sum(len(python(page)) for page in PAGES) >= 30


@pytest.mark.filterwarnings(  # langchain_core
    "ignore:'asyncio.iscoroutinefunction' is:DeprecationWarning"
)
@pytest.mark.parametrize(
    "page", [each for each in PAGES if python(each) and each != TROUBLESHOOTING], ids=page_id
)
def test_the_python_of_a_page_runs(page: Path):
    module = type(sys)(f"docs.{page.stem}")
    sys.modules[module.__name__] = module
    try:
        for block in python(page):
            require_foreign(block.source)
            tree = with_what_is_caught_raised("\n" * block.line + block.source)
            exec(compile(tree, str(page), "exec", dont_inherit=True), vars(module))
    finally:
        del sys.modules[module.__name__]


class _Raised(ast.NodeTransformer):
    def visit_Try(self, node: ast.Try) -> ast.Try:
        node.orelse += ast.parse("raise RuntimeError('nothing was raised')").body
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node  # a function may catch exceptions of packages that are missing


def test_an_explained_message_is_that_of_the_code_before_it():
    """In docs/troubleshooting.md, each text is the message of the Python right before it."""
    module = type(sys)("docs.troubleshooting")
    sys.modules[module.__name__] = module
    explained = [each for each in blocks(TROUBLESHOOTING) if each.language in {"python", "text"}]
    try:
        for block, after in itertools.pairwise([*explained, None]):
            if block.language == "python" and after and after.language == "text":
                assert after.source in messages_of(block.source, vars(module)), block.source
            elif block.language == "python":
                exec(compile(block.source, str(TROUBLESHOOTING), "exec"), vars(module))
    finally:
        del sys.modules[module.__name__]


def messages_of(source: str, namespace: dict[str, Any]) -> list[str]:
    """The exception of the last expression of some code, or the findings that it returns."""
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "code", "exec"), namespace)
    try:
        found = eval(ast.unparse(last), namespace)
    except (milo_schema.SchemaError, ArgumentsError) as error:
        return [f"{error}\n"]
    return [f"{each.path}: {each.message}\n" for each in found]


def with_what_is_caught_raised(source: str) -> ast.Module:
    """Code in which a ``try`` that shows an exception fails if there is none."""
    tree = ast.parse(source)
    _Raised().visit(tree)
    return ast.fix_missing_locations(tree)


def test_an_example_that_does_not_raise_is_found():
    tree = with_what_is_caught_raised("try:\n    raise ValueError\nexcept ValueError:\n    pass\n")
    exec(compile(tree, "code", "exec"), {})
    tree = with_what_is_caught_raised("try:\n    pass\nexcept ValueError:\n    pass\n")
    with pytest.raises(RuntimeError, match="nothing was raised"):
        exec(compile(tree, "code", "exec"), {})


def test_a_function_of_an_example_may_catch_other_exceptions():
    source = "def f():\n    try:\n        pass\n    except ValueError:\n        pass\nf()\n"
    exec(compile(with_what_is_caught_raised(source), "code", "exec"), {})


# -- commands ----------------------------------------------------------------------------------

SEPARATOR = "\x1e"
COMMANDS = {"python": "", "python3": "", "milo-schema": "-m milo_schema"}


class Step(NamedTuple):
    """A command as it is typed, and its output; ``None`` if the page does not show it."""

    command: str
    output: str | None


def steps(block: Block) -> list[Step]:
    """The commands of a block: in ``sh`` each line, in ``console`` what follows a ``$``."""
    if block.language == "sh":
        return [Step(line, None) for line in block.source.splitlines()]
    typed = re.split(r"^\$ ", block.source, flags=re.MULTILINE)
    assert typed[0] == "", "a console block starts with a command"
    commands = [re.match(r".*\n(?:> .*\n)*", each) for each in typed[1:]]
    return [
        Step(found[0].rstrip("\n").replace("\n> ", "\n"), found.string[found.end() :])
        for found in commands
        if found is not None
    ]


def shell(page: Path) -> list[Block]:
    return [each for each in blocks(page) if each.language in {"console", "sh"}]


def is_run(block: Block) -> bool:
    return not any(step.command in NOT_RUN for step in steps(block))


FIRST = {"README.md", "docs/tutorial.md"}
"""The pages that a newcomer tries first, with any Python."""
ONCE = pytest.mark.once


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, so that nothing changes that a command writes to.

    It is without our settings: a reader's pytest has none of them.
    """
    hidden = shutil.ignore_patterns(
        *(".*", "__pycache__", "_build", "live", "milo_schema", "tests", "pyproject.toml")
    )
    return Path(shutil.copytree(ROOT, tmp_path / "project", ignore=hidden))


@pytest.fixture
def environment(tmp_path: Path, project: Path) -> dict[str, str]:
    """This Python and the command line of the copy, without a terminal and without settings."""
    scripts = tmp_path / "bin"
    scripts.mkdir()
    for name, arguments in COMMANDS.items():
        script = scripts / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        script.chmod(0o755)
    return {
        "COLUMNS": "80",
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{scripts}:{os.environ['PATH']}",
        "PYTEST_ADDOPTS": "-p no:langsmith_plugin",  # as in pyproject.toml
        "PYTHONPATH": str(PACKAGE.parent),
        "PYTHONWARNINGS": "error",
    }


def printed(commands: list[str], folder: Path, environment: dict[str, str]) -> list[str]:
    """The output of each command, typed into one shell."""
    script = "".join(
        f"{command}\nstatus=$?; printf '\\036'; (exit $status)\n" for command in commands
    )
    streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    options: Any = {"cwd": folder, "env": environment, "timeout": 120, **streams}
    said: str = subprocess.run(["sh", "-c", script], check=False, **options).stdout
    *outputs, rest = said.split(SEPARATOR)
    assert (rest, len(outputs)) == ("", len(commands)), said
    return outputs


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(each, id=page_id(each), marks=() if page_id(each) in FIRST else ONCE)
        for each in PAGES
        if shell(each)
    ],
)
@pytest.mark.slow
def test_the_commands_of_a_page_print_the_output_on_it(page, project, environment):
    for block in blocks(page):
        if block.file:
            (project / block.file).write_text(block.source, encoding="utf-8")
        if block.language not in {"console", "sh"} or not is_run(block):
            continue
        for name in re.findall(r"[\w./]+\.py\b", block.source):
            if (project / name).is_file():
                require_foreign((project / name).read_text(encoding="utf-8"))
        outputs = printed([step.command for step in steps(block)], project, environment)
        for step, output in zip(steps(block), outputs, strict=True):
            place = f"{page_id(page)}, line {block.line}: {step.command}"
            assert step.output is None or agree(step.output, output), f"{place}\n{output}"


def agree(shown: str, output: str) -> bool:
    """Whether a page shows the output; ``...`` is any text."""
    return doctest.OutputChecker().check_output(shown, output, doctest.ELLIPSIS)


def test_a_page_that_shows_something_else_is_found():
    assert agree("a ... c\n", "a b c\n")
    assert not agree("a\n", "b\n")
    assert not agree("a\n", "")


def test_commands_are_read_as_they_are_typed():
    source = "$ false\n$ echo $?\n1\n$ cat <<END\n> a\n> END\na\n"
    typed = [("false", ""), ("echo $?", "1\n"), ("cat <<END\na\nEND", "a\n")]
    assert steps(Block("console", source, 0, "")) == typed
    assert steps(Block("sh", "a --b\nc\n", 0, "")) == [("a --b", None), ("c", None)]


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")
def test_commands_share_a_shell(tmp_path, environment):
    assert printed(["false", "echo $?", "echo a >&2"], tmp_path, environment) == ["", "1\n", "a\n"]


@every("page", PAGES, ids=page_id)
def test_a_block_that_is_a_file_is_run_or_imported(page: Path):
    files = {
        block.file: FILE.sub("", block.source, count=1) for block in blocks(page) if block.file
    }
    used = "".join([*files.values(), *(block.source for block in shell(page))])
    spellings = {name: (name, f"from {name.removesuffix('.py')} import") for name in files}
    unused = [name for name in files if not any(each in used for each in spellings[name])]
    assert unused == []


def test_code_that_is_not_run_says_why():
    seen = {
        step.command: block.before
        for page in PAGES
        for block in shell(page)
        for step in steps(block)
        if step.command in NOT_RUN
    }
    assert seen.keys() == NOT_RUN.keys()
    assert [command for command, why in NOT_RUN.items() if why not in seen[command]] == []


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")
@pytest.mark.slow
def test_the_example_of_the_readme_is_the_one_that_its_command_runs(project, environment):
    readme = ROOT / "README.md"
    example, request, *_ = python(readme)
    command, *_ = [step.command for block in shell(readme) for step in steps(block)]
    assert command.endswith("docs/examples/deploy.py:deploy --profile MCP")
    namespace: dict[str, Any] = {}
    exec(example.source, namespace)
    (output,) = printed([command], project, environment)
    schema = milo_schema.function_to_schema(namespace["deploy"], profile=profiles.MCP)
    assert json.loads(output) == schema
    shown = [json.loads(each.source) for each in blocks(readme) if each.language == "json"]
    exec(request.source, namespace)
    assert shown == [json.loads(output), namespace["request"]]


# -- the tables of types -----------------------------------------------------------------------

ROWS = [(annotation, schema) for _, annotation, schema in type_tables.rows()]


def test_every_row_of_the_tables_of_types_is_checked():
    lines = type_tables.TYPES.read_text(encoding="utf-8").splitlines()
    headings = sum(line.startswith("| Annotation ") for line in lines)
    assert len(ROWS) == sum(line.startswith("| ") for line in lines) - 2 * headings > 40


@every("row", ROWS, ids=lambda row: row[0])
def test_a_row_of_the_tables_of_types_is_true(row):
    annotation, schema = row
    with type_tables.names() as namespace:
        tp = eval(annotation, namespace)
        assert type_to_schema(tp, strict=True, profile=profiles.MCP) == json.loads(schema)


def test_the_file_of_emitted_schemas_is_up_to_date():
    """Otherwise, ``python -m tests.tools.type_tables`` writes it."""
    made = type_tables.written(type_tables.emitted())
    assert type_tables.EMITTED.read_text(encoding="utf-8") == made
    assert json.loads(made) == type_tables.emitted()


# -- pictures ----------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["docs/check.svg", "docs/diff.svg"])
def test_the_picture_of_a_terminal_is_up_to_date(name):
    """Otherwise, ``python -m tests.tools.terminal_picture`` writes it."""
    from tests.tools import terminal_picture

    made = terminal_picture.picture(terminal_picture.PICTURES[name])
    assert (ROOT / name).read_text(encoding="utf-8") == made


@pytest.mark.slow
def test_the_picture_of_annotations_is_up_to_date():
    """Otherwise, ``python -m tests.tools.annotation_picture`` writes it."""
    from tests.tools import annotation_picture

    made = annotation_picture.picture(annotation_picture.annotations())
    assert annotation_picture.PICTURE.read_text(encoding="utf-8") == made


def test_the_figure_of_the_home_page_is_true():
    """The JSON beside the first function is its schema."""
    function, schema, *_ = (
        block for block in blocks(ROOT / "docs/index.md") if block.language in {"python", "json"}
    )
    assert schema.language == "json"
    namespace: dict[str, Any] = {}
    exec(function.source, namespace)
    found = milo_schema.function_to_schema(namespace["forecast"], profile=profiles.MCP)
    assert json.loads(schema.source) == found
    assert schema.source == json.dumps(found, indent=2) + "\n"


# -- figures -----------------------------------------------------------------------------------

FIGURES = {
    "about 20x faster than": ("schema of a plain function", (1 / 25, 1 / 15)),
    "about 6x faster": ("schema of a realistic, documented function", (1 / 8, 1 / 5)),
    "a thirtieth of `import typing`": ("`import milo_schema`", (1 / 40, 1 / 25)),
}
"""The figures of speed in the README: the row of docs/performance.md, and the allowed range."""


@pytest.mark.parametrize("said", FIGURES)
def test_figures_about_speed_equal_the_measurements(said):
    rows = table("performance.md", "# Performance")
    measured = {what: float(ratio.strip("`")) for what, *_, ratio in rows}
    row, (least, most) = FIGURES[said]
    fast = (ROOT / "README.md").read_text("utf-8").partition("**Fast.**")[2].partition("\n")[0]
    assert said in fast
    assert least <= measured[row] <= most


# -- claims of the pages -----------------------------------------------------------------------

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PYTHONS = {
    found[1]
    for each in PROJECT["classifiers"]
    if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each))
}
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
GENERATED = re.compile(r"<!-- (what is|(.+?) begin).*?<!-- (\2 )?end -->", re.DOTALL)
DIALECTS = {
    name: row
    for name, row in vars(consumers).items()
    if isinstance(row, consumers.Dialect) and name != "ELICITATION"  # has its own section
}
"""In the order of the table, which is that of the columns of docs/clients.md."""


def prose(page: Path) -> str:
    """A page without its code and without its generated tables."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return CODE.sub("", LINK.sub("]", GENERATED.sub("", text)))


def table(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    _, _, below = (ROOT / "docs" / page).read_text(encoding="utf-8").partition(f"{heading}\n")
    return cells_of(re.findall(r"^\|.*\|$", below.partition("\n\n#")[0], re.MULTILINE)[2:])


def cells_of(rows: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


@every("page", PAGES, ids=page_id)
def test_a_version_that_a_page_names_is_a_python_that_is_supported(page: Path):
    section = r"(?<!section )"
    versions = re.findall(rf"{section}(?<![\d.])\d+\.\d+(?:\.\d+)*(?!\d)", prose(page))
    assert set(versions) <= PYTHONS


def test_pages_name_the_oldest_supported_python():
    oldest = PROJECT["requires-python"].removeprefix(">=")
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {*re.findall(r"Python (\S+) or later", text)} == {oldest}
    assert oldest in PYTHONS


@every("page", PAGES, ids=page_id)
def test_a_path_on_a_page_exists(page: Path):
    paths = re.findall(r"`((?:docs|milo_schema|tests)/[^`\s:]*)[`:]", page.read_text("utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@every("page", PAGES, ids=page_id)
def test_a_module_that_a_page_runs_exists(page: Path):
    modules = re.findall(r"python3? -m ((?:tests|milo_schema)[\w.]*)", page.read_text("utf-8"))
    found = [importlib.util.find_spec(name) for name in modules]
    assert None not in found


def test_every_profile_has_a_row():
    names = [f"`{name}`" for name in type_tables.PROFILES]
    assert [name for name, _ in table("profiles.md", "# Profiles")] == names


def test_the_map_has_every_stage_in_order_and_a_star_for_what_users_import():
    """A file in a folder is not there: it says itself what it is about."""
    _, _, below = (ROOT / ".github/design.md").read_text("utf-8").partition("## The map\n")
    rows = re.findall(r"^([* ]) (\w+) {2,}\w", below.partition("\n## ")[0], re.MULTILINE)
    (contract,) = PYPROJECT["tool"]["importlinter"]["contracts"]
    assert [name for _, name in rows] == contract["layers"], ".github/design.md: the map"
    public = set(milo_schema._PUBLIC_MODULES)
    assert {name for star, name in rows if star == "*"} == public, ".github/design.md: the stars"


NAME_IN_FILE = re.compile(r"`(\w+)(?:\(\))?` in `(?:milo_schema/)?([\w/]+)\.py`")


@pytest.mark.parametrize(
    ("page", "least"), [(".github/design.md", 10), (".github/CONTRIBUTING.md", 5)]
)
def test_a_name_is_defined_in_the_file_that_the_page_names(page, least):
    text = (ROOT / page).read_text("utf-8")
    named = [(name, path.replace("/", ".")) for name, path in NAME_IN_FILE.findall(text)]
    ours = [(name, module) for name, module in named if module in SOURCES]
    assert len(ours) >= least
    found = [each for each in ours if re.search(DEFINITION.format(*each), SOURCES[each[1]])]
    assert found == ours


DEFINITION = r"(?m)^(?: *(?:def|class) {0}\b|{0}\b[^=\n]*= )"
"""The line that defines a name."""

LIMIT = re.compile(r"^(MAX_\w+) = ", re.MULTILINE)


def test_every_limit_is_explained():
    said = {row[0]: row[2] for row in limits(".github/design.md")}
    found = {
        f"`{source}.{name}`": f"{vars(importlib.import_module(module))[name]:,}"
        for module, source in MODULES.items()
        for name in LIMIT.findall(SOURCES[source])
    }
    assert len(found) > 10
    assert said == found, ".github/design.md: Limits"


def test_the_limits_that_users_can_meet_are_among_all_limits():
    """In the same words, except for the way to another page."""
    known = [row[1:] for row in limits(".github/design.md")]
    found = limits("docs/security.md")
    met = [[each.replace("(codes", "(../docs/codes") for each in row] for row in found]
    assert len(met) > 10
    assert [row for row in met if row not in known] == []


def test_the_documented_groups_have_each_field_of_a_profile():
    page = (ROOT / "docs/profiles.md").read_text("utf-8").partition("| Group | Fields |\n")[2]
    said = re.findall(r"`(\w+)`", page.partition("\n\n")[0])
    assert ["name", *said] == list(inspect.signature(Profile).parameters)


def limits(page: str) -> list[list[str]]:
    """The first table of a page below the heading about limits."""
    _, _, below = (ROOT / page).read_text("utf-8").partition("\n## Limits\n")
    found = re.search(r"(?:^\|.*\|\n)+", below, re.MULTILINE)
    assert found is not None
    return cells_of(found[0].splitlines()[2:])


API = ["", *map(".{}".format, ("profiles", "arguments", "results", "checks", "compare"))]
API += [".testing", ".transforms"]
"""The modules whose public names are API."""


def test_the_reference_has_every_public_name():
    reference = "".join(page.read_text("utf-8") for page in ROOT.glob("docs/api/*.md"))
    listed: dict[str, set[str]] = {}
    for module, below in re.findall(
        r"^\.\. currentmodule:: milo_schema(\S*)\n(.*?)^(?=\.\. currentmodule|```)",
        reference,
        re.MULTILINE | re.DOTALL,
    ):
        names = re.findall(r"^(?:\.\. \S+:: | {13})(\w+)(?:\(\))?$", below, re.MULTILINE)
        listed.setdefault(module, set()).update(names)
    modules = {name: importlib.import_module(f"milo_schema{name}") for name in API}
    public: dict[str, set[str]] = {name: set(each.__all__) for name, each in modules.items()}
    public[""] -= {"profiles"}
    public[".profiles"] -= {"Profile"}
    for name, expected in public.items():
        assert listed.get(name, set()) == expected, f"docs/api/: milo_schema{name}"
    assert listed.keys() == public.keys()


@functools.cache
def used_in_examples() -> dict[type[ast.AST], set[str]]:
    """The names, the attributes and the keywords of calls in :func:`shown`, by their kinds."""
    names = {ast.Name: "id", ast.Attribute: "attr", ast.keyword: "arg"}
    used: dict[type[ast.AST], set[str]] = {kind: set() for kind in names}
    for node in shown():
        if type(node) in names:
            used[type(node)].add(getattr(node, names[type(node)]))
    return used


def shown() -> Iterator[ast.AST]:
    """All that the Python of pages, of examples and of docstrings is made of."""
    parser = doctest.DocTestParser()
    sources = [block.source for page in PAGES for block in python(page)]
    sources += [path.read_text("utf-8") for path in sorted(ROOT.glob("docs/examples/*.py"))]
    sources += [
        "".join(example.source for example in parser.get_examples(ast.get_docstring(node) or ""))
        for tree in TREES.values()
        for node in nodes_of(tree)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]
    for source in sources:
        yield from ast.walk(ast.parse(source))


def test_every_public_name_is_used_in_an_example():
    used = used_in_examples()[ast.Name] | used_in_examples()[ast.Attribute]
    public = {
        name for each in API for name in importlib.import_module(f"milo_schema{each}").__all__
    }
    assert public - used == set()
    assert {"replace", "with_types"} <= used


def test_every_field_of_a_profile_is_used_in_an_example():
    used = used_in_examples()[ast.keyword]
    assert set(vars(profiles.MILO)) - used == set(), "docs: add an example to its page"


FULL_NAME = re.compile(r"`(milo_schema(?:\.\w+)+)(?:\(.*?\))?`")


@every("page", [*PAGES, *sorted(ROOT.glob(".github/*.md"))], ids=page_id)
def test_a_qualified_name_on_a_page_exists(page: Path):
    names = FULL_NAME.findall(page.read_text("utf-8"))
    assert [name for name in names if not is_there(name)] == []


def is_there(name: str) -> bool:
    """Whether a dotted name is that of a module, or of something in one."""
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def test_a_name_that_does_not_exist_is_found():
    assert is_there("milo_schema.errors.CODES")
    assert not is_there("milo_schema.errors.KODES")
    assert not is_there("milo_schema.chekcs")


def test_the_names_in_signatures_are_explained_as_they_are_defined():
    explained = {
        name.strip("`"): annotation.strip("`").replace(r"\|", "|")
        for name, annotation in table("api.md", "## Names in signatures")
    }
    defined = {
        (name, annotation.replace('"', ""))
        for source in SOURCES.values()
        for name, annotation in re.findall(r"^ *([A-Z]\w+) = (.+)$", source, re.MULTILINE)
        if name in explained and annotation != "Any"  # which represents it at run time
    }
    assert defined == set(explained.items())


def test_the_description_of_the_api_names_the_modules():
    policy = (ROOT / "docs/api.md").read_text("utf-8").partition("\n## What is API\n")[2]
    assert [name for name in API[2:] if f"`milo_schema{name}`" not in policy] == []


def test_every_code_is_explained_once():
    rows = table("api/milo_schema.md", "## Errors")
    rows += table("api/arguments.md", "# milo_schema.arguments")
    explained = {code.strip("`"): meaning for code, meaning in rows}
    assert len(rows) == len(explained)
    of_findings = {code: errors.CODES[code] for code in errors.FINDING_CODES}  # a page of their own
    assert {**explained, **of_findings} == errors.CODES


def test_the_documented_limits_of_dialects_are_true():
    rows = {name: cells for name, *cells in table("clients.md", "# What every client accepts")}
    for name, cell in zip(DIALECTS, rows["limits, checked"], strict=True):
        said = re.findall(r"\d+", re.sub(r"(?<=\d) (?=\d)", "", cell))
        checked = [str(limit.most) for limit in DIALECTS[name].limits]
        assert said[: len(checked)] == checked
        in_words = [number for limit in DIALECTS[name].limits for number in digits(limit.what)]
        assert said[len(checked) :] == in_words


def test_the_documented_names_of_dialects_are_true():
    rows = {name: cells for name, *cells in table("clients.md", "# What every client accepts")}
    portable, anthropic = consumers.PORTABLE.names, consumers.ANTHROPIC_STRICT.names
    said = [f"`{portable}`", "any", f"`{anthropic}`", "same", "as PORTABLE", "as PORTABLE"]
    assert rows["names of parameters"] == said
    names = {name: dialect.names for name, dialect in DIALECTS.items()}
    of_portable = dict.fromkeys(("PORTABLE", "GEMINI_JSON", "GEMINI"), portable)
    of_anthropic = dict.fromkeys(("ANTHROPIC_STRICT", "BEDROCK_STRICT"), anthropic)
    assert names == of_portable | of_anthropic | {"OPENAI_STRICT": ""}


def test_the_documented_formats_of_dialects_are_true():
    rows = {name: cells for name, *cells in table("clients.md", "# What every client accepts")}
    cells = dict(zip(DIALECTS, map(formats, rows["formats"]), strict=True))
    cells["OPENAI_STRICT"] |= cells["PORTABLE"]  # "those, ..."
    cells["ANTHROPIC_STRICT"] |= cells["OPENAI_STRICT"]
    cells["BEDROCK_STRICT"] |= cells["ANTHROPIC_STRICT"]  # "the same"
    assert cells == {name: set(dialect.formats) for name, dialect in DIALECTS.items()}


def digits(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def formats(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z0-9-]+)`", cell))


def test_every_page_is_in_the_contents():
    index, reference = ROOT / "docs/index.md", ROOT / "docs/api.md"
    listed = [
        line
        for page in (index, reference)
        for block in blocks(page)
        if block.language == "{toctree}"
        for line in block.source.splitlines()
        if line and not line.startswith(":")
    ]
    found = [page.with_suffix("") for page in PAGES if page.is_relative_to(index.parent)]
    pages = sorted(str(page.relative_to(index.parent)) for page in found)
    assert sorted([*listed, "index"]) == pages
