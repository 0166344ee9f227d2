"""Open every page of the built site in Chromium: at three widths, light and dark.

``python -m tests.tools.look_at_site SITE PICTURES`` leaves a picture of each, and says what is
wrong: a page that is wider than its window, a request that leaves the site, an error of the
browser, a question that the search does not answer, a profile that cannot be chosen.
"""

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.tools.check_site import QUESTIONS

WIDTHS = {"desk": 1280, "tablet": 768, "phone": 390}
SCHEMES = ("light", "dark")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base
        """Do not log requests."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Ignore a browser that disconnects early."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine, at the address that is given."""
    handler = functools.partial(Quiet, directory=folder)
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def look(
    browser: Any, address: str, site: Path, pictures: Path, view: tuple[str, str]
) -> Iterator[str]:
    """Open the pages at one width in one scheme; return their problems."""
    width, scheme = view
    window = {"width": WIDTHS[width], "height": 900}
    context = browser.new_context(viewport=window, color_scheme=scheme)
    for file in sorted(set(site.rglob("*.html")) - set(site.glob("live/**/*.html"))):
        path = file.relative_to(site)
        name = f"{'-'.join(path.with_suffix('').parts)}-{width}-{scheme}"
        page = context.new_page()
        found: list[str] = []
        page.on("request", lambda each, found=found: found.append(f"asks for {each.url}"))
        page.on("pageerror", lambda each, found=found: found.append(f"raises {each}"))
        page.goto(f"{address}{path.as_posix()}")
        page.screenshot(path=pictures / f"{name}.png")
        page.screenshot(path=pictures / f"{name}-full.png", full_page=True)
        if page.evaluate(WIDER):
            found.append("is wider than its window")
        own = f"asks for {address}"
        yield from (f"{name} {each}" for each in found if not each.startswith(own))
        page.close()


def search(browser: Any, address: str) -> Iterator[str]:
    """Query the search of the site; return what it does not find."""
    page = browser.new_page()
    for question, wanted in QUESTIONS.items():
        page.goto(f"{address}search.html?q={question.replace(' ', '+')}")
        page.locator("#search-results .search-summary").wait_for()
        page.wait_for_function("() => !document.querySelector('#search-progress')?.textContent")
        links = page.locator("#search-results ul.search li > a").evaluate_all(
            "all => all.map(e => e.href)"
        )
        found = {link.removeprefix(address).partition(".html")[0] for link in links}
        yield from (f"search for {question!r}: no {each}" for each in wanted if each not in found)
    page.close()


def choose(browser: Any, address: str) -> Iterator[str]:
    """Choose each profile on the page of what they emit; return those without all annotations."""
    page = browser.new_page()
    page.goto(f"{address}emitted.html")
    rows = page.locator("article tbody tr")
    rows.first.wait_for()
    annotations = rows.count()
    for name in page.locator(".emitted option").all_text_contents():
        page.select_option(".emitted select", name)
        if (shown := rows.count()) != annotations:
            yield f"emitted: {shown} rows of {annotations} for {name}"
    page.fill(".emitted input", "uuid")
    if (shown := rows.count()) != 1:
        yield f"emitted: {shown} rows about UUIDs"
    page.close()


def main(site: str, pictures: str, browser_path: str = "/usr/bin/chromium") -> int:
    """Look at the whole site; the exit status is 1 if anything is wrong."""
    folder = Path(site).resolve()
    Path(pictures).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, served(folder) as address:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        wrong = [
            each
            for view in product(WIDTHS, SCHEMES)
            for each in look(browser, address, folder, Path(pictures), view)
        ]
        wrong += [*search(browser, address), *choose(browser, address)]
    print("\n".join(wrong) or "nothing wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
