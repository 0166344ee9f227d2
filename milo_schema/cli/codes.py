"""Explanations of the codes of ``check``: why each matters, and an example with and without it."""

from __future__ import annotations

from typing import NamedTuple

from milo_schema.checks import CODES

__all__ = ["EXAMPLES", "Example", "explained"]


class Example(NamedTuple):
    """Why a code matters, code with the finding under a profile, and the same code without it."""

    why: str
    bad: str
    good: str
    profile: str = "milo"


_SHOP = """\
from typing import Annotated, TypedDict

from milo_schema import Description


class Address(TypedDict):
    street: Annotated[str, Description("Street and number, or the number of a post office box.")]
    city: Annotated[str, Description("City or village, as the local postal service writes it.")]
    code: Annotated[str, Description("Postal code, with letters if the country uses them.")]


class Person(TypedDict):
    name: Annotated[str, Description("First and last name, as on the passport.")]
    home: Annotated[Address, Description("Where the person lives.")]
    work: Annotated[Address, Description("Where the person works.")]


{}"""

EXAMPLES = {
    "any-parameter": Example(
        "It has to guess, and any guess is accepted.",
        "def find(query: object): ...",
        "def find(query: str): ...",
    ),
    "contradictory-bounds": Example(
        "No argument is valid, so no call can succeed.",
        "from typing import Annotated\n\nfrom milo_schema import Ge, Le\n\n\n"
        "def turn(by: Annotated[int, Ge(360), Le(0)]): ...",
        "from typing import Annotated\n\nfrom milo_schema import Ge, Le\n\n\n"
        "def turn(by: Annotated[int, Ge(0), Le(360)]): ...",
    ),
    "default-misfit": Example(
        "Clients that validate arguments reject the default that the schema itself proposes.",
        'def find(limit: int = "ten"): ...',
        "def find(limit: int = 10): ...",
    ),
    "default-not-json": Example(
        "The schema cannot show the default, so callers cannot know what happens without it.",
        "def wait(until: object = object()): ...",
        "def wait(until: str | None = None): ...",
    ),
    "duplicate-tool": Example(
        "Clients keep one of the two tools, or reject both.",
        "class Mail:\n    def send(self): ...\n\n\nclass Chat:\n    def send(self): ...",
        "class Mail:\n    def send_mail(self): ...\n\n\nclass Chat:\n    def send_chat(self): ...",
    ),
    "example-misfit": Example(
        "A model copies the example, and the call is rejected.",
        "from typing import Annotated\n\nfrom milo_schema import Examples\n\n\n"
        'def find(limit: Annotated[int, Examples("ten")]): ...',
        "from typing import Annotated\n\nfrom milo_schema import Examples\n\n\n"
        "def find(limit: Annotated[int, Examples(10)]): ...",
    ),
    "fallback": Example(
        "The schema does not match the annotation, so a call may fail.",
        "def turn(by: complex): ...",
        "def turn(real: float, imaginary: float): ...",
    ),
    "hidden-parameter": Example(
        "MILO fills in every parameter that is called ctx, so callers cannot pass it.",
        'def summarize(ctx: str):\n    """Summarize.\n\n    Args:\n        ctx: Text.\n    """',
        'def summarize(text: str):\n    """Summarize.\n\n    Args:\n        text: Text.\n    """',
    ),
    "invalid-header": Example(
        "MCP clients silently drop a tool if its headers break a rule.",
        "from typing import Annotated\n\nfrom milo_schema import Schema\n\n"
        'Price = Annotated[float, Schema({"x-mcp-header": "Price"})]\n\n\n'
        "def buy(most: Price): ...",
        "from typing import Annotated\n\nfrom milo_schema import Schema\n\n"
        'Region = Annotated[str, Schema({"x-mcp-header": "Region"})]\n\n\n'
        "def buy(region: Region): ...",
    ),
    "no-annotation": Example(
        "The schema accepts anything, or is a guess; strict mode rejects the function.",
        "def count(word): ...",
        "def count(word: str): ...",
    ),
    "no-output-schema": Example(
        "Without a return annotation, clients cannot use the result as data.",
        "def count(word: str): ...",
        "def count(word: str) -> int: ...",
    ),
    "no-schema": Example(
        "The function cannot be a tool; the message explains why.",
        "def größe(): ...",
        "def size(): ...",
    ),
    "refused-by-dialect": Example(
        "The API rejects the tool in this mode, or ignores a part of the schema.",
        "def count(words: dict[str, int]): ...",
        "def count(word: str, times: int): ...",
        profile="openai_strict",
    ),
    "refused-in-strict-mode": Example(
        "Deriving the schema with `strict=True` raises an error; the message explains why.",
        "def find(word: str, /): ...",
        "def find(word: str): ...",
    ),
    "refused-name": Example(
        "Some providers reject the whole request because of the name of one parameter.",
        "def weigh(größe: int): ...",
        "def weigh(size: int): ...",
    ),
    "refused-tool-name": Example(
        "Some providers reject the whole request because of the name of one tool.",
        "def find_every_order_of_a_customer_that_was_not_delivered_in_time_again(): ...",
        "def find_late_orders(): ...",
    ),
    "repeated-schema": Example(
        "Each request lists all tools, so it pays for every repetition.",
        _SHOP.format("def ship(by: Person, to: Person, bill: Person): ..."),
        _SHOP.format("def ship(to: Person): ..."),
    ),
    "request-limit": Example(
        "The provider rejects the whole request, not only the tools beyond the limit.",
        "\n\n\n".join(
            f"def {name}({', '.join(f'{letter}: int = 0' for letter in 'abcdefg')}): ..."
            for name in ("one", "two", "six", "ten")
        ),
        "def find(word: str, limit: int = 10): ...",
        profile="anthropic_strict",
    ),
    "undescribed-parameter": Example(
        "A model chooses arguments by their descriptions.",
        'def find(word: str):\n    """Find a word."""',
        'def find(word: str):\n    """Find.\n\n    Args:\n        word: What to find.\n    """',
    ),
    "undescribed-tool": Example(
        "A model chooses tools by their descriptions.",
        "def find(word: str): ...",
        'def find(word: str):\n    """Find a word in the index."""',
    ),
    "unknown-format": Example(
        "No client knows the format: usually its name is misspelled.",
        "from typing import Annotated\n\nfrom milo_schema import Format\n\n\n"
        'def write(to: Annotated[str, Format("emial")]): ...',
        "from typing import Annotated\n\nfrom milo_schema import Format\n\n\n"
        'def write(to: Annotated[str, Format("email")]): ...',
    ),
    "unknown-keyword": Example(
        "Clients ignore a keyword that they do not know, so the constraint has no effect.",
        "from typing import Annotated\n\nfrom milo_schema import Schema\n\n\n"
        'def find(limit: Annotated[int, Schema({"minimm": 1})]): ...',
        "from typing import Annotated\n\nfrom milo_schema import Schema\n\n\n"
        'def find(limit: Annotated[int, Schema({"minimum": 1})]): ...',
    ),
    "unknown-parameter": Example(
        "The description is lost: usually the name is misspelled.",
        'def find(word: str):\n    """Find.\n\n    Args:\n        wrod: What to find.\n    """',
        'def find(word: str):\n    """Find.\n\n    Args:\n        word: What to find.\n    """',
    ),
    "unreachable-parameter": Example(
        "In a set of tools, a model can only pass what another tool returns or what users know.",
        "def refund(order_id: str) -> None: ...",
        "from typing import TypedDict\n\n\nclass Order(TypedDict):\n    order_id: str\n\n\n"
        "def refund(order_id: str) -> None: ...\n\n\ndef last_order() -> Order: ...",
    ),
    "unresolved-name": Example(
        "The schema is a guess, because a name of the annotation cannot be found.",
        'def find(kind: "Kind"): ...',
        'from enum import Enum\n\n\nclass Kind(Enum):\n    BOOK = "book"\n\n\n'
        'def find(kind: "Kind"): ...',
    ),
}
"""A row for each code."""


def explained(code: str) -> str:
    """The text that ``milo-schema explain`` prints, in Markdown."""
    why, bad, good, profile = EXAMPLES[code]
    under = "" if profile == "milo" else f", with `--profile {profile}`"
    return (
        f"# {code}\n\n{CODES[code]}\n{why}\n\n"
        f"Bad{under}:\n\n```python\n{bad}\n```\n\nGood:\n\n```python\n{good}\n```\n\n"
        f"Ignore it with `--ignore {code}`, or in one function with the comment\n"
        f"`# milo-schema: ignore[{code}]` on the line of its `def`.\n"
    )
