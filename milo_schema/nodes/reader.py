"""Read annotations into nodes: the only code that asks what an annotation means.

To find the code for a type, search ``table``, which leads to the class of its node. What an
annotation stands for, once names and wrappers are taken off, is decided in ``annotations``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

from milo_schema.annotations import Arguments, Json, generics
from milo_schema.annotations.classes import (
    Unresolved,
    UnresolvedError,
    is_abstract,
    is_any,
    is_class,
)
from milo_schema.annotations.forms import UNION, display, key_of, split
from milo_schema.annotations.resolution import steps, try_resolve
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.callables.signatures import Field
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema.subschemas import checked
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.nodes import MetadataReader, Profile, Session, SharedTypes
from milo_schema.nodes.annotated import Annotated
from milo_schema.nodes.base import (
    MAX_LEVELS,
    MAX_SUBSCHEMAS,
    Abstract,
    Node,
    Place,
    Reports,
    path_of,
)
from milo_schema.nodes.definitions import Definitions, Named, refuse_cycle
from milo_schema.nodes.records import read_class
from milo_schema.nodes.table import BY_IDENTITY, find_rule, read_custom
from milo_schema.nodes.unions import Union

MAX_FORMS = 1_000
"""The most specializations of one generic record or alias."""


# -- how reading works ---------------------------------------------------------------------------
#
# An annotation is a tree. Reading walks it once, from the outside in, and returns a node for each
# part. Each step is the same: ``split()`` gives the head and the arguments; the tables give the
# rule for the head (the profile's types first, then the exact head, its family, its base classes,
# and never ``object``); the rule reads the arguments with the reader that it gets, and returns a
# node that holds theirs. Four things make this more than a recursion.
#
# Names. A record, an alias or an Enum is read once, and every use of it is the same ``Named``. That
# is what ends recursion. The body of an alias or an Enum is read at once, because a union needs its
# members; meanwhile, a rule that meets the name gets the ``Named``, which has no body yet. The body
# of a record is put into a queue, and ``complete()`` reads it when everything else is read, so that
# a chain of a thousand records is not a thousand calls deep.
#
# State. A reader knows which named types it has met, how deep it is, and which decoders apply. That
# is true of one body, so each body has a reader of its own, and nothing is saved and restored but
# the depth, under ``finally``. Whatever has to be counted across bodies is in the ``Session`` that
# they share; a node that asks for a schema later keeps that.
#
# Problems. A part that cannot be described does not end the reading. Its node is a placeholder that
# says why: ``problem`` if it has no schema, ``undecodable`` if its JSON cannot be read. The reader
# collects the problems. Only a union decides about those of others, because it can do without a
# member: it reads its members with a list of its own, and passes on what matters.
#
# Hidden parameters. They are not read at all: ``schemas.special`` decides about them first.
#
# What may never happen:
# - An annotation is hashed or compared: both may be user code. Keys are ``id()`` or ``key_of()``.
# - A rule asks a ``Named`` that is not read for anything but its name.
# - The result depends on which use of a type is read first.
#
# What could be better: an annotation with parts is split twice, once to decide about injection.


class Reader(Reports):
    """Reads the annotations of one function, or one annotation.

    Attributes:
        session: The state that it shares with the readers of bodies and members.
        profile: How schemas are written.
        decoders: The functions that read the JSON of users' types.
        targets: The named types in what is being read: the root, or the body of a named type.
        problems: The problems of it: those of the session, or of the members of a union.
    """

    __slots__ = ("_depth", "decoders", "problems", "profile", "session", "targets")

    def __init__(self, session: Session) -> None:
        self.session: Session = session
        self.profile: Profile = session.profile
        self.decoders: Mapping[Any, Any] = session.decoders
        self.problems: list[Problem] = session.problems
        self.targets: list[Named] = session.targets
        self._depth: int = 0

    # -- other readers -------------------------------------------------------------------------

    def _like(self, depth: int, problems: list[Problem], targets: list[Named]) -> Reader:
        """The same reader, to change some of its attributes; the values of the others are shared.

        It is written out because every record needs one: ``copy.copy()`` takes ten times as long.
        """
        found = object.__new__(Reader)
        found.session, found.profile, found.decoders = self.session, self.profile, self.decoders
        found.problems, found.targets, found._depth = problems, targets, depth
        return found

    def for_members(self) -> Reader:
        """A reader of the members of a union, which decides about their problems."""
        return self._like(self._depth, [], self.targets)

    def without_decoder(self, head: Any) -> Reader:
        """A reader that reads a class as if it had no decoder."""
        found = self._like(self._depth, self.problems, self.targets)
        found.decoders = {key: each for key, each in self.decoders.items() if key is not head}
        return found

    def fork(self, types: Mapping[Any, Any] | None = None) -> Reader:
        """A reader with the same options in a session of its own, which reports nothing."""
        found = self.session.fork(self.decoders)
        if types is not None:
            found.types = types
        return found.reader()

    # -- reading -------------------------------------------------------------------------------

    def read(self, tp: Any, scope: Scope, place: Place) -> Node:
        """Read an annotation."""
        session = self.session
        session.size += 1
        node = session.plain.get(id(tp))
        if node is None:
            head, args = split(tp)
            node = self.read_split(tp, head, args, scope, place)
        return node

    def read_split(self, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place) -> Node:
        """Read an annotation that is not in ``plain``, has been counted, and is split already."""
        depth, session = self._depth, self.session
        if depth >= MAX_LEVELS or session.size > MAX_SUBSCHEMAS:
            self._refuse_size(tp, scope, place)
        self._depth = depth + 1
        try:
            key = id(head)
            rule = read_custom if session.is_extended else BY_IDENTITY.get(key)
            if rule is None:
                known = session.named.get(key) if head is tp else None
                if known is not None and known.problem is None:
                    self.targets.append(known)
                    return known
                rule, args = find_rule(head, args, scope)
            return rule(self, tp, head, args, scope, place)
        except UnresolvedError as problem:
            written = tp.text if type(tp) is Unresolved else tp
            return self.unsupported(written, str(problem), place, problem)
        except RecursionError:  # the caller is deep in the stack itself
            reason = "nested too deeply for the space left on Python's stack"
            return self.refuse(reason, place, tp, code="limit")
        finally:
            self._depth = depth

    def read_unregistered(self, tp: Any, scope: Scope, place: Place) -> Node:
        """Read an annotation by the tables, not by the profile's types; those inside it stay."""
        head, args = split(tp)
        rule = BY_IDENTITY.get(id(head))
        if rule is None:
            rule, args = find_rule(head, args, scope)
        return rule(self, tp, head, args, scope, place)

    def read_annotated_class(self, cls: Any, scope: Scope, place: Place) -> Node | None:
        """Any class with annotations, as if it were a record; ``None`` for anything else."""
        cls = self.close(cls, scope, place)
        if not records.is_annotated(cls):
            return None
        return read_class(self, cls, scope, place, records.read_annotations)

    def has_no_instances(self, cls: type) -> bool:
        """Whether JSON cannot become an instance of a class, because it is abstract."""
        is_read = not self.session.output and is_abstract(cls)
        return is_read and not is_any(cls, self.profile.decoders)

    def if_concrete(self, node: Node, place: Place) -> Node:
        """The node of a class; if that is abstract, which is reported, no JSON is read."""
        if not self.has_no_instances(node.cls):
            return node
        tp = node.annotation
        reason = f"{display(tp)} is abstract, so it has no instances; use a concrete subclass"
        return Abstract(
            node, self.report(reason, place, tp, code="no-decoder", is_strict_only=True)
        )

    # -- named types ---------------------------------------------------------------------------

    def close(self, tp: Any, scope: Scope, place: Place) -> Any:
        """A generic record or alias in its canonical form: with its arguments closed."""
        if issubclass(type(tp), type):
            return tp
        self._check_arguments(tp, place)
        closed = generics.named(tp, scope)
        self._check_arguments(closed, place)
        return closed

    def _check_arguments(self, tp: Any, place: Place) -> None:
        """Refuse arguments that grow forever, as in ``class Node[T]: next: Node[list[T]]``."""
        if not generics.is_small(tp):
            self.refuse(generics.TOO_LARGE, place, tp, code="limit")

    def defer(
        self,
        tp: Any,
        read: Callable[[Reader], Node],
        json_type: str = "",
        *,
        is_custom: bool = False,
    ) -> Node:
        """A named type with a body that is read later, by a reader of its own.

        So a chain of a thousand records is not a thousand calls deep.
        """
        key, session = key_of(tp), self.session
        named = session.named.get(key)
        if named is None and session.shared is not None:
            named = self._adopt(key, session.shared)
        if named is None:
            later = self._like(0, session.problems, [])
            named = Named(tp, partial(_fill, later, read), json_type, is_custom)
            self._add(key, named)
            if session.queue is None:
                session.queue = []
            session.queue.append(named)
        self.targets.append(named)
        return named

    def name(self, tp: Any, read: Callable[[Reader], Node], *, is_alias: bool = False) -> Named:
        """A named type with a body that is read now: an alias, whose members matter at once."""
        key, session = key_of(tp), self.session
        named = session.named.get(key)
        if named is None and session.shared is not None:
            named = self._adopt(key, session.shared)
        if named is None:
            named = Named(tp, is_alias=is_alias)
            self._add(key, named)
            _fill(self._like(self._depth, self.problems, []), read, named)
            if is_alias:
                refuse_cycle(named, _direct)  # such as type A = A | None
        elif named.problem is not None:
            self._report_again(named.problem)
        self.targets.append(named)
        return named

    def _report_again(self, problem: Problem) -> None:
        """Report the problem of a named type, unless it is reported: a union may do without it."""
        known = [(each.path, each.message) for each in self.session.problems]
        if (problem.path, problem.message) not in known and not is_any(problem, self.problems):
            self.problems.append(problem)

    def name_if_known(self, tp: Any, read: Callable[[Reader], Node | None]) -> Named | None:
        """A named type that only the profile may know; it has a name while the profile is asked."""
        key = key_of(tp)
        named = self.session.named.get(key)
        if named is None:
            named = Named(tp, is_custom=True)
            self._add(key, named)
            body = read(self._like(self._depth, self.problems, []))
            if body is None:
                del self.session.named[key]
                return None
            named.fill(body)
        return named

    def _add(self, key: Any, named: Named) -> None:
        """Add a named type, unless there are too many forms of it."""
        self.session.named[key] = named
        tp = named.annotation
        if is_class(tp):
            return
        head, args = split(tp)
        if args:
            forms = self.session.forms = self.session.forms or {}
            forms[id(head)] = forms.get(id(head), 0) + 1
            if forms[id(head)] > MAX_FORMS:
                limit = f"more than {MAX_FORMS:,} specializations of one generic type"
                raise SchemaError(f"{limit}: {generics.ENDLESS}", display(tp), tp, code="limit")

    def _adopt(self, key: Any, shared: SharedTypes) -> Named | None:
        """A class that another function has read, with the classes in it."""
        if not (found := shared.find(key, self.session)):
            return None
        self.session.named.update(found)
        self.session.size += sum(each.size for each in found.values())
        return found[key]

    def complete(self) -> None:
        """Read all bodies, including those that are deferred meanwhile."""
        for named in self.session.queue or ():  # the list grows meanwhile
            _ = named.body
        self.session.queue = None

    # -- parts of rules ------------------------------------------------------------------------

    def read_unknown(
        self, tp: Any, scope: Scope, place: Place, *, is_described: bool = False
    ) -> Node:
        """An annotation without a rule, or one that ``Schema({...})`` describes."""
        from milo_schema.nodes import unknown  # few tools have one

        read = unknown.read_described if is_described else unknown.read_unknown
        return read(self, tp, scope, place)

    def read_foreign(self, tp: Any, node: Node | None, metadata: MetadataReader) -> Node:
        """``Annotated[T, ...]`` with metadata that only pydantic understands or checks."""
        from milo_schema.nodes import foreign  # few tools have one

        return foreign.read_checked(node or foreign.read_hooked(tp, metadata), metadata)

    def has_all(self, field: Field, members: list[Node]) -> bool:
        """Whether these are all members of the annotation of a field, as far as is known."""
        found = try_resolve(field.annotation, field.scope)
        return found is not None and (found.head is not UNION or len(found.args) == len(members))

    # -- what is not supported -----------------------------------------------------------------

    def unsupported(
        self, tp: Any, reason: str, place: Place, cause: BaseException | None = None
    ) -> Node:
        """Report that an annotation has no schema, and return the profile's placeholder."""
        from milo_schema.nodes import unknown  # few tools have one

        return unknown.unsupported(self, tp, reason, place, cause)

    def reject(self, reason: str, place: Place, *, code: str = "other") -> None:
        """Refuse what the profile forbids; a strict reading goes on, to find other problems."""
        if not self.session.strict:
            self.refuse(reason, place, code=code)
        self.problems.append(Problem(reason, path_of(place), code=code, is_error=True))

    def _refuse_size(self, tp: Any, scope: Scope, place: Place) -> NoReturn:
        """Refuse a schema that is too large or too deep."""
        reason = f"more than {MAX_SUBSCHEMAS:,} subschemas"
        if self._depth >= MAX_LEVELS:
            reason = _endless(tp, scope) or f"nested deeper than {MAX_LEVELS} levels"
        self.refuse(reason, place, tp, code="limit")

    # -- for schemas ---------------------------------------------------------------------------

    def profile_keywords(
        self, name: str, place: Place, given: Mapping[str, Any] | None = None
    ) -> Json:
        """The keywords of a field of the profile, such as ``unknown``: a fresh, checked copy."""
        given = getattr(self.profile, name) if given is None else given
        if callable(given):  # it returned None, as for a missing annotation
            return self.profile_keywords("untyped", place)
        reason = f"the profile's {name!r} is not a valid schema"
        try:
            return checked(to_json(dict(given or {})), references=())
        except NotJSONError as problem:
            why = f"it contains {problem}, which cannot be written as JSON"
            return self.refuse(f"{reason}: {why}", place, cause=problem, code="invalid-schema")
        except ValueError as problem:
            return self.refuse(f"{reason}: {problem}", place, cause=problem, code="invalid-schema")

    def exact_schema(self, node: Node) -> Json:
        """The exact schema of an annotation: before any transform, and with null."""
        out = Definitions(self.session, is_exact=True)
        return out.finish(node.schema(out))


def _fill(reader: Reader, read: Callable[[Reader], Node], named: Named) -> Node:
    """Read the body of a named type, by a reader of its own."""
    session = reader.session
    size = session.size
    body = read(reader)
    named.fill(body, reader.targets, session.size - size)
    return body


def _endless(tp: Any, scope: Scope) -> str:
    """The reason why an annotation never ends in a type; empty if it does."""
    try:
        _ = [*steps(tp, scope)]
    except UnresolvedError as problem:
        return str(problem)
    return ""


def _direct(named: Named) -> list[Named]:
    """The named types that describe the same value as a named type, not a part of it."""
    todo: list[Any] = [named.body] if named.is_read else []
    found = []
    while todo:
        node = todo.pop()
        if type(node) is Named:
            found.append(node)
        elif type(node) is Union:
            todo += node.options
        elif type(node) is Annotated:
            todo.append(node.inner)
    return found
