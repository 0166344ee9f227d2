"""A loader reads the JSON of one annotation; if it refuses a value, it says why and where.

A loader does not raise for bad JSON. It returns the Python value, or a ``Refused`` that has
every problem; a container puts its own step before the problems of its parts. So a value that
fits costs only the check itself, and a place becomes text only when it is read.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Hashable, Mapping
from milo_schema.annotations.classes import class_name, repr_of_error, shorten
from milo_schema.annotations.forms import display, key_of
from milo_schema.errors import SchemaError, nearest
from milo_schema.schemas.walk import Derivation, Walk

Steps = tuple[str, Any] | None  # the innermost step, and those before it
Load = Callable[[Any, "Run"], Any]

MAX_DEPTH = 200
"""How deep JSON may be nested: within Python's stack, and deeper than people write."""
MAX_PROBLEMS = 100
"""How many problems of one value are reported; more would not help."""

CHOICE, EXACT, WRITTEN, LAST = range(4)
"""The order in which the members of a union get to read text; see ``Loader.turn``."""


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
        """The place, such as ``.filters[0].x``; empty for the value itself."""
        steps, found = self._steps, []
        while steps:
            step, steps = steps
            found.append(step)
        return "".join(found)

    def under(self, step: str) -> Problem:
        """The same problem, seen from one step further out."""
        return Problem(self.reason, (step, self._steps))


class Refused:
    """The result of a loader if there is no value: the problems."""

    __slots__ = ("problems",)

    def __init__(self, *problems: Problem) -> None:
        self.problems: list[Problem] = list(problems)

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more problems."""
        return len(self.problems) >= MAX_PROBLEMS


def add(problems: Refused | None, other: Refused, step: str) -> Refused:
    """Add the problems of a part to those of the whole."""
    problems = problems or Refused()
    room = MAX_PROBLEMS - len(problems.problems)
    problems.problems += [problem.under(step) for problem in other.problems[:room]]
    return problems


class UnsupportedError(SchemaError):
    """The annotation has no schema either, so a union leaves it out."""


def refused(reason: str) -> Refused:
    """A refusal of the value itself, for one reason."""
    return Refused(Problem(reason))


class Loader:
    """A reader of the JSON of one annotation.

    Attributes:
        kinds: The Python classes of the JSON that it may accept.
        label: A phrase for what it expects: ``an integer``.
        load: Reads JSON and returns the value or a ``Refused``.
        turn: Its turn, if other members of a union accept the same text.
        exact: The class of JSON numbers that it prefers.
        members: The loaders of a union.
        numbered: The same loader for JSON numbers too, as a bounded decimal needs.
        names: The properties that a record knows; ``None`` if it is not a record.
        tags: The properties that tell a record from others, each with its loader.
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
        depth: How many containers the current place is in.
        repairs: Whether to read text as JSON where text does not fit.
        known: The result of each union for each container, where it may be needed more than once.
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
        decoders: The functions that read the JSON of the user's types.
        made: The loaders of named types, so that recursion ends.
        kept: The annotations of those loaders, kept alive because the keys may hold ids.
        deferred: The preparations that are still to do.
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
    """Repair or refuse JSON of a type that a loader does not accept."""
    found = refused(f"expected {loader.label}, got {described(json)}")
    return repaired(loader, json, run, found) if type(json) is str and run.repairs else found


def repaired(loader: Loader, text: str, run: Run, otherwise: Refused) -> Any:
    """Read the JSON in a text, if a loader accepts JSON of that type.

    Text stays text: a JSON string in the text is not read, and neither is one inside it.
    """
    found = read_text(text)
    if type(found) is str or type(found) not in loader.kinds:
        return otherwise
    run.repairs = False
    value = loader.load(found, run)
    run.repairs = True
    return value


def read_text(text: str) -> Any:
    """The JSON in a text; the text itself if it is not JSON."""
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
    """A refusal with the exception that a constructor raised."""
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
