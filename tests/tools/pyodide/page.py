"""The live page in a real browser: ``tox run -e live`` runs these, with Chromium.

With ``MILO_SCHEMA_PICTURES=FOLDER`` set, pictures of the page are left there.
"""

import functools
import json
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from docs.live.build import build
from docs.live.describe import PROFILES, VIEWS
from milo_schema import SchemaError, function_to_schema, tool_schema
from tests.modules import module_from
from tests.tools.look_at_site import FLAGS, WIDER

CHROMIUM = os.environ.get("MILO_SCHEMA_CHROMIUM", "/usr/bin/chromium")
PICTURES = os.environ.get("MILO_SCHEMA_PICTURES")
PATIENCE = 120_000  # milliseconds: enough for a machine with other things to do


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base
        """Nothing is said of a request."""


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    """Where the built page is served."""
    folder = tmp_path_factory.mktemp("live")
    build(folder)
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder)
    ) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class Live:
    """The page as its visitor has it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.source = page.get_by_label("Your code")
        self.view = page.get_by_label("Show")
        self.profile = page.get_by_label("Profile")
        self.strict = page.get_by_label("Strict")
        self.status = page.get_by_role("status")
        self.stop = page.get_by_role("button", name="Stop")
        self.schema = page.locator("#schema")  # hidden while it is empty
        self.remarks = page.get_by_role("list", name="Errors and warnings").locator("li")

    def shows(self, schema: Any, *remarks: str) -> None:
        """Wait until the page shows this schema, and these remarks."""
        expect(self.remarks).to_have_text(list(remarks), timeout=PATIENCE)
        text = "" if schema is ... else json.dumps(schema, indent=2)
        expect(self.schema).to_have_text(text, timeout=PATIENCE)


def opened(browser: Any, address: str, **options: Any) -> Iterator[Live]:
    """The page, with Python loaded; when it is closed, nothing has come from elsewhere."""
    context = browser.new_context(**options)
    requests: list[str] = []
    errors: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page = context.new_page()
    page.goto(address)
    live = Live(page)
    expect(live.status).to_have_text("Input schema.", timeout=PATIENCE)
    yield live
    context.close()
    assert f"{address}pyodide/pyodide.asm.wasm" in requests
    assert [url for url in requests if not url.startswith(address)] == []
    assert errors == []


@pytest.fixture(scope="session")
def visit(browser, address) -> Iterator[Live]:
    yield from opened(browser, address)


@pytest.fixture
def live(visit: Live) -> Live:
    """The page as it was opened, but for the code: it is loaded once, which takes long."""
    visit.strict.uncheck()
    visit.view.select_option("Input schema")
    visit.profile.select_option("MILO")
    visit.source.fill("def nothing(): ...")
    visit.shows({"type": "object", "properties": {}})
    return visit


EXAMPLE = """
from typing import Annotated
from milo_schema import Description, MinLen

def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: Annotated[str, MinLen(1)],
    version: str = "latest",
) -> dict[str, str]:
    '''Deploy a service.

    Args:
        service: Service name.
        version: Version or image tag.
    '''
"""


def test_the_page_opens_with_the_example_of_the_readme(browser, address):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    for live in opened(browser, address):
        live.shows(function_to_schema(module_from(EXAMPLE).deploy))
        _, start, function = live.source.input_value().partition("def deploy(")
        assert f"{start}{function}" in readme


def test_every_view_and_every_profile_may_be_chosen(live):
    views = live.view.locator("option").all_text_contents()
    names = live.profile.locator("option").all_text_contents()
    assert (list(VIEWS), "MILO", sorted(PROFILES)) == (views, names[0], sorted(names))


def test_a_typed_function_is_described(live):
    live.source.fill("def turn(by: float, often: int = 1): ...")

    properties = {"by": {"type": "number"}, "often": {"type": "integer", "default": 1}}
    live.shows({"type": "object", "properties": properties, "required": ["by"]})


def test_a_typed_function_is_described_key_by_key(live):
    live.source.clear()
    live.source.press_sequentially("def go(): ...")

    live.shows({"type": "object", "properties": {}})


def test_the_last_of_several_functions_is_described(live):
    live.source.fill("""
from dataclasses import dataclass

def first(a: int): ...

@dataclass
class Point:
    x: "int"

async def second(to: "Point"): ...
""")

    point = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    live.shows({"type": "object", "properties": {"to": point}, "required": ["to"]})


def test_the_profile_says_how_the_schema_is_written(live):
    live.source.fill("def stop(): ...")
    live.profile.select_option("MCP")

    live.shows({"type": "object", "properties": {}, "additionalProperties": False})


def test_the_output_may_be_shown(live):
    live.source.fill(EXAMPLE)
    live.view.select_option("Output schema")

    live.shows({"type": "object", "additionalProperties": {"type": "string"}})


def test_that_there_is_no_output_is_said(live):
    live.source.fill("def stop() -> None: ...")
    live.view.select_option("Output schema")

    live.shows(None, "Note: There is no output schema: no result is promised.")


def test_the_whole_tool_may_be_shown(live):
    live.source.fill(EXAMPLE)
    live.view.select_option("Tool definition")

    live.shows(tool_schema(module_from(EXAMPLE).deploy).to_mcp())


def test_what_has_no_schema_is_a_warning_and_in_strict_mode_an_error(live):
    live.source.fill("def rotate(by: complex): ...")
    with pytest.raises(SchemaError) as refused:
        function_to_schema(module_from("def rotate(by: complex): ...").rotate, strict=True)
    text = str(refused.value)
    assert text.startswith("rotate(by): no JSON Schema for complex; ")
    by = {"type": "string"}
    live.shows({"type": "object", "properties": {"by": by}, "required": ["by"]}, f"Warning: {text}")

    live.strict.check()

    live.shows(..., f"Error: {text}")
    expect(live.status).to_have_text("No schema.")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(a: int:\n  ...", "line 1: invalid syntax"),
        ("\n1 / 0\ndef f(): ...", "line 2: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "there is no function; write one, such as def greet(name: str): ..."),
        ("def f(): ...\nraise SystemExit", "line 2: SystemExit"),
        (
            "def g(n): g(n)\ng(0)\ndef f(): ...",
            "line 1: RecursionError: maximum recursion depth exceeded",
        ),
        ("import numpy\ndef f(): ...", "line 1: ModuleNotFoundError: No module named 'numpy'"),
        ("", "there is no function; write one, such as def greet(name: str): ..."),
    ],
)
def test_what_is_wrong_with_the_code_is_said_with_the_line(live, source, said):
    live.source.fill(source)

    live.shows(..., f"Error: {said}")


def test_markup_in_the_code_is_text(live):
    live.source.fill("def f(a: str = '<img src=x onerror=alert(1)>'): ...")

    default = "<img src=x onerror=alert(1)>"
    live.shows({"type": "object", "properties": {"a": {"type": "string", "default": default}}})
    assert live.page.locator("img").count() == 0


def test_a_loop_without_an_end_is_stopped_and_the_page_goes_on(live):
    live.source.fill("while True: ...\ndef f(): ...")
    live.shows(..., "Error: Your code was stopped after 5 seconds. Is there a loop without an end?")

    live.source.fill("def f(a: int): ...")

    properties = {"a": {"type": "integer"}}
    live.shows({"type": "object", "properties": properties, "required": ["a"]})


def test_the_visitor_may_stop_a_loop_with_the_keyboard(live):
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.stop).to_be_enabled(timeout=PATIENCE)
    live.source.focus()
    for _ in range(4):  # Show, Profile, Strict, Stop
        live.page.keyboard.press("Tab")
    expect(live.stop).to_be_focused()
    live.page.keyboard.press("Enter")

    live.shows(..., "Error: You stopped your code.")
    expect(live.stop).to_be_disabled()
    expect(live.source).to_be_focused()


def test_what_is_chosen_stays_when_python_is_started_anew(live):
    live.profile.select_option("MCP")
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.stop).to_be_enabled(timeout=PATIENCE)
    live.stop.click()
    live.source.fill("def f(): ...")

    live.shows({"type": "object", "properties": {}, "additionalProperties": False})


def test_what_is_typed_while_a_loop_runs_is_described_after_it(live):
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.status).to_have_text("Your code is running.", timeout=PATIENCE)
    live.source.fill("def f(): ...")

    live.shows({"type": "object", "properties": {}})


def test_a_page_without_its_files_says_what_is_missing(browser, address):
    page = browser.new_page()
    page.route("**/milo_schema.whl", lambda route: route.fulfill(status=404))
    page.goto(address)
    said = "Python could not be loaded: milo_schema.whl: 404 Not Found"
    expect(page.get_by_role("status")).to_have_text(said, timeout=PATIENCE)
    page.close()


def test_a_page_that_is_opened_as_a_file_says_what_it_needs(browser):
    page = browser.new_page()
    page.goto((Path(__file__).parents[3] / "docs/live/index.html").as_uri())
    said = "This page needs JavaScript, and a web server: opened as a file, it cannot load Python."
    expect(page.get_by_role("status")).to_have_text(said, timeout=PATIENCE)
    page.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_its_window(browser, address, width, scheme):
    view = {"width": width, "height": 900}
    for live in opened(browser, address, viewport=view, color_scheme=scheme):
        if PICTURES:
            live.page.screenshot(path=f"{PICTURES}/{width}-{scheme}.png", full_page=True)
        live.source.fill(f"def rotate(by: complex, {'a' * 99}: int): ...")
        expect(live.remarks).to_have_count(1, timeout=PATIENCE)
        assert not live.page.evaluate(WIDER)
