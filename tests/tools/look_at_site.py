"""Open every page of the built site in Chromium: at two widths, light and dark.

``python -m tests.tools.look_at_site SITE PICTURES`` leaves a picture of each, and says what is
wrong: a page that is wider than its window, a request that leaves the site, an error of the
browser.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

WIDTHS = {"desk": 1280, "phone": 390}
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


def look(browser: Any, site: Path, pictures: Path, width: str, scheme: str) -> Iterator[str]:
    """Open the pages at one width in one scheme; what is wrong with them."""
    view = {"width": WIDTHS[width], "height": 900}
    context = browser.new_context(viewport=view, color_scheme=scheme)
    for file in sorted(set(site.rglob("*.html")) - set(site.glob("live/**/*.html"))):
        name = f"{'-'.join(file.relative_to(site).with_suffix('').parts)}-{width}-{scheme}"
        page = context.new_page()
        found: list[str] = []
        page.on("request", lambda each, found=found: found.append(f"asks for {each.url}"))
        page.on("pageerror", lambda each, found=found: found.append(f"raises {each}"))
        page.goto(file.as_uri())
        page.screenshot(path=pictures / f"{name}.png")
        page.screenshot(path=pictures / f"{name}-full.png", full_page=True)
        if page.evaluate(WIDER):
            found.append("is wider than its window")
        own = f"asks for {site.as_uri()}/"
        yield from (f"{name} {each}" for each in found if not each.startswith(own))
        page.close()


def main(site: str, pictures: str, browser_path: str = "/usr/bin/chromium") -> int:
    """Look at the whole site; the exit status is 1 if anything is wrong."""
    Path(pictures).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        wrong = [
            each
            for width, scheme in product(WIDTHS, SCHEMES)
            for each in look(browser, Path(site).resolve(), Path(pictures), width, scheme)
        ]
    print("\n".join(wrong) or "nothing wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
