"""Coroutines, functions that block, and mistakes that only the log may see."""

import asyncio

from milo_schema import Toolbox, ToolSchema

LOG: list[str] = []


async def fetch(url: str) -> int:
    """Fetch a page, and return its size."""
    await asyncio.sleep(0)
    return len(url)


def slow(number: int) -> int:
    """Divide."""
    return 10 // number


def log(tool: ToolSchema, problem: BaseException) -> None:
    """Log a mistake of the program."""
    LOG.append(f"{tool.name}: {type(problem).__name__}")


tools = Toolbox([fetch, slow], unexpected=log)


async def main() -> None:
    """Call all at once."""
    sizes = await asyncio.gather(
        tools.call_async("fetch", {"url": "https://example.org"}),
        tools.call_async("slow", {"number": 5}),
        tools.call_async("slow", {"number": 0}),
    )
    assert [each.is_error for each in sizes] == [False, False, True]
    assert [each.value for each in sizes[:2]] == [19, 2]
    assert "division" not in sizes[2].text


asyncio.run(main())
assert LOG == ["slow: ZeroDivisionError"]
