"""The live page in a real browser: ``tox run -e live`` runs these, with Chromium.

With ``MILO_SCHEMA_PICTURES=FOLDER`` set, pictures of the page are left there.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from docs.live.build import build
from docs.live.describe import NOTHING
from milo_schema import SchemaError, function_to_schema, profiles, tool_schema, type_to_schema
from milo_schema.checks import check
from tests.modules import module_from
from tests.tools.look_at_site import FLAGS, WIDER, served

CHROMIUM = os.environ.get("MILO_SCHEMA_CHROMIUM", "/usr/bin/chromium")
PICTURES = os.environ.get("MILO_SCHEMA_PICTURES")
PATIENCE = 120_000  # milliseconds: enough for a machine with other things to do


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built page."""
    built = tmp_path_factory.mktemp("live")
    build(built)
    return built


@pytest.fixture(scope="session")
def address(folder) -> Iterator[str]:
    """Where the built page is served."""
    with served(folder) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class Live:
    """The page as a visitor sees it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.source = page.get_by_label("Your code")
        self.arguments = page.get_by_label("Arguments that a model sends")
        self.example = page.get_by_label("Example")
        self.form = page.get_by_label("As", exact=True)
        self.profile = page.get_by_label("Profile")
        self.strict = page.get_by_label("Strict")
        self.status = page.get_by_role("status")
        self.stop = page.get_by_role("button", name="Stop")
        self.text = page.locator("#text")  # hidden while it is empty
        self.call = page.locator("#call")
        self.remarks = page.get_by_role("list", name="Errors and warnings").locator("li")

    def show(self, tab: str) -> None:
        self.page.locator(f"[role=tab][data-view={tab}]").click()

    def shows(self, schema: Any, *remarks: str) -> None:
        """Wait until the page shows this schema, and these remarks."""
        self.says("" if schema is ... else json.dumps(schema, indent=2), *remarks)

    def says(self, text: str, *remarks: str) -> None:
        """Wait until the page shows this text, and these remarks."""
        expect(self.remarks).to_have_text(list(remarks), timeout=PATIENCE)
        expect(self.text).to_have_text(text, timeout=PATIENCE)


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
    expect(live.status).to_have_text("Python is ready.", timeout=PATIENCE)
    yield live
    context.close()
    assert f"{address.partition('#')[0]}pyodide/pyodide.asm.wasm" in requests
    assert [url for url in requests if not url.startswith(address.partition("#")[0])] == []
    assert errors == []


@pytest.fixture(scope="session")
def visit(browser, address) -> Iterator[Live]:
    yield from opened(browser, address)


@pytest.fixture
def live(visit: Live) -> Live:
    """The page as it was opened, except for the code: it is loaded once, because that is slow."""
    visit.strict.uncheck()
    visit.show("Schema")
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


MODEL = "from pydantic import BaseModel\nclass Model(BaseModel):\n    n: int"


def deploy_schema(**options: Any) -> Any:
    return function_to_schema(module_from(EXAMPLE).deploy, **options)


def test_the_page_opens_with_the_example_of_the_readme(browser, address):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    for live in opened(browser, address):
        live.shows(deploy_schema(profile=profiles.MCP))
        _, start, function = live.source.input_value().partition("def deploy(")
        assert f"{start}{function}" in readme


def test_the_schema_of_the_example_is_shown_before_python_has_started(browser, address):
    page = browser.new_page()
    page.route("**/pyodide/**", lambda route: route.abort())
    page.goto(address)
    live = Live(page)
    live.shows(deploy_schema(profile=profiles.MCP))
    live.show("Tool")
    live.shows(tool_schema(module_from(EXAMPLE).deploy, profile=profiles.MCP).to_mcp())
    live.example.select_option("Only an annotation")
    live.show("Schema")
    live.shows(type_to_schema(dict[str, list[int | None]], profile=profiles.MCP))
    page.close()


def test_the_schema_of_the_example_is_shown_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    Live(page).shows(deploy_schema(profile=profiles.MCP))
    context.close()


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


def test_a_missing_output_is_a_note(live):
    live.source.fill("def stop() -> None: ...")
    live.show("Output")

    live.says("", "Note: no output schema: no return annotation")


def test_the_tool_is_shown_in_the_form_of_each_provider(live):
    tool = tool_schema(module_from(EXAMPLE).deploy, profile=profiles.MILO)
    live.source.fill(EXAMPLE)
    live.show("Tool")

    live.shows(tool.to_mcp())
    for form, definition in {
        "OpenAI": tool.to_openai(),
        "OpenAI Responses": tool.to_openai(api="responses"),
        "Anthropic": tool.to_anthropic(),
        "Gemini": tool.to_gemini(),
        "Bedrock": tool.to_bedrock(),
        "MCP": tool.to_mcp(),
    }.items():
        live.form.select_option(form)
        live.shows(definition)


def test_the_findings_are_shown_and_counted(live):
    live.source.fill("def f(a: int) -> int: 'Do it.'")
    expect(live.page.get_by_role("tab", name="Check (1)")).to_be_visible(timeout=PATIENCE)
    live.show("Check")

    (finding,) = check(module_from("def f(a: int) -> int: 'Do it.'").f)
    live.says(f"{finding.code}  {finding.path}: {finding.message}")


def test_the_arguments_of_a_call_are_bound_or_refused(live):
    live.source.fill("import datetime\ndef f(day: datetime.date): ...")
    live.show("Arguments")
    live.arguments.fill('{"day": "2026-07-28"}')
    live.says("f(\n    day=datetime.date(2026, 7, 28),\n)")

    live.arguments.fill('{"dya": 1}')

    said = "f(): 2 problems\n- .day: required but not given\n"
    live.says("", f'Error: {said}- .dya: unknown argument; did you mean "day"?')


def test_the_equivalent_line_of_code_is_shown(live):
    live.source.fill("def f(): ...")
    live.strict.check()

    said = "function_to_schema(f, profile=profiles.MILO, strict=True)"
    expect(live.call).to_have_text(said, timeout=PATIENCE)


def test_the_text_is_copied(browser, address):
    for live in opened(browser, address, permissions=["clipboard-read", "clipboard-write"]):
        live.page.get_by_role("button", name="Copy").click()
        expect(live.status).to_have_text("Copied.")
        copied = live.page.evaluate("navigator.clipboard.readText()")
        assert json.loads(copied) == deploy_schema(profile=profiles.MCP)


def test_a_shared_link_opens_the_same_code(browser, address):
    source = "def greet(name: str = 'Zoë'): ...\n"
    for live in opened(browser, address, permissions=["clipboard-read", "clipboard-write"]):
        live.source.fill(source)
        live.profile.select_option("OMNI")
        live.show("Check")
        live.page.get_by_role("button", name="Share").click()
        expect(live.status).to_have_text("Link copied: it opens this page with your code.")
        link = live.page.evaluate("navigator.clipboard.readText()")

    assert link.startswith(f"{address}#code=")
    page = browser.new_page()
    page.goto(link)
    live = Live(page)
    expect(live.page.get_by_role("tab", name="Check (")).to_be_visible(timeout=PATIENCE)
    assert (live.source.input_value(), live.profile.input_value()) == (source, "OMNI")
    expect(live.page.locator("[role=tab][aria-selected=true]")).to_contain_text("Check")
    page.close()


def test_a_shared_link_shows_its_own_schema_before_python_has_started(browser, address):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    for live in opened(browser, address, permissions=["clipboard-read", "clipboard-write"]):
        live.profile.select_option("MILO")
        live.source.fill("def double(n: int): ...")
        live.shows(schema)
        live.page.get_by_role("button", name="Share").click()
        expect(live.status).to_have_text("Link copied: it opens this page with your code.")
        link = live.page.evaluate("navigator.clipboard.readText()")

    page = browser.new_page()
    page.route("**/pyodide/**", lambda route: route.abort())
    page.goto(link)
    Live(page).shows(schema)
    expect(page.locator("#call")).to_have_text("function_to_schema(double, profile=profiles.MILO)")
    page.close()


def test_a_link_without_a_schema_shows_none_before_python_has_started(browser, address):
    packed = "import('./share.mjs').then(({ packed }) => packed({ source: 'int' }))"
    page = browser.new_page()
    page.goto(address)
    link = page.evaluate(packed)
    page.close()
    page = browser.new_page()
    page.route("**/pyodide/**", lambda route: route.abort())
    page.goto(f"{address}{link}")
    live = Live(page)
    expect(live.source).to_have_value("int")
    live.shows(...)
    page.close()


def test_a_model_of_pydantic_is_described(live):
    live.source.fill(MODEL)
    live.shows(type_to_schema(module_from(MODEL).Model))
    live.show("Arguments")
    live.arguments.fill('{"n": "2"}')
    live.says("", 'Error: Model: .n: expected an integer, got "2"')
    live.arguments.fill('{"n": 2}')
    live.says("Model(n=2)")


def test_a_page_without_pydantic_says_so_and_goes_on(browser, address):
    page = browser.new_page()
    page.route("**/pydantic.zip", lambda route: route.fulfill(status=404))
    page.goto(address)
    live = Live(page)
    expect(live.status).to_have_text("Python is ready.", timeout=PATIENCE)
    live.source.fill(MODEL)
    live.shows(..., "Error: pydantic could not be loaded: pydantic.zip: 404 Not Found")
    live.source.fill("int")
    live.shows({"type": "integer"})
    page.close()


def test_a_link_that_was_cut_opens_the_example(browser, address):
    for live in opened(browser, f"{address}#code=abc"):
        live.shows(deploy_schema(profile=profiles.MCP))


def test_the_code_has_colors_and_stays_text(live):
    live.source.fill('def f(a: str = "b"): ...  # c')

    colors = live.page.locator("#source").locator("xpath=preceding-sibling::pre//span")
    kinds = colors.evaluate_all("all => all.map(e => [e.className, e.textContent])")
    assert kinds == [["keyword", "def"], ["name", "f"], ["text", '"b"'], ["comment", "# c"]]
    assert live.source.input_value() == 'def f(a: str = "b"): ...  # c'


@pytest.mark.parametrize(("chosen", "ground"), [("dark", "19, 20, 22"), ("light", "255, 255, 255")])
def test_the_theme_is_the_one_chosen_on_the_site(browser, address, chosen, ground):
    other = {"dark": "light", "light": "dark"}[chosen]
    context = browser.new_context(color_scheme=other)
    page = context.new_page()
    page.goto(address)
    page.evaluate(f"localStorage.setItem('theme', '{chosen}')")
    page.reload()
    expect(page.locator("body")).to_have_css("background-color", f"rgb({ground})")
    context.close()


def test_the_tabs_are_used_with_the_arrows(live):
    live.page.locator("[role=tab][data-view=Schema]").focus()
    live.page.keyboard.press("ArrowRight")
    expect(live.page.locator("[role=tab][data-view=Output]")).to_be_focused()
    live.page.keyboard.press("ArrowLeft")
    live.page.keyboard.press("ArrowLeft")

    expect(live.page.locator("[role=tab][aria-selected=true]")).to_have_text("Arguments")


def test_a_missing_schema_is_a_warning_and_in_strict_mode_an_error(live):
    live.source.fill("def rotate(by: complex): ...")
    with pytest.raises(SchemaError) as refused:
        function_to_schema(module_from("def rotate(by: complex): ...").rotate, strict=True)
    text = str(refused.value)
    assert text.startswith("rotate(by): no JSON Schema for complex; ")
    by = {"type": "string"}
    live.shows({"type": "object", "properties": {"by": by}, "required": ["by"]}, f"Warning: {text}")

    live.strict.check()

    live.shows(..., f"Error: {text}")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise SystemExit", NOTHING),
        ("def f(): ...\nraise SystemExit", "line 2: SystemExit"),
        ("def g(n): g(n)\ng(0)\ndef f(): ...",
         "line 1: RecursionError: maximum recursion depth exceeded"),
        ("import numpy\ndef f(): ...", "line 1: ModuleNotFoundError: No module named 'numpy'"),
    ],
)  # fmt: skip
def test_an_error_in_the_code_is_shown_with_its_line(live, source, said):
    """tests/test_live.py has others, without a browser."""
    live.source.fill(source)

    live.shows(..., f"Error: {said}")


def test_markup_in_the_code_is_text(live):
    live.source.fill("def f(a: str = '<img src=x onerror=alert(1)>'): ...")

    default = "<img src=x onerror=alert(1)>"
    live.shows({"type": "object", "properties": {"a": {"type": "string", "default": default}}})
    assert live.page.locator("img").count() == 0


def test_an_endless_loop_is_stopped_and_the_page_goes_on(live):
    live.source.fill("while True: ...\ndef f(): ...")
    live.shows(..., "Error: Your code was stopped after 5 seconds. Is there an endless loop?")

    live.source.fill("def f(a: int): ...")

    properties = {"a": {"type": "integer"}}
    live.shows({"type": "object", "properties": properties, "required": ["a"]})


def test_the_visitor_may_stop_a_loop_with_the_keyboard(live):
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.stop).to_be_enabled(timeout=PATIENCE)
    live.source.focus()
    for _ in range(3):  # Profile, Strict, Stop
        live.page.keyboard.press("Tab")
    expect(live.stop).to_be_focused()
    live.page.keyboard.press("Enter")

    live.shows(..., "Error: You stopped your code.")
    expect(live.stop).to_be_disabled()
    expect(live.source).to_be_focused()


def test_choices_are_kept_when_python_restarts(live):
    live.profile.select_option("MCP")
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.stop).to_be_enabled(timeout=PATIENCE)
    live.stop.click()
    live.source.fill("def f(): ...")

    live.shows({"type": "object", "properties": {}, "additionalProperties": False})


def test_code_typed_while_a_loop_runs_is_described_after_it(live):
    live.source.fill("while True: ...\ndef f(): ...")
    expect(live.status).to_have_text("Your code is running.", timeout=PATIENCE)
    live.source.fill("def f(): ...")

    live.shows({"type": "object", "properties": {}})


def test_a_page_without_its_files_names_the_missing_ones(browser, address):
    page = browser.new_page()
    page.route("**/milo_schema.zip", lambda route: route.fulfill(status=404))
    page.goto(address)
    said = "Python could not be loaded: milo_schema.zip: 404 Not Found"
    expect(page.get_by_role("status")).to_have_text(said, timeout=PATIENCE)
    page.close()


def test_a_page_opened_as_a_file_explains_what_it_needs(browser, folder):
    page = browser.new_page()
    page.goto((folder / "index.html").as_uri())
    said = (
        "To try your own code, open this page from a web server, with JavaScript turned on. "
        "Opened as a file, it cannot load Python."
    )
    expect(page.get_by_role("status")).to_have_text(said, timeout=PATIENCE)
    Live(page).shows(deploy_schema(profile=profiles.MCP))
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
