"""A function behind an HTTP endpoint: its body is checked JSON, and so is its answer."""

import datetime
import json
from dataclasses import dataclass

from milo_schema.arguments import ArgumentsError, binder
from milo_schema.results import return_to_json


@dataclass
class Booking:
    """A booking."""

    day: datetime.date
    guests: int


def book(day: datetime.date, guests: int = 1) -> Booking:
    """Book a table."""
    return Booking(day, guests)


read = binder(book)


def post(body: str) -> tuple[int, str]:
    """Answer a request with a status and a body."""
    try:
        bound = read(json.loads(body))
    except ArgumentsError as error:
        return 422, json.dumps([each.path for each in error.problems])
    return 200, json.dumps(return_to_json(book, book(*bound.args, **bound.kwargs)))


assert post('{"day": "2026-07-28"}') == (200, '{"day": "2026-07-28", "guests": 1}')
assert post('{"day": "soon", "guests": "2"}') == (422, '[".day", ".guests"]')
