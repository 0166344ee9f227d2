"""The methods of an object as tools."""

from dataclasses import dataclass

from milo_schema import Toolbox, ToolError


@dataclass
class Note:
    """A note."""

    text: str
    done: bool = False


class Notes:
    """Notes by number."""

    def __init__(self) -> None:
        self._notes: dict[int, Note] = {}

    def create(self, note: Note) -> int:
        """Add a note, and return its number."""
        self._notes[len(self._notes) + 1] = note
        return len(self._notes)

    def read(self, number: int) -> Note:
        """Return a note."""
        if number not in self._notes:
            raise ToolError(f"there is no note {number}")
        return self._notes[number]

    def every(self) -> dict[str, Note]:
        """Return all notes."""
        return {str(number): note for number, note in self._notes.items()}


tools = Toolbox([Notes()])
assert [*tools] == ["create", "read", "every"]
assert tools.call("create", {"note": {"text": "Buy tea"}}).value == 1
assert tools.call("read", {"number": 1}).value == {"text": "Buy tea", "done": False}
assert tools.call("read", {"number": 2}).text == "there is no note 2"
assert tools.call("every").value == {"1": {"text": "Buy tea", "done": False}}
