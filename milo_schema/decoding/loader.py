"""A loader reads the JSON of one annotation; what it refuses, it says why and where.

A loader never raises for what a caller sent. It returns the Python value, or a ``Refused`` that has
every problem; a container puts its own step in front of the problems of its parts. So a value that
fits costs nothing but the look at it, and a place becomes text only when somebody reads it.
"""

from __future__ import annotations

from milo_schema.annotations.classes import class_name, repr_of_error, shorten
from milo_schema.annotations.forms import display
from milo_schema.annotations.identity import key_of
from milo_schema.errors import SchemaError, nearest
from milo_schema.schemas.walk import Derivation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any

    from milo_schema.schemas.walk import Walk

    Steps = tuple[str, "Steps"] | None
    Load = Callable[[Any, "Run"], Any]

MAX_DEPTH = 200
"""How deep JSON may be nested: what Python's stack has room for, and more than people write."""
MAX_PROBLEMS = 100
"""How many problems are told of one value; further ones help nobody."""

CHOICE, EXACT, WRITTEN, LAST = range(4)
"""The turns in which the members of a union are asked about text; see ``Loader.turn``."""


class Problem:
    """One thing that is wrong with a JSON value.

    Attributes:
        reason: What is wrong, and what is expected instead.
    """

    __slots__ = ("_steps", "reason")

    def __init__(self, reason: str, steps: Steps = None) -> None:
        self.reason: str = reason
        self._steps: Steps = steps

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self._steps else self.reason

    def __repr__(self) -> str:
        return f"<Problem {str(self)!r}>"

    @property
    def path(self) -> str:
        """The place, such as ``.filters[0].x``; empty if it is the value itself."""
        steps, found = self._steps, []
        while steps:
            step, steps = steps
            found.append(step)
        return "".join(found)

    def under(self, step: str) -> Problem:
        """The same problem, seen from one step further out."""
        return Problem(self.reason, (step, self._steps))


class Refused:
    """What a loader returns if there is no value: the problems."""

    __slots__ = ("problems",)

    def __init__(self, *problems: Problem) -> None:
        self.problems: list[Problem] = list(problems)

    @property
    def is_full(self) -> bool:
        """Whether there are as many problems as are told."""
        return len(self.problems) >= MAX_PROBLEMS


def add(problems: Refused | None, other: Refused, step: str) -> Refused:
    """Add the problems of a part to those of the whole."""
    problems = problems or Refused()
    room = MAX_PROBLEMS - len(problems.problems)
    problems.problems += [problem.under(step) for problem in other.problems[:room]]
    return problems


class UnsupportedError(SchemaError):
    """The schema cannot say an annotation, either: a union does without it."""


def refused(reason: str) -> Refused:
    """A refusal for one reason, which is about the value itself."""
    return Refused(Problem(reason))


class Loader:
    """What reads the JSON of one annotation.

    Attributes:
        kinds: The Python classes of the JSON that it may take.
        label: What it expects, for people to read: ``an integer``.
        load: Reads JSON: the value, or a ``Refused``.
        turn: When it is asked about text that other members of a union take, too.
        exact: The class of JSON numbers that it is made for.
        members: The loaders of a union.
        numbered: The same for JSON numbers too, as a bound on a decimal asks for.
        names: The properties that a record knows; ``None`` if it is none.
        tags: The properties by which a record is told from others, each with its loader.
    """

    __slots__ = (
        "exact",
        "kinds",
        "label",
        "load",
        "members",
        "names",
        "numbered",
        "tags",
        "turn",
    )

    def __init__(
        self, kinds: frozenset[type], label: str, load: Load | None = None, turn: int = WRITTEN
    ) -> None:
        self.kinds: frozenset[type] = kinds
        self.label: str = label
        self.load: Load = load or _unprepared
        self.turn: int = turn
        self.exact: type | None = None
        self.members: list[Loader] = []
        self.numbered: Loader | None = None
        self.names: frozenset[str] | None = None
        self.tags: dict[str, Loader] = {}


def _unprepared(_json: Any, _run: Run) -> Any:
    raise AssertionError("a loader is prepared before it is used")  # pragma: no cover


class Run:
    """What all loaders share while one value is read.

    Attributes:
        depth: In how many containers the present place is.
        repairs: Whether text is read as JSON where text does not fit.
        known: What unions have made of each container, where that may be asked more than once.
    """

    __slots__ = ("depth", "known", "repairs")

    def __init__(self, repairs: bool) -> None:  # noqa: FBT001 - one per call
        self.depth: int = 0
        self.repairs: bool = repairs
        self.known: dict[tuple[int, int], Any] | None = None


TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


class Preparation(Derivation):
    """What all places of one annotation share while its loaders are made.

    Attributes:
        prepare: Makes the loader of an annotation at a place.
        decoders: For types of the user's own, what reads their JSON.
        made: The loaders of named types, so that a recursive one has an end.
        kept: The annotations that the keys of those stand for.
        deferred: What is left to prepare.
    """

    __slots__ = ("decoders", "deferred", "kept", "made", "prepare")

    def __init__(
        self, prepare: Callable[[Any, Walk], Loader], decoders: Mapping[Any, Any], by_rule: Any
    ) -> None:
        super().__init__(False, False, by_rule)  # noqa: FBT003
        self.prepare: Callable[[Any, Walk], Loader] = prepare
        self.decoders: Mapping[Any, Any] = decoders
        self.made: dict[Hashable, Loader] = {}
        self.kept: list[Any] = []
        self.deferred: list[Callable[[], None]] = []


def nested(loader: Loader, fits: Callable[[Any], bool], read: Load) -> Loader:
    """Have a loader read the containers that fit it, whose parts are one level deeper."""

    def load(json: Any, run: Run) -> Any:
        if not fits(json):
            return wrong(loader, json, run)
        if run.depth >= MAX_DEPTH:
            return refused(TOO_DEEP)
        run.depth += 1
        found = read(json, run)
        run.depth -= 1
        return found

    loader.load = load
    return loader


def is_array(json: Any) -> bool:
    """Whether JSON is an array."""
    return type(json) is list


def is_object(json: Any) -> bool:
    """Whether JSON is an object."""
    return type(json) is dict


def prepared(annotation: Any, walk: Walk, step: str = "") -> Loader:
    """The loader of an annotation, one step from a place."""
    derivation: Any = walk.derivation
    loader: Loader = derivation.prepare(annotation, walk.at(step) if step else walk)
    return loader


def named(annotation: Any, loader: Loader, fill: Callable[[], None], walk: Walk) -> Loader:
    """The loader of a named type: the one that there is, or this one, to be filled in later.

    Later, so that a chain of a thousand records is not a thousand calls deep.
    """
    derivation: Any = walk.derivation
    key = key_of(annotation)
    if key not in derivation.made:
        derivation.made[key] = loader
        derivation.kept.append(annotation)
        derivation.deferred.append(fill)
    found: Loader = derivation.made[key]
    return found


# -- what is said ------------------------------------------------------------------------------


def wrong(loader: Loader, json: Any, run: Run) -> Any:
    """What becomes of JSON of a type that a loader does not take: repaired, or refused."""
    found = refused(f"expected {loader.label}, got {described(json)}")
    return repaired(loader, json, run, found) if type(json) is str and run.repairs else found


def repaired(loader: Loader, text: str, run: Run, otherwise: Refused) -> Any:
    """What is read from the JSON in a text, if a loader takes JSON of that type.

    Text stays text: a JSON string in the text is not read, nor is one anywhere inside.
    """
    found = read_text(text)
    if type(found) is str or type(found) not in loader.kinds:
        return otherwise
    run.repairs = False
    value = loader.load(found, run)
    run.repairs = True
    return value


def read_text(text: str) -> Any:
    """The JSON in a text; the text itself if there is none."""
    from json import loads

    try:
        return loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are not JSON


def described(json: Any) -> str:
    """A JSON value in a few words."""
    if type(json) is str:
        return quoted(json)
    if type(json) is list:
        return f"an array of {len(json)} items" if len(json) != 1 else "an array of one item"
    if type(json) is dict:
        return "an object"
    if type(json) is bool:
        return "true" if json else "false"
    return "null" if json is None else display(json)


def quoted(text: str) -> str:
    """A text, or its beginning, in quotes; what cannot be printed is escaped."""
    short = shorten(text, 60).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(short)}"'


def printable(text: str) -> str:
    """A text whose control characters and lone surrogates are escaped."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def choices(texts: list[str], most: int = 12) -> str:
    """Some of what there is to choose from."""
    more = f" or {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def step_to(name: str) -> str:
    """What leads to a property: ``.name``, or ``["a b"]``."""
    short = shorten(name)
    return f".{short}" if short.isidentifier() and short.isprintable() else f"[{quoted(short)}]"


def meant(name: str, known: list[str]) -> str:
    """Which name was probably meant, to end a sentence with; empty if there is none."""
    return nearest(name[:80], known, quoted)


def raised(problem: Exception) -> Refused:
    """A refusal that says what a constructor raised."""
    text = repr_of_error(problem, str)
    is_said = text and isinstance(problem, ValueError)
    kind = class_name(type(problem))
    return refused(printable(text if is_said else f"{kind}: {text}" if text else kind))


def construct(make: Callable[..., Any], *args: Any, **fields: Any) -> Any:
    """What a constructor makes of its arguments; what it raises is a problem."""
    try:
        return make(*args, **fields)
    except Exception as problem:  # noqa: BLE001 - it may be user code
        return raised(problem)
