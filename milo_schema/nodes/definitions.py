"""Named types, and how they are written: records, aliases, Enums and all that ``$defs`` may have.

They are the one mechanism for recursion. The reader makes one ``Named`` for each type; every use of
the type is that node, so a type that contains itself is a cycle of nodes, not an endless one.

Most tools use each of their named types once, or only small ones: then each is written where it is
used. Otherwise every use is a reference at first, and ``json_schema.references`` settles all of
them when everything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.forms import (
    ForeignName,
    QuotedName,
    definition_name,
    display,
    key_of,
    qualified_definition_name,
)
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema import TYPES, Ref
from milo_schema.json_schema.references import (
    MAX_INLINE_DEPTH,
    MAX_INLINE_SIZE,
    Import,
    Survey,
    Where,
    merge,
    settle,
)
from milo_schema.json_schema.subschemas import copy, json_types, rebuild, schemas_in, simplify
from milo_schema.nodes import Profile, Session
from milo_schema.nodes.base import Node, Place, Reports, Wrapper
from milo_schema.nodes.containers import Anything


class _OfBody:
    """A method of the body of a named type, which is called directly once it is looked up.

    A tool keeps its types, and most are never called: it would keep two bound methods for each.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name: str = name

    def __get__(self, named: Named, owner: type) -> Any:
        found = getattr(named.body, self._name)
        setattr(named, self._name, found)
        return found


class Named(Ref, Wrapper):
    """A type with a name, and the value of every ``$ref`` to it until references are settled.

    Attributes:
        annotation: The type, in its canonical form.
        json_type: Its JSON type, if that is known without its body, as for a record.
        targets: The named types in its body.
        size: The number of annotations in its body.
        is_alias: Whether it only names another annotation: ``type X = ...``, or a string.
        is_custom: Whether a user describes it.
        is_deferred: Whether its body is read after what refers to it.
    """

    size: int = 0
    targets: Sequence[Named] = ()
    _body: Node | None = None

    def __init__(
        self,
        annotation: Any,
        read: Callable[[Named], Node] | None = None,
        json_type: str = "",
        is_custom: bool = False,
        is_alias: bool = False,
    ) -> None:
        self.annotation = annotation
        self.json_type: str = json_type
        self.is_custom: bool = is_custom
        self.is_alias: bool = is_alias
        self.is_deferred: bool = read is not None
        self._read: Callable[[Named], Node] | None = read

    @property
    def is_quoted(self) -> bool:
        """Whether its name is only the text of an annotation."""
        return type(self.annotation) is QuotedName

    @property
    def body(self) -> Node:
        """The node of the type itself, which is read when it is first asked for."""
        if self._body is None:
            assert self._read is not None  # noqa: S101 - only until it has a body
            return self._read(self)
        return self._body

    @property
    def inner(self) -> Node:  # type: ignore[override]
        """The body."""
        return self.body

    @property
    def is_read(self) -> bool:
        """Whether the body has been read; it may be under way."""
        return self._body is not None

    def fill(self, body: Node, targets: Sequence[Named] = (), size: int = 0) -> None:
        """Set the body, the named types in it, and its size."""
        self._body, self._read, self.size = body, None, size
        if targets:
            self.targets = targets

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Itself, because it may contain itself; see ``undecodable_in()``."""
        return (self,)

    load: Any = _OfBody()
    dump: Any = _OfBody()

    # -- schema --------------------------------------------------------------------------------

    def schema(self, out: Definitions) -> Json:
        """The schema of the type, or a reference to it."""
        return (self._body or self.body).schema(out) if out.is_in_place else {"$ref": self}

    @property
    def describes_class(self) -> bool:  # type: ignore[override]
        """Whether it is a class, or an alias of one."""
        return not self.is_alias or self.body.describes_class

    @property
    def problem(self) -> Problem | None:  # type: ignore[override]
        """That of the body, if it is known."""
        return None if self._body is None else self._body.problem

    @property
    def is_unknown(self) -> bool:  # type: ignore[override]
        """That of the body, if it is known."""
        return self._body is not None and self._body.is_unknown

    @property
    def accepts_null(self) -> bool:  # type: ignore[override]
        """Whether an alias stands for a union with ``None``."""
        return self.is_alias and self._body is not None and self._body.accepts_null

    def without_null(self) -> Node:
        """The union of an alias without ``None``."""
        return self.body.without_null() if self.accepts_null else self

    # -- values --------------------------------------------------------------------------------

    def takes(self, json: Any) -> bool:
        """Whether the body does."""
        return self.body.takes(json)

    def members(self) -> Iterator[Node]:
        """The members of the union that an alias stands for."""
        if self.is_alias:
            yield from self.body.members()
        else:
            yield self

    def with_numbers(self) -> Node:
        """That of the body."""
        return self.body.with_numbers()

    # -- names ---------------------------------------------------------------------------------

    @property
    def short_name(self) -> str:  # type: ignore[override]
        """Its name as a definition, if no other type has the same name."""
        return definition_name(self.annotation)

    @property
    def long_name(self) -> str:
        """Its name as a definition, qualified by its module."""
        return qualified_definition_name(self.annotation)


def undecodable_in(nodes: Iterable[Node], *, is_deferred: bool = True) -> list[Problem]:
    """The reasons why values of nodes, or of their parts, cannot be read from JSON.

    Args:
        nodes: The nodes.
        is_deferred: Whether to look into the types whose bodies are read later, too.
    """
    found: dict[int, Problem] = {}
    seen: set[Named] = set()
    todo = [each for node in nodes for each in node.undecodable]
    for each in todo:  # the list grows meanwhile
        if isinstance(each, Problem):
            found[id(each)] = each
        elif each not in seen and each.is_read and (is_deferred or not each.is_deferred):
            seen.add(each)
            todo += each.body.undecodable
    return [*found.values()]


# -- definitions -------------------------------------------------------------------------------


class Definitions:
    """The schema that nodes are written into: what they ask for, and the bodies of named types.

    Attributes:
        session: The state of the readers of the nodes.
        reports: The reader that collects problems, if the session does not.
        profile: How the schema is written.
        unwrap_none: Whether ``T | None`` of a field is ``T``, as in ``Profile.unwrap_none``.
        is_exact: Whether it is for values, and not for readers: with null, and what is strict.
        is_silent: Whether problems are ignored, because another schema reports them.
        is_in_place: Whether named types are written where they are used.
        surveys: The schemas of the named types that references lead to.
    """

    def __init__(
        self,
        session: Session,
        *,
        is_exact: bool = False,
        is_standalone: bool = False,
        reports: Reports | None = None,
    ) -> None:
        self.session: Session = session
        self.reports: Reports = session if reports is None else reports
        self.profile: Profile = session.profile
        self.unwrap_none: Any = False if is_exact or session.output else self.profile.unwrap_none
        self.is_exact: bool = is_exact
        self.is_silent: bool = is_exact or is_standalone
        self.is_in_place: bool = not self.is_silent and (
            _can_be_in_place(session) if session.named else session.is_simple
        )
        if not self.is_in_place:
            self.surveys: dict[Named, Survey] = {}
            self._written: list[Survey] = []
            self._writing: set[Named] = set()

    @property
    def form(self) -> Any:
        """The options that custom schemas may depend on."""
        return self.unwrap_none, self.is_silent, self.is_exact

    # -- for nodes -----------------------------------------------------------------------------

    def or_true(self, fragment: Json) -> Json | bool:
        """The value of ``additionalProperties``: a schema, or ``true`` if any value is accepted."""
        target = fragment
        while len(target) == 1 and isinstance(named := target.get("$ref"), Named):
            target = self.body_of(named)
            if named not in self.surveys:  # it is being written, so it contains itself
                return fragment
        return fragment if target else True

    def report(
        self,
        reason: str,
        place: Place,
        annotation: Any = None,
        cause: BaseException | None = None,
        code: str = "other",
    ) -> None:
        """Report what the schema cannot express."""
        if not self.is_silent:
            self.reports.report(reason, place, annotation, cause, code=code)

    def types_of(self, fragment: Json) -> list[str]:
        """The JSON types that a schema accepts."""
        return json_types(fragment, self._types_of_reference)

    def _types_of_reference(self, ref: Any) -> list[str]:
        if not isinstance(ref, Named):
            return list(TYPES)
        return [ref.json_type] if ref.json_type else self.types_of(self.body_of(ref))

    def doubt_format(self, keywords: Json) -> Json:
        """Mark a format that not every value of a type has; ``finish()`` removes it from outputs.

        Until then it stays, because a constraint on the length of a string is not for a date.
        """
        session = self.session
        if self.is_exact or not session.output or self.profile.output_formats == "all":
            return keywords
        session.has_doubts = True
        return {**keywords, DOUBTFUL: True}

    # -- references ----------------------------------------------------------------------------

    def body_of(self, named: Named) -> Json:
        """The schema of a named type; empty while it is being written."""
        if named not in self.surveys:
            if named in self._writing:
                return {}
            self._writing.add(named)
            self._add(named, named.body.schema(self))
        return self.surveys[named].schema

    def _add(self, named: Named, body: Json) -> None:
        """Add the schema of a named type."""
        survey = self.surveys[named] = Survey(body)
        self._written.append(survey)
        if "$ref" in body or "anyOf" in body:
            refuse_cycle(named, self._direct)

    def _direct(self, named: Named) -> list[Any]:
        """The named types that describe the same value as one whose schema is known."""
        return _direct(self.surveys[named].schema) if named in self.surveys else []

    def define(self, name: ForeignName, build: Callable[[Where], Json], place: Where) -> Json:
        """A reference to a definition of a finished schema; *build* makes its schema."""
        session, key = self.session, (key_of(name), self.form)
        foreign = session.foreign = session.foreign or {}
        tools = None if STAND_IN in name.content else session.tools
        if key not in foreign and tools is not None:
            foreign |= tools.find_definition(key, session)
        if key not in foreign:
            named = foreign[key] = Named(name)
            self._writing.add(named)
            told = len(self.reports.problems)
            body = build(place)
            named.fill(ForeignDefinition(copy(body)))
            self._add(named, body)
            if tools is not None and len(self.reports.problems) == told:
                tools.add_definition(key, named, session)
        return {"$ref": foreign[key]}

    def import_keywords(self, keywords: Json, place: Place) -> Json:
        """A copy of checked keywords without their ``$defs``, which join those of the whole."""
        keywords = copy(keywords)
        if (definitions := keywords.pop("$defs", None)) is None:
            return keywords
        imported: Import[Place] = Import(definitions, self.define)
        return imported.fragment(keywords, place)

    def expand(self, fragment: Json) -> Json:
        """A schema without references to anything but records, as a copy that may be changed."""
        ref = fragment.get("$ref")
        while isinstance(ref, Named) and not ref.json_type:
            body = self.body_of(ref)
            if ref not in self.surveys:
                return fragment  # being written: what is added stands beside the reference
            self.session.grow(len(schemas_in(body)), ref.annotation)  # checked before the copy
            fragment = merge(copy(body), fragment)
            ref = fragment.get("$ref")
        if "anyOf" not in fragment:
            return fragment
        return {**fragment, "anyOf": [self.expand(branch) for branch in fragment["anyOf"]]}

    def is_described(self, fragment: Json) -> bool:
        """Whether a schema, or the alias that it refers to, has a description."""
        ref = fragment.get("$ref")
        if "description" in fragment or not isinstance(ref, Named):
            return "description" in fragment
        return ref.is_alias and self.is_described(self.body_of(ref))

    # -- the whole -----------------------------------------------------------------------------

    def finish(self, root: Json, *, inline: Any = None) -> Json:
        """*root* as plain JSON, with the ``$defs`` it needs and no other."""
        whole = root if self.is_in_place else self._settled(root, inline)
        return _without_doubtful_formats(whole) if self.session.has_doubts else whole

    def _settled(self, root: Json, inline: Any) -> Json:
        whole, todo = Survey(root), self._written
        todo.append(whole)
        while todo:
            for named in todo.pop().targets:
                if named not in self.surveys:
                    self.body_of(named)  # which adds to those that are written
        if not self.surveys:
            return root
        inline = self.profile.inline if inline is None else inline
        scalars: list[Named] = []
        if not self.session.is_simple:
            scalars += [each for each in self.surveys if each.is_custom and self._is_scalar(each)]
        return settle(whole, self.surveys, inline=inline, scalars=scalars)

    def _is_scalar(self, named: Named) -> bool:
        """Whether the schema of a custom type is as small as that of ``str``: it is inlined."""
        return _HAVE_PARTS.isdisjoint(self.types_of(self.body_of(named)))


STAND_IN = "x-milo-schema-stand-in"
"""The keyword in an answer of pydantic that stands for the schema of an annotated type."""
DOUBTFUL = "x-milo-schema-doubtful-format"
"""The keyword beside a format that not every value of a type has; no finished schema has it."""


def _without_doubtful_formats(schema: Json) -> Json:
    """A schema without the marked formats, and unions without branches that are equal then."""
    schema = rebuild(schema, _without_doubtful_formats)
    if schema.pop(DOUBTFUL, None):
        del schema["format"]
    return simplify(schema) if "anyOf" in schema else schema


def refuse_cycle(start: Named, direct: Callable[[Named], list[Any]]) -> None:
    """Refuse a named type that only leads back to itself, with which a validator would never end.

    Args:
        start: The type.
        direct: Returns the named types that describe the same value as one, not a part of it.
    """
    todo, seen = direct(start), {start}
    while todo:
        each = todo.pop()
        if each is start:
            reason = "refers directly to itself; put a container in between"
            raise SchemaError(reason, display(start.annotation), start.annotation)
        if each not in seen:
            seen.add(each)
            todo += direct(each)


def _direct(fragment: Json) -> list[Any]:
    """The named types that describe the same value as a schema, not a part of it."""
    ref = fragment.get("$ref")
    found = [ref] if isinstance(ref, Named) else []
    for branch in fragment.get("anyOf", ()):
        found += _direct(branch)
    return found


_HAVE_PARTS = frozenset({"array", "object"})


class ForeignDefinition(Anything):
    """A definition in a schema that users or other libraries have made: it stands for JSON only.

    Attributes:
        fragment: Its schema.
    """

    __slots__ = ("fragment",)

    def __init__(self, fragment: Json) -> None:
        self.fragment: Json = fragment

    def schema(self, out: Definitions) -> Json:
        """The schema."""
        fragment: Json = copy(self.fragment)
        return fragment


# -- named types in place ----------------------------------------------------------------------


def _can_be_in_place(session: Session) -> bool:
    """Whether each named type can be written where it is used, without a survey.

    That is so if each is used once, or if all of them together are small even when each is written
    as often as it is used. The profile wants that, none is recursive, and no schema of others,
    which has references of its own, is among them.
    """
    inline = session.profile.inline
    if not (inline and session.is_simple):
        return False
    uses = len(session.targets)
    for named in session.named.values():
        uses += len(named.targets)
    is_each_used_once = uses == len(session.named)  # so that none is recursive either
    if is_each_used_once and uses <= MAX_INLINE_DEPTH:
        return True
    if not is_each_used_once and inline == "auto":
        return False
    size, depth = _measure(session)
    return depth <= MAX_INLINE_DEPTH and (is_each_used_once or size <= MAX_INLINE_SIZE)


def _measure(session: Session) -> tuple[float, float]:
    """The size and the depth of a schema with each named type where it is used.

    It has its own stack, because a chain of named types may be longer than Python's.
    """
    size: dict[Named, int] = {}
    depth: dict[Named, int] = {}
    todo: list[Named] = [*session.targets]
    while todo:
        named = todo.pop()
        if named not in size:
            size[named] = 1 + named.size * _SCHEMAS_PER_ANNOTATION
            todo.append(named)
            for each in named.targets:
                if each in size and each not in depth:  # it contains itself
                    return inf, inf
                todo.append(each)
        elif named not in depth:
            depth[named] = 1 + max(map(depth.__getitem__, named.targets), default=0)
            size[named] += sum(map(size.__getitem__, named.targets))
    own = session.size * _SCHEMAS_PER_ANNOTATION
    whole = own + sum(map(size.__getitem__, session.targets))
    return whole, max(depth.values(), default=0)


_SCHEMAS_PER_ANNOTATION = 2
"""No annotation has more subschemas of its own, such as the union and the null of ``T | None``."""
