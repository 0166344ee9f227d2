"""Values in source code, as JSON: defaults and examples, each written by the node of its type.

JSON itself stays as it is, even if it does not fit: checks of the whole schema report that.
Anything else is written as a result would be, with two differences. A value of another class than
the annotated one is refused, even if its JSON would be valid. And an iterator is never read,
because the function needs its items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import is_sentinel, repr_of_error, with_article
from milo_schema.annotations.forms import display, is_marker
from milo_schema.callables.signatures import Field
from milo_schema.errors import Problem
from milo_schema.json_schema.values import (
    MAX_DEPTH,
    MAX_PARTS,
    NotJSONError,
    exactly_json,
    object_of,
)
from milo_schema.nodes import Definitions, Reader
from milo_schema.nodes.base import (
    Dumping,
    Node,
    Place,
    Progress,
    Refusal,
    Wrapper,
    encoder_of,
    is_not,
    is_plain,
    native,
    no_json,
    refuse,
)
from milo_schema.nodes.containers import ANYTHING, OF_JSON

# -- writing -----------------------------------------------------------------------------------


class Writing(Dumping):
    """The state that all nodes share while one value in source code is written."""

    def __init__(self, reader: Reader) -> None:
        self._reader: Reader = reader
        super().__init__(
            partial(_read_class, reader), lambda _json, _node: False, reader.profile, OF_JSON
        )
        self.is_direct: bool = False  # dump() looks at what members of unions refuse
        self.max_depth: int = MAX_DEPTH
        self.max_parts: int = MAX_PARTS
        self.value_of: Callable[..., Any] = partial(_counted, self.progress, self.value_of)

    def dump(self, value: Any, node: Node) -> Any:
        """The JSON of a value, which each member of a union may refuse for another reason.

        An encoder knows the class of the value, but not that of the parameter: what it writes is a
        default only if the schema accepts it.
        """
        found = super().dump(value, node)
        if type(found) is not Refusal and encoder_of(value, self.encoders) is not None:
            from milo_schema.json_schema.validation import is_valid  # few programs have encoders

            schema = self._reader.exact_schema(node)
            found = found if is_valid(found, schema, schema) else node.dump(value, self)
        progress = self.progress
        if type(found) is Refusal and progress.unsure is None and not found.problems[0].expected:
            progress.unsure = found.problems[0]
        return found

    def as_it_is(self, value: Any, node: Node, otherwise: Refusal | None = None) -> Any:
        """A value that is not of the annotated class, if it is JSON."""
        if not self.is_exact:
            try:
                return exactly_json(native(value))
            except NotJSONError:
                pass
        if issubclass(type(value), Iterator):
            return no_json(value, node.annotation)
        return is_not(value, node.annotation)

    def each(self, values: Any) -> Iterable[Any]:
        """The items of a value that is not an iterator."""
        if issubclass(type(values), Iterator):
            raise NotJSONError(object_of(type(values)))
        return super().each(values)


def _read_class(reader: Reader, cls: Any) -> Node:
    """The node of the class of a value, for which nothing is reported."""
    spare = reader.fork()
    return spare.read(cls, spare.session.scope, (None, spare.session.root))


def _counted(progress: Progress, read: Callable[..., Any], *field: Any) -> Any:
    """The value of a field, up to the limit in total: records may share parts."""
    progress.count(MAX_PARTS)
    return read(*field)


def written(value: Any, node: Node, reader: Reader, *, formats: bool = False) -> Any:
    """The JSON of a value in source code, or a ``Refusal``.

    Its problem has an ``expected`` type if the value is certainly not of it.

    Args:
        value: The value.
        node: The meaning of its annotation.
        reader: The reader of that annotation.
        formats: Whether to refuse text that no schema of its type accepts: a naive datetime.
    """
    try:
        return exactly_json(value)
    except NotJSONError:
        run = Writing(reader)
    json = run.dump_whole(value, node)
    if type(json) is Refusal and run.progress.unsure is not None:
        return Refusal(run.progress.unsure)
    if run.progress.is_formatted or not formats or type(json) is Refusal:
        return json
    reason = f"{display(json)}, is not valid in the format of its type"
    return refuse(reason, json, "wrong-format")


def json_of(value: Any, reader: Reader) -> Any:
    """The JSON of a value without an annotation, by its class.

    Raises:
        NotJSONError: It has none; the message describes the part that has none.
    """
    json = written(value, ANYTHING, reader)
    if type(json) is Refusal:
        raise NotJSONError(part_of(value, json.problems[0]))
    return json


def part_of(value: Any, problem: Problem) -> str:
    """A phrase for the part of a value that cannot be written, which may be the whole."""
    cause = problem.cause
    if isinstance(cause, NotJSONError):
        return str(cause)
    found = object_of(type(value if problem.value is None else problem.value))
    return found if cause is None else f"{found}, which raised {repr_of_error(cause)}"


def phrase_of(value: Any, problem: Problem) -> str:
    """A phrase for a value that cannot be written, with the part that cannot, if it has parts."""
    part = part_of(value, problem)
    is_whole = problem.value is None or problem.value is value
    return part if is_whole else f"{object_of(type(value))} with {part}"


# -- defaults ----------------------------------------------------------------------------------


def add_default(fragment: Json, field: Field, node: Node, place: Place, out: Definitions) -> None:
    """Write the default of a field, if it is JSON; most are plain JSON values."""
    default = field.default
    if (
        default is None
        or (kind := type(default)) is str
        or kind is bool  # which saves most of the calls
        or is_plain(default, ANYTHING.plain)
    ):
        fragment["default"] = default
    elif is_marker(default):
        way_out = "put it into the annotation: Annotated[..., marker]"
        reason = f"its default is the marker {display(default)}; {way_out}"
        out.report(reason, (place, field), field.annotation, code="default-not-json")
    elif not _is_only_sentinel(field.default, node):
        json = written(default, node, out.session.reader(), formats=True)
        if type(json) is Refusal:
            _report(json.problems[0], field, node, (place, field), out)
        else:
            fragment["default"] = json


def _is_only_sentinel(default: object, node: Node) -> bool:
    """Whether a default is the only member of an Enum that is not part of the annotation."""
    return is_sentinel(default) and all(each.cls is not type(default) for each in node.members())


def _report(problem: Problem, field: Field, node: Node, place: Place, out: Definitions) -> None:
    """Report a default without JSON; the field is optional all the same."""
    default, cause = field.default, problem.cause
    if cause is not None and not isinstance(cause, NotJSONError):
        reason = f"its default is {part_of(default, problem)}"
        out.session.refuse(reason, place, cause=cause, code="user-code")
    if problem.expected and not out.is_silent and not _may_be_of_a_member(field, node, out):
        expected = with_article(display(field.annotation))
        reason = f"its default, {phrase_of(default, problem)}, is neither JSON nor {expected}"
        code = "default-not-json"
        out.reports.report(reason, place, field.annotation, code=code, is_strict_only=True)


def _may_be_of_a_member(field: Field, node: Node, out: Definitions) -> bool:
    """Whether a default may be of a member that was left out of a union."""
    options = _options(node)
    if not out.session.reader().has_all(field, options):
        return True
    return any(getattr(each, "unreadable", ()) for each in map(_unwrapped, (node, *options)))


def _options(node: Node) -> list[Node]:
    """The members of a union, or the node itself."""
    node = _unwrapped(node)
    options: list[Node] = getattr(node, "options", [node])
    return options


def _unwrapped(node: Node) -> Node:
    """The node of an annotation without its metadata and aliases."""
    while isinstance(node, Wrapper) and (
        hasattr(node, "facts") or getattr(node, "is_alias", False)
    ):
        node = node.inner
    return node


def why_lost(field: Field, node: Node, reader: Reader) -> str:
    """The reason why no schema can have the default of a field; empty if one can."""
    if is_plain(field.default, ANYTHING.plain) or _is_only_sentinel(field.default, node):
        return ""
    json = written(field.default, node, reader, formats=True)
    if type(json) is not Refusal:
        return ""
    problem = json.problems[0]
    if problem.code == "wrong-format":
        return f"its default, {problem.message}; use None"
    return f"its default, {phrase_of(field.default, problem)}, cannot be written as JSON; use None"
