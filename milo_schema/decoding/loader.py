"""A loader reads the JSON of one annotation, or refuses it with a reason and a path.

A loader does not raise an exception for invalid JSON. It returns the Python value, or a
``Refused`` with every problem; a container adds its own step to the problems of its parts. So a
valid value costs only the check itself, and a path is formatted only when it is read.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Hashable, Mapping
from milo_schema.annotations.classes import class_name, repr_of_error, shorten
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import key_of
from milo_schema.errors import SchemaError, nearest
from milo_schema.schemas import rules
from milo_schema.schemas.containers import by_rule
from milo_schema.schemas.walk import Derivation, Walk

Steps = tuple[str, Any] | None  # the innermost step, and those before it
Load = Callable[[Any, "Run"], Any]

MAX_DEPTH = 200
"""The deepest nesting of JSON: it fits into Python's stack, and real JSON is less deep."""
MAX_PROBLEMS = 100
"""The most problems that are reported for one value; more would not help."""

CHOICE, EXACT, WRITTEN, LAST = range(4)
"""The order in which the members of a union try to read text; see ``Loader.turn``."""


class Problem:
    """One problem of a JSON value.

    Attributes:
        reason: The problem, and what is expected instead.
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
        """The path, such as ``.filters[0].x``; empty for the value itself."""
        steps, found = self._steps, []
        while steps:
            step, steps = steps
            found.append(step)
        return "".join(found)

    def under(self, step: str) -> Problem:
        """The same problem with a path that begins one step further out."""
        return Problem(self.reason, (step, self._steps))


class Refused:
    """The result of a loader that refuses a value: the problems."""

    __slots__ = ("problems",)

    def __init__(self, *problems: Problem) -> None:
        self.problems: list[Problem] = list(problems)

    @property
    def is_full(self) -> bool:
        """Whether it has the most problems that are reported."""
        return len(self.problems) >= MAX_PROBLEMS


def add(problems: Refused | None, other: Refused, step: str) -> Refused:
    """Add the problems of a part to those of the whole."""
    problems = problems or Refused()
    room = MAX_PROBLEMS - len(problems.problems)
    problems.problems += [problem.under(step) for problem in other.problems[:room]]
    return problems


class UnsupportedError(SchemaError):
    """Raised for an annotation without a schema, which a union leaves out."""


def refused(reason: str) -> Refused:
    """A ``Refused`` for the value itself, with one reason."""
    return Refused(Problem(reason))


class Loader:
    """A reader of the JSON of one annotation.

    Attributes:
        kinds: The Python classes of the JSON that it may accept.
        label: What it expects, as a noun: ``an integer``.
        load: Reads JSON and returns the value or a ``Refused``.
        turn: Its turn, if other members of a union accept the same text.
        exact: The class of JSON numbers that it prefers.
        members: The loaders of the members, if it is a union.
        numbered: The same loader, which also accepts JSON numbers, for a bounded decimal.
        names: The properties of a record; ``None`` if it is not a record.
        tags: The properties that identify a record in a union, each with its loader.
    """

    __slots__ = ("exact", "kinds", "label", "load", "members", "names", "numbered", "tags", "turn")

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
    """The state that all loaders share while one value is read.

    Attributes:
        depth: The number of containers around the current place.
        repairs: Whether to read text as JSON if text is not valid there.
        known: The result of each union for each container, if it may be needed again.
    """

    __slots__ = ("depth", "known", "repairs")

    def __init__(self, repairs: bool) -> None:  # noqa: FBT001 - one per call
        self.depth: int = 0
        self.repairs: bool = repairs
        self.known: dict[tuple[int, int], Any] | None = None


TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


class Preparation(Derivation):
    """The state that all places of one annotation share while its loaders are made.

    Attributes:
        prepare: Makes the loader of an annotation at a place.
        decoders: The functions that read the JSON of users' types.
        made: The loaders of named types, so that recursion ends.
        kept: The annotations of those loaders, kept alive because the keys may contain ids.
        deferred: The preparations that still have to run.
    """

    __slots__ = ("decoders", "deferred", "kept", "made", "prepare")

    def __init__(self, prepare: Callable[[Any, Walk], Loader], decoders: Mapping[Any, Any]) -> None:
        super().__init__(False, False, by_rule, rules)  # noqa: FBT003
        self.prepare: Callable[[Any, Walk], Loader] = prepare
        self.decoders: Mapping[Any, Any] = decoders
        self.made: dict[Hashable, Loader] = {}
        self.kept: list[Any] = []
        self.deferred: list[Callable[[], None]] = []


def nested(loader: Loader, fits: Callable[[Any], bool], read: Load) -> Loader:
    """Make a loader read containers of its type; their parts are one level deeper."""

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
    """The loader of a named type: the existing one, or this one, to be filled in later.

    It is filled in later so that a chain of a thousand records is not a thousand calls deep.
    """
    derivation: Any = walk.derivation
    key = key_of(annotation)
    if key not in derivation.made:
        derivation.made[key] = loader
        derivation.kept.append(annotation)
        derivation.deferred.append(fill)
    found: Loader = derivation.made[key]
    return found


# -- messages ----------------------------------------------------------------------------------


def wrong(loader: Loader, json: Any, run: Run) -> Any:
    """Repair or refuse JSON of a type that the loader does not accept."""
    found = refused(f"expected {loader.label}, got {described(json)}")
    return repaired(loader, json, run, found) if type(json) is str and run.repairs else found


def repaired(loader: Loader, text: str, run: Run, otherwise: Refused) -> Any:
    """Read the JSON in a string, if the loader accepts JSON of that type.

    This happens only once: a JSON string in the string is not read as JSON.
    """
    found = read_text(text)
    if type(found) is str or type(found) not in loader.kinds:
        return otherwise
    run.repairs = False
    value = loader.load(found, run)
    run.repairs = True
    return value


def read_text(text: str) -> Any:
    """The JSON in a string; the string itself if it is not JSON."""
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
    """A string, or its beginning, in quotes; characters that cannot be printed are escaped."""
    short = shorten(text, 60).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(short)}"'


def printable(text: str) -> str:
    """A string with escapes for control characters and unpaired surrogates."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def choices(texts: list[str], most: int = 12) -> str:
    """The first few of the choices."""
    more = f" or {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def step_to(name: str) -> str:
    """The step to a property: ``.name``, or ``["a b"]``."""
    short = shorten(name)
    return f".{short}" if short.isidentifier() and short.isprintable() else f"[{quoted(short)}]"


def meant(name: str, known: list[str]) -> str:
    """The end of a sentence with the name that was probably meant; empty if there is none."""
    return nearest(name[:80], known, quoted)


def raised(problem: Exception) -> Refused:
    """A ``Refused`` for the exception that a constructor raised."""
    text = repr_of_error(problem, str)
    is_said = text and isinstance(problem, ValueError)
    kind = class_name(type(problem))
    return refused(printable(text if is_said else f"{kind}: {text}" if text else kind))


def construct(make: Callable[..., Any], *args: Any, **fields: Any) -> Any:
    """Call a constructor; an exception that it raises becomes a problem."""
    try:
        return make(*args, **fields)
    except Exception as problem:  # noqa: BLE001 - it may be user code
        return raised(problem)
