"""The base class of nodes, and what all nodes need to load JSON and to dump values.

A node is the meaning of one annotation: its schema, how its JSON becomes a Python value (load), and
how a Python value becomes JSON (dump). ``reader`` makes the nodes.

Neither ``load()`` nor ``dump()`` raises an exception for an invalid value. They return the result,
or a ``Refusal`` with every problem; a container adds its own step to the problems of its parts. So
a valid value costs only the check itself, and a path is formatted only when it is read.

Code of users refuses a value by ``ValueError`` or ``AssertionError``, as in pydantic. Any other
exception is a bug, which callers must not see: it travels in the ``Refusal``, too, because that
knows the path, and is raised when the whole value is read or written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from itertools import islice
from typing import Any, NoReturn, Self, cast

from milo_schema import libraries
from milo_schema.annotations import Json
from milo_schema.annotations.classes import (
    class_name,
    is_any,
    loaded,
    mro,
    repr_of_error,
    shorten,
    with_article,
)
from milo_schema.annotations.forms import display
from milo_schema.callables.signatures import NO_PARAMETER, Field
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import code_of
from milo_schema.json_schema.sentences import describe
from milo_schema.json_schema.subschemas import escape
from milo_schema.json_schema.values import (
    CLASSES,
    INFINITY,
    LEAST,
    LOWEST,
    MAX_JSON_DEPTH,
    ORDINARY,
    NotJSONError,
    copied,
)
from milo_schema.nodes import Definitions, Named, Profile
from milo_schema.nodes.scalar_types import WRITTEN

MAX_LEVELS = 128
"""The deepest nesting of an annotation."""
MAX_SUBSCHEMAS = 50_000
"""The most annotations in one schema; those of a named type count once."""
MAX_PROBLEMS = 100
"""The most problems that are reported for one value; more would not help."""
MAX_PARTS = 1_000_000
"""The most items and properties of a value in total: an iterator may be endless."""

EVERY_KIND = frozenset({type(None), bool, int, float, str, list, dict})
"""The classes of JSON values."""
NO_KIND: frozenset[type] = frozenset()


# -- places ------------------------------------------------------------------------------------

# A place tells where in an annotation something stands, for messages. Reading passes one down with
# every annotation, although hardly any reading ends in a message. So a place has to cost nothing:
# it is a pair of its parent and one step, a linked list that grows by one cell per level and shares
# its tail with all others. It becomes text only in ``path_of()``, when the message is read.
#
# A step is either text, such as ``[]`` for the items of an array and ``{}`` for the values of a
# mapping, or the ``Field`` whose annotation is read. A field writes itself as ``.name`` in a record
# and as ``(name)`` in a function, so a path reads like Python: ``deploy(params).filters[].x``. The
# root is a pair, too: ``(None, "deploy")``.
#
# The field is in the path for a second reason: it is how a rule finds out about its surroundings.
# ``field_at()`` is the field whose *whole* annotation stands at a place: unions, aliases and
# ``Annotated`` add no step, but a container does. A union asks it for the default, to tell a
# sentinel from a mistake, and a message asks whether it is about a parameter.
#
# What may never happen: a place is compared with ``==`` (a field may hold a default whose ``==`` is
# user code), kept in a schema, or used to decide what a schema is; two uses of one type have two
# places, but one schema. A named type has the place of its first use.
#
# What could be better: in a union, all members have the same place, so a message has to say which
# one it means; and the paths of values (``Problem.steps``) are a second linked list, which grows in
# the other direction, because a value is read from the inside out.

Place = tuple[Any, str | Field]
"""The parent, which is ``None`` at the root, and the step: text, or a field."""


def path_of(place: Place | None) -> str:
    """The path to a place, such as ``deploy(params).filters[]``."""
    steps = []
    while place is not None:
        place, step = place
        steps.append(str(step))
    return "".join(reversed(steps))


def field_at(place: Place) -> Field | None:
    """The field or parameter whose whole annotation stands at a place."""
    step = place[1]
    return step if type(step) is Field else None


def is_parameter(place: Place) -> bool:
    """Whether the whole annotation of a parameter stands at a place."""
    field = field_at(place)
    return field is not None and field.kind != NO_PARAMETER


class Reports:
    """Whatever reports problems.

    Attributes:
        problems: The problems, in the order in which they were found.
    """

    __slots__ = ()

    problems: list[Problem]

    def report(
        self,
        reason: str,
        place: Place,
        annotation: Any = None,
        cause: BaseException | None = None,
        *,
        code: str = "other",
        is_strict_only: bool = False,
        is_enforced: bool = False,
    ) -> Problem:
        """Add a problem: an error in strict mode, otherwise a warning."""
        problem = Problem(
            reason,
            path_of(place),
            code=code,
            annotation=annotation,
            cause=cause,
            place=place,
            is_strict_only=is_strict_only,
            is_enforced=is_enforced,
        )
        self.problems.append(problem)
        return problem

    def refuse(
        self,
        reason: str,
        place: Place,
        annotation: Any = None,
        cause: BaseException | None = None,
        *,
        code: str = "other",
    ) -> NoReturn:
        """Raise an error, in every mode."""
        raise SchemaError(reason, path_of(place), annotation, code=code) from cause


# -- nodes -------------------------------------------------------------------------------------


class Node:
    """The meaning of one annotation.

    Attributes:
        annotation: The annotation, as messages show it.
        kinds: The Python classes of the JSON that it may accept.
        plain: Those whose values are the same in JSON and in Python, so that loops need not call
            ``dump()``; see ``is_plain()``.
        label: What JSON it expects, as a noun: ``an integer``.
        priority: Its turn to read a string that several members of a union accept.
        exact: The class of JSON numbers that it prefers.
        cls: The class of its values, if there is one.
        names: The properties of a record; ``None`` if it is not a record.
        keeps_others: Whether its values keep properties that it does not name.
        tags: The properties that identify a record in a union, each with its node.
        is_object: Whether it is a record or a model, whose fields its constructor takes.
        accepts_null: Whether it is a union of ``None`` and other members.
        describes_class: Whether a description in its schema describes a class, not the value.
        short_name: Its name as a definition, if it is a named type, with or without metadata.
        problem: Why the annotation has no schema, if it has none.
        is_unknown: Whether any JSON may be a value of it, as of a name that cannot be evaluated, or
            a protocol. Without it, a problem says that no JSON is: of a callable, an open file.
        undecodable: Why values of it, or of its parts, cannot be read from JSON; a record, which
            may contain itself, stands for its own problems.
    """

    __slots__ = ()

    annotation: Any = None
    kinds: frozenset[type] = EVERY_KIND
    plain: frozenset[type] = NO_KIND
    label: str = "any JSON value"
    priority: int = WRITTEN
    exact: type | None = None
    cls: Any = None
    names: frozenset[str] | None = None
    keeps_others: bool = False
    tags: Mapping[str, Node] = {}
    is_object: bool = False
    accepts_null: bool = False
    describes_class: bool = False
    short_name: str = ""
    problem: Problem | None = None
    is_unknown: bool = False
    undecodable: Sequence[Problem | Named] = ()

    @property
    def types(self) -> list[str]:
        """The types of the JSON that it may accept, as JSON Schema calls them."""
        return [*_types_of(self.kinds, self.exact is int)]

    def schema(self, out: Definitions) -> Json:
        """A fresh schema, in which named types may be references."""
        raise NotImplementedError

    def load(self, json: Any, run: Loading) -> Any:
        """The Python value of JSON, or a ``Refusal``."""
        raise NotImplementedError

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a Python value, or a ``Refusal``."""
        raise NotImplementedError

    # Messages ask these two, so they load nothing: a type may contain itself.

    def takes(self, json: Any) -> bool:
        """Whether JSON is certainly valid; it may be, even if nothing says so."""
        return is_plain(json, self.plain)

    def holds(self, json: Any) -> bool:
        """Whether an array with only this item is certainly valid."""
        return False

    def without_null(self) -> Node:
        """``T`` for ``T | None``; itself for anything else."""
        return self

    def without_class(self, cls: type) -> Node:
        """A union without the members that are of a class; itself for anything else."""
        return self

    def members(self) -> Iterator[Node]:
        """The members of a union and of the unions in it; otherwise only the node itself."""
        yield self

    def with_numbers(self) -> Node:
        """The same, but a bounded decimal may also be a JSON number."""
        return self

    def replace(self, **attributes: Any) -> Self:
        """A copy with other attributes."""
        found = copy(self)
        for name, value in attributes.items():
            setattr(found, name, value)
        return found


@cache
def _types_of(kinds: frozenset[type], is_integer: bool) -> tuple[str, ...]:
    """The types of JSON of these classes."""
    other = "number" if is_integer else "integer"
    return tuple(name for name in TYPES if name != other and CLASSES[name] <= kinds)


def is_plain(value: Any, plain: frozenset[type]) -> bool:
    """Whether a value is the same in JSON and in Python, according to ``Node.plain``.

    Texts that are not ASCII, large integers, and infinity and NaN need a closer look.
    """
    kind = type(value)
    if kind not in plain:
        return False
    if kind is str:
        is_ascii: bool = value.isascii()
        return is_ascii
    if kind is int:
        is_small: bool = LEAST < value < ORDINARY
        return is_small
    return kind is not float or LOWEST < value < INFINITY


def _of_inner(name: str) -> Any:
    return property(lambda self: getattr(self.inner, name))


class Wrapper(Node):
    """A node that means the same as another one, but for what its class defines.

    Attributes:
        inner: The other node.
    """

    __slots__ = ()

    inner: Node
    kinds: frozenset[type] = _of_inner("kinds")
    label: str = _of_inner("label")
    priority: int = _of_inner("priority")
    exact: type | None = _of_inner("exact")
    cls: Any = _of_inner("cls")
    names: frozenset[str] | None = _of_inner("names")
    keeps_others: bool = _of_inner("keeps_others")
    tags: Mapping[str, Node] = _of_inner("tags")
    is_object: bool = _of_inner("is_object")
    accepts_null: bool = _of_inner("accepts_null")
    types: list[str] = _of_inner("types")
    describes_class: bool = _of_inner("describes_class")
    problem: Problem | None = _of_inner("problem")
    is_unknown: bool = _of_inner("is_unknown")
    undecodable: Sequence[Problem | Named] = _of_inner("undecodable")

    def schema(self, out: Definitions) -> Json:
        """That of the other node."""
        found: Json = self.inner.schema(out)
        return found

    def holds(self, json: Any) -> bool:
        """Whether the other node accepts it as the only item of an array."""
        return self.inner.holds(json)

    def load(self, json: Any, run: Loading) -> Any:
        """The value that the other node loads."""
        return self.inner.load(json, run)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON that the other node dumps."""
        return self.inner.dump(value, run)


class Abstract(Wrapper):
    """An abstract class: it has a schema, but its instances are those of its subclasses."""

    __slots__ = ("inner", "undecodable")

    def __init__(self, inner: Node, why: Problem) -> None:
        self.inner: Node = inner
        self.undecodable: Sequence[Problem] = (why,)

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing; a call may do without it."""
        return refuse(self.undecodable[0].message, json)


def cannot_load(
    tp: Any, reason: str, place: Place, code: str = "no-decoder", *, has_no_schema: bool = False
) -> Problem:
    """The reason why values of an annotation cannot be read from JSON."""
    return Problem(
        reason, path_of(place), code=code, annotation=tp, place=place, has_no_schema=has_no_schema
    )


class Composite(Node):
    """A node whose values have parts, which are one level deeper."""

    __slots__ = ()

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """Dump a value; an exception that it raises becomes a problem."""
        raise NotImplementedError

    def dump(self, value: Any, run: Dumping) -> Any:
        """Dump the parts, unless they are nested too deeply."""
        progress = run.progress
        if (depth := progress.depth) > run.max_depth:
            return self.misfit("nested too deeply, or contains itself")
        progress.depth = depth + 1
        try:
            return self.dump_parts(value, run)
        except TooManyPartsError:
            return self.misfit(f"more than {run.max_parts:,} items")
        except RecursionError:  # the caller is deep in the stack itself
            raise
        except Exception as problem:  # __iter__, or a property
            return refuse_raised("reading it", problem, self.annotation)
        finally:
            progress.depth = depth

    def misfit(self, reason: str) -> Refusal:
        """The problem of a value that does not match the annotation."""
        return refuse_value(reason, self.annotation)


class Container(Composite):
    """A node of such values that loads the parts by itself."""

    __slots__ = ()

    def load_parts(self, json: Any, run: Loading) -> Any:
        """Load JSON that fits."""
        raise NotImplementedError

    def load(self, json: Any, run: Loading) -> Any:
        """Load the parts, unless they are nested too deeply."""
        if type(json) not in self.kinds:
            return refuse_kind(self, json)
        if (depth := run.depth) >= MAX_JSON_DEPTH:
            return refuse(TOO_DEEP, json, "too-deep")
        run.depth = depth + 1
        found = self.load_parts(json, run)
        run.depth = depth
        return found


class Counted(Container):
    """A node of arrays that only a certain number of items fits.

    Attributes:
        least: The fewest items.
        most: The most items.
    """

    __slots__ = ()
    least: int
    most: float

    def miscounted(self, json: list[Any]) -> Refusal | None:
        """The problem of an array with too few or too many items."""
        if len(json) < self.least:
            return refuse_json(self.label, json, "minItems", self.least)
        if len(json) > self.most:
            return refuse_json(self.label, json, "maxItems", self.most)
        return None


TOO_DEEP = f"nested deeper than {MAX_JSON_DEPTH} levels"


# -- results -----------------------------------------------------------------------------------


REFUSALS = (ValueError, AssertionError)
"""The exceptions by which code of users, and so pydantic, refuses a value."""


class Refusal:
    """The result for a value that is refused: the problems.

    Attributes:
        problems: The problems.
        bug: The first one, if code of users raised an exception that refuses nothing.
    """

    __slots__ = ("bug", "problems")

    def __init__(self, *problems: Problem, bug: Problem | None = None) -> None:
        self.problems: list[Problem] = [*problems]
        self.bug: Problem | None = bug

    @property
    def is_full(self) -> bool:
        """Whether nothing else has to be read: it has enough problems, or an exception."""
        return self.bug is not None or len(self.problems) >= MAX_PROBLEMS

    def under(self, step: str) -> Refusal:
        """The same problems with paths that begin one step further out."""
        return add(None, self, step)

    def raise_bug(self, action: str, root: str) -> None:
        """Raise the exception that refuses nothing, if there is one, as it is."""
        if self.bug is not None:
            cause = cast("Exception", self.bug.cause)  # each bug has one
            cause.add_note(f"while {action} {root}{self.bug.path}".removesuffix(": "))
            raise cause


def add(problems: Refusal | None, other: Refusal, step: str) -> Refusal:
    """Add the problems of a part to those of the whole."""
    problems = problems or Refusal()
    room = MAX_PROBLEMS - len(problems.problems)
    problems.problems += [problem.under(step) for problem in other.problems[:room]]
    if other.bug is not None and problems.bug is None:
        problems.bug = other.bug.under(step)
    return problems


def is_final(found: Any) -> bool:
    """Whether no other member of a union may be tried: a value, or a bug."""
    return type(found) is not Refusal or found.bug is not None


def refuse(
    reason: str,
    json: Any,
    code: str = "",
    *,
    keyword: str = "",
    limit: Any = None,
    expected: str = "",
    path: str = "",
) -> Refusal:
    """A ``Refusal`` for JSON, with one reason.

    Args:
        reason: What is wrong.
        json: The JSON.
        code: The code of the problem; without it, that of the keyword.
        keyword: The keyword that refuses the JSON.
        limit: The value of the keyword.
        expected: What is expected instead, as a noun.
        path: The path to what is wrong, if that is not the JSON itself.
    """
    problem = Problem(
        reason,
        path,
        code=code or code_of(keyword),
        value=json,
        keyword=keyword,
        limit=limit,
        expected=expected,
    )
    return Refusal(problem)


def refuse_json(
    expected: str, json: Any, keyword: str, limit: Any, *, code: str = "", more: str = ""
) -> Refusal:
    """A ``Refusal`` for JSON that is not what was expected."""
    reason = f"expected {expected}, got {describe(json)}{more}"
    return refuse(reason, json, code, keyword=keyword, limit=limit, expected=expected)


def refuse_value(
    reason: str,
    annotation: Any,
    cause: BaseException | None = None,
    value: Any = None,
    expected: str = "",
) -> Refusal:
    """A ``Refusal`` for a Python value that does not match its annotation."""
    facts: Json = {"annotation": annotation, "cause": cause, "value": value, "expected": expected}
    return Refusal(Problem(reason, code="unexpected-value", **facts))


def refuse_raised(
    what: str, problem: Exception, annotation: Any, reason: str | None = None
) -> Refusal:
    """A ``Refusal`` for the exception that reading a value raised.

    Args:
        what: The code that raised it.
        problem: The exception.
        annotation: The annotation of the value.
        reason: The message, if there is a better one.
    """
    said = f"{what} raised {repr_of_error(problem)}" if reason is None else reason
    found = refuse_value(said, annotation, problem)
    if not isinstance(problem, REFUSALS):
        found.bug = found.problems[0]
    return found


def raise_refused(refused: Refusal, root: str) -> NoReturn:
    """Raise the first problem of a Python value, whose path begins at *root*."""
    refused.raise_bug("writing", root)
    problem = refused.problems[0]
    path = root + problem.path
    error = SchemaError(problem.message, path, problem.annotation, code=problem.code)
    raise error from problem.cause


def is_not(value: Any, annotation: Any) -> Refusal:
    """A ``Refusal`` for a value that is not of a type."""
    expected = with_article(display(annotation))
    reason = f"{display(value)} is not {expected}"
    return refuse_value(reason, annotation, value=value, expected=expected)


def not_json(value: Any, problem: NotJSONError, annotation: Any) -> Refusal:
    """A ``Refusal`` for a value of a type that JSON has, such as NaN."""
    return refuse_value(f"{problem} cannot be written as JSON", annotation, problem, value)


def no_json(value: Any, annotation: Any, way_out: str = "") -> Refusal:
    """A ``Refusal`` for a value of a class without JSON."""
    reason = f"no JSON for an instance of {display(type(value))}{way_out}"
    return refuse_value(reason, annotation, value=value)


# -- loading -----------------------------------------------------------------------------------


class Loading:
    """The state that all nodes share while one value is loaded.

    Attributes:
        depth: The number of containers around the current place.
        known: The result of each union for each container, if it may be needed again.
    """

    __slots__ = ("depth", "known")

    def __init__(self, depth: int = 0, known: dict[tuple[int, int], Any] | None = None) -> None:
        self.depth: int = depth
        self.known: dict[tuple[int, int], Any] | None = known

    def remembering(self) -> Loading:
        """The state for a part in which the results of unions are needed again."""
        return Loading(self.depth, {})


def refuse_kind(node: Node, json: Any) -> Refusal:
    """Refuse JSON of a type that the node does not accept."""
    types = node.types
    limit = types[0] if len(types) == 1 else types
    return refuse_json(node.label, json, "type", limit, more=_way_out(node, json))


def _way_out(node: Node, json: Any) -> str:
    """The JSON to send instead, if JSON contains it, or if it is the item of an array."""
    if type(json) is dict:  # such as {"item": "x"} for "x"
        (inside,) = json.values() if len(json) == 1 else (json,)
        is_it = type(inside) is not list and _is_short(inside) and node.takes(inside)
        return f"; send {describe(inside)}" if is_it else ""
    return f"; send [{describe(json)}]" if node.holds(json) and _is_short(json) else ""


def _is_short(json: Any) -> bool:
    """Whether a message repeats it whole."""
    return type(json) is not str or len(json) <= _SHOWN


_SHOWN = 40
"""The most characters of a string that a message repeats whole."""


def construct(json: Any, make: Callable[..., Any], *args: Any, **fields: Any) -> Any:
    """Call a constructor for JSON; an exception that it raises becomes a problem."""
    try:
        return make(*args, **fields)
    except Exception as problem:  # it may be user code
        return refuse_error(problem, json)


def refuse_error(problem: Exception, json: Any) -> Refusal:
    """A ``Refusal`` for the exception that a constructor raised."""
    attrs = libraries.library("attr")
    own = None if attrs is None else attrs.text_of_refusal(problem)
    text = repr_of_error(problem, str) if own is None else shorten(own, 200)
    is_message = text and (own is not None or isinstance(problem, ValueError))
    kind = class_name(type(problem))
    shown = text if is_message else f"{kind}: {text}" if text else kind
    found = Problem(escape(shown), code="refused", value=json, cause=problem)
    is_refusal = own is not None or isinstance(problem, REFUSALS)
    return Refusal(found, bug=None if is_refusal else found)


# -- dumping -----------------------------------------------------------------------------------


class Progress:
    """How far the dumping of one value has come.

    Attributes:
        depth: The number of containers around the current place.
        parts: The number of items and properties so far.
        is_formatted: Whether each string so far is valid in the format of its type.
        is_shared: Whether the JSON has parts that are the same object.
        unsure: The problem of the first part that was refused although it may be of its type.
    """

    __slots__ = ("depth", "is_formatted", "is_shared", "parts", "unsure")

    def __init__(self) -> None:
        self.depth: int = 0
        self.parts: int = 0
        self.is_formatted: bool = True
        self.is_shared: bool = False
        self.unsure: Problem | None = None

    def count(self, most: int) -> None:
        """Count a part, up to the limit in total."""
        self.parts += 1
        if self.parts > most:
            raise TooManyPartsError


class Dumping:
    """The state that all nodes share while one value is dumped.

    Attributes:
        progress: How far it has come.
        max_depth: The most containers around each other.
        max_parts: The most items and properties in total.
        encoders: The functions that convert values of users' types.
        nodes: The node of each class that a value without an annotation has had.
        is_direct: Whether nodes may dump by themselves what others ask them for.
        is_exact: Whether a value must be of the class of its annotation.
        types: The schemas that the profile has for types, which may be those that JSON has.
        value_of: Takes the value of a field, like ``getattr()``.
        decided: The JSON of each value by each union, which unions around it may ask for again.
    """

    is_exact = False
    _exact: Dumping | None = None

    def __init__(
        self,
        read: Callable[[Any], Node],
        fits: Callable[[Any, Node], bool],
        profile: Profile,
        of_json: Mapping[type, Node],
    ) -> None:
        self._read: Callable[[Any], Node] = read
        self._fits: Callable[[Any, Node], bool] = fits
        self._written: dict[int, tuple[Any, Any]] = {}
        self._items: dict[int, tuple[Any, list[Any]]] = {}
        self.decided: dict[tuple[int, int, bool], tuple[Any, Any]] = {}
        self.progress: Progress = Progress()
        self.encoders: Mapping[Any, Any] = profile.encoders
        self.is_direct: bool = not self.encoders
        self.max_depth: int = MAX_JSON_DEPTH - 1  # what may come in may go out
        self.max_parts: int = MAX_PARTS
        self.types: Mapping[Any, Any] = profile.types
        self.nodes: dict[type, Node] = {} if self.types else {**of_json}
        msgspec = libraries.library("msgspec")
        self.value_of: Callable[..., Any] = getattr if msgspec is None else msgspec.value_of

    def exactly(self) -> Dumping:
        """The same, but each value must be of the class of its annotation; progress is shared."""
        if self._exact is None:
            self._exact = copy(self)
            self._exact.is_exact = True
        return self._exact

    def plain_of(self, node: Node) -> frozenset[type]:
        """The classes of the values that are their own JSON; see ``Node.plain``."""
        if self.encoders or (self.types and node.annotation is Any):
            return NO_KIND
        return node.plain

    def dump_whole(self, value: Any, node: Node) -> Any:
        """The JSON of the value that is dumped; its parts are different objects."""
        found = self.dump(value, node)
        return copied(found) if self.progress.is_shared and type(found) is not Refusal else found

    def dump(self, value: Any, node: Node) -> Any:
        """The JSON of a value: by an encoder for its class, otherwise by the node."""
        if self.encoders and (encoder := encoder_of(value, self.encoders)) is not None:
            encoded = encode(value, encoder, node.annotation)
            return encoded if type(encoded) is Refusal else self.dump_by_class(encoded)
        return node.dump(value, self)

    def dump_by_class(self, value: Any) -> Any:
        """The JSON of a value without an annotation, by its class."""
        value = native(value)
        node = self.node_of(type(value))
        if node.annotation is Any:  # an instance of ``object``, or of a class that derives from Any
            return no_json(value, type(value))
        return self.dump(value, node)

    def as_it_is(self, value: Any, node: Node, otherwise: Refusal | None = None) -> Any:
        """The JSON of a value that is not of the annotated class, if the schema accepts it."""
        if not self.is_exact:
            json = self._by_class_once(value)
            if is_final(json) and (type(json) is Refusal or self._fits(json, node)):
                return json
            number = _number_of(value)
            if number is not None and self._fits(number, node):
                return number
        return otherwise or is_not(value, node.annotation)

    def _by_class_once(self, value: Any) -> Any:
        """``dump_by_class()``, which may be asked by every member of a union."""
        if (known := self._written.get(id(value))) is not None:
            return known[1] if type(known[1]) is Refusal else copied(known[1])
        self._written[id(value)] = value, Refusal()  # until it is written, it contains itself
        json = self.dump_by_class(value)
        self._written[id(value)] = value, json  # the value stays alive, so its id stays valid
        return json

    def node_of(self, kind: type) -> Node:
        """The node of a class."""
        if (node := self.nodes.get(kind)) is None:
            node = self.nodes[kind] = self._read(kind)
        return node

    def each(self, values: Any) -> Iterable[Any]:
        """The items of a value, up to the limit in total."""
        progress = self.progress
        if type(values) in _COUNTED and progress.parts + len(values) <= self.max_parts:
            progress.parts += len(values)  # a generator takes a third of the time of an int
            found: Iterable[Any] = values
            return found
        return self._each(values)

    def _each(self, values: Any) -> Iterator[Any]:
        if issubclass(type(values), Iterator):
            values = self._items_once(values)
        for value in values:
            self.progress.count(self.max_parts)
            yield value

    def _items_once(self, values: Iterator[Any]) -> list[Any]:
        """The items of an iterator, which every member of a union may ask for."""
        known = self._items.get(id(values))
        if known is None:
            known = self._items[id(values)] = values, list(islice(values, self.max_parts + 1))
        return known[1]


def _number_of(value: Any) -> float | None:
    """A ``Decimal`` as a JSON number, as far as a ``float`` holds it."""
    if not is_any(loaded("decimal.Decimal"), mro(type(value))) or not value.is_finite():
        return None
    number = float(value)
    return number if abs(number) < INFINITY else None


def native(value: Any) -> Any:
    """The value of Python's own that an object of a library stands for; any other value itself."""
    numpy = libraries.library("numpy")
    return value if numpy is None else numpy.item_of(value)


_COUNTED = frozenset({list, tuple, type({}.items())})
"""Classes whose objects have all of their items."""


class TooManyPartsError(Exception):
    """Raised for a value with more items than the limit."""


def encoder_of(value: Any, encoders: Mapping[Any, Any]) -> Callable[[Any], Any] | None:
    """The encoder for the class of a value, or for the nearest base class, or ``None``."""
    return next((encoders[base] for base in mro(type(value))[:-1] if base in encoders), None)


def encode(value: Any, encoder: Callable[[Any], Any], annotation: Any) -> Any:
    """The value that an encoder, which is user code, returns instead of a value."""
    try:
        return encoder(value)
    except Exception as problem:
        return refuse_raised("its encoder", problem, annotation)
