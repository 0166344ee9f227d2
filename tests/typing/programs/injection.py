"""A session for each request, which no caller sees."""

from typing import Annotated

from milo_schema import Injected, Toolbox


class Session:
    """A connection to the database of a user."""

    def __init__(self, user: str) -> None:
        self.user = user


def notes(word: str, session: Annotated[Session, Injected]) -> str:
    """Find notes."""
    return f"{word}, by {session.user}"


def ping() -> str:
    """Answer."""
    return "pong"


tools = Toolbox([notes, ping])
for user in ("Ada", "Eve"):
    inject = {Session: Session(user)}
    assert tools.call("notes", {"word": "tea"}, inject=inject).text == f"tea, by {user}"
    assert tools.call("ping", inject=inject).text == "pong"
assert tools.call(
    "notes", {"word": "a", "session": "Eve"}, inject={Session: Session("Ada")}
).is_error
