"""The value that a function returns, yields, or produces when awaited, and its schema."""

from __future__ import annotations

import collections
from collections import abc
from collections.abc import Callable
from typing import Any

from milo_schema.annotations import generics
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Classes,
    Unresolved,
    UnresolvedError,
    body,
    class_name,
    is_any,
    is_class,
    loaded,
    mro,
    repr_of_error,
)
from milo_schema.annotations.evaluation import is_reference, text_of, try_evaluate
from milo_schema.annotations.forms import (
    UNION,
    is_form,
    is_generic_class,
    key_of,
    split,
    unpacked,
    with_metadata,
)
from milo_schema.annotations.resolution import (
    MAX_STEPS,
    Resolved,
    resolve,
    steps,
    try_resolve,
    union_members,
)
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import RESULT, Problem
from milo_schema.nodes import Reader, Reading
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.fields import describe_field
from milo_schema.nodes.scalars import NULL, PLAIN
from milo_schema.nodes.session import Session
from milo_schema.profile import Profile, box_parts
from milo_schema.schemas.finishing import Root, standalone

BOX = "result"
"""The property of a boxed output that contains the value."""

_WHOLE_RESULTS = Classes({"mcp.types.CallToolResult", "mcp_types.CallToolResult"})
"""The classes of a complete result: the MCP SDK reads ``Annotated[CallToolResult, T]`` as one with
structured content of type ``T``."""


class Result:
    """The value that a caller of a function gets.

    Attributes:
        annotation: Its annotation.
        reader: The reader of it.
        place: The place of it.
        node: The meaning of it.
    """

    __slots__ = ("annotation", "node", "place", "reader")

    def __init__(
        self, reading: Reading, annotation: Any, scope: Scope, problems: list[Problem]
    ) -> None:
        root = reading.signature.name + RESULT
        self.annotation: Any = annotation
        self.place: Place = (None, root)
        session = Session(
            reading.profile.for_outputs,
            scope,
            root,
            strict=reading.is_thorough,
            output=True,
            problems=problems,
        )
        if reading.shared is not None:
            session.tools = reading.shared
            session.share(reading.shared)
        self.reader: Reader = session.reader()
        self.node: Node = self.reader.read(annotation, scope, self.place)
        if self.reader.session.named:
            self.reader.complete()

    def write(self, text: str, out: Definitions) -> Root:
        """The schema with a description, and in a box if necessary."""
        fragment = self.node.schema(out)
        box = self.reader.profile.box
        is_boxed = box is not None and (
            set(out.types_of(fragment)) != {"object"} or self.one_agrees(box_parts(box)[1], "box")
        )
        if text:
            describe_field(fragment, text, self.node, out)
        if not is_boxed:
            return fragment, self.node, False
        marks = self.reader.profile_keywords("box", self.place, box_parts(box)[0])
        fragment = {"type": "object", "properties": {BOX: fragment}, "required": [BOX], **marks}
        return fragment, None, True

    def one_agrees(self, predicates: tuple[Any, ...], name: str) -> bool:
        """Whether one of the profile's functions, which are user code, returns true."""
        for predicate in predicates:
            try:
                if predicate(self.annotation, standalone(self.node.schema, self.reader.session)):
                    return True
            except USER_CODE_ERRORS as problem:
                reason = f"{predicate!r} of {name} raised {repr_of_error(problem)}"
                self.reader.refuse(reason, self.place, self.annotation, problem, code="user-code")
        return False


def read_result(reading: Reading) -> Result:
    """The value that a caller of a function gets, whether it has a schema or not."""
    annotation, scope = result_annotation(reading)
    return Result(reading, Any if annotation is MISSING else annotation, scope, [])


def described_result(reading: Reading, problems: list[Problem]) -> Result | None:
    """The value that a caller of a function gets, if it has a schema."""
    profile = reading.profile.for_outputs
    if not profile.outputs:
        return None
    tp, scope = result_annotation(reading)
    if tp is MISSING or (PLAIN.get(id(tp)) is NULL and profile.null_outputs != "schema"):
        return None
    is_plain = id(tp) in PLAIN or _is_of_plain_types(tp, profile)  # as most are
    if not is_plain:
        if (described := _described(tp, scope, profile)) is None:
            return None
        tp, scope = described
        if is_context_manager(tp):
            reason = "a context manager has no JSON Schema; return the value that it yields"
            path = reading.signature.name + RESULT
            problems.append(Problem(reason, path, code="unsupported-type", annotation=tp))
            return None
    result = Result(reading, tp, scope, problems)
    is_null = not is_plain and {*map(id, result.node.members())} == {id(NULL)}
    is_nothing = is_null and profile.null_outputs != "schema"
    opaque = profile.class_sets["opaque_outputs"]
    is_opaque = is_nothing or result.one_agrees(opaque.functions, "opaque_outputs")
    return None if is_opaque else result


def returns_nothing(reading: Reading) -> bool:
    """Whether a function says that it returns nothing, so that it has no output schema."""
    annotation, scope = result_annotation(reading)
    return _is_nothing(_resolved_so_far(annotation, scope).head, reading.profile.for_outputs)


# -- the value that a caller gets --------------------------------------------------------------


def result_annotation(reading: Reading) -> tuple[Any, Scope]:
    """The annotation of the value that a caller gets (yielded or awaited), and its scope."""
    annotation, scope = reading.returns, reading.signature.scope
    if annotation is MISSING or id(annotation) in PLAIN:
        return annotation, scope
    annotation = try_evaluate(annotation, scope)
    if id(annotation) in PLAIN or id(split(annotation)[0]) in _DATA:  # as most are
        return annotation, scope
    func = reading.signature.func
    is_generator = func is not None and bool(func.__code__.co_flags & _GENERATOR)
    iterators = _YIELDED if is_generator else _STREAMED
    return _result_annotation(annotation, scope, iterators, reading.profile.for_outputs.generators)


_DATA = frozenset(map(id, (list, dict, tuple, set, frozenset, UNION)))
"""The ids of annotation heads with values that a caller gets unchanged."""


def _result_annotation(
    tp: Any,
    scope: Scope,
    iterators: tuple[Any, ...],
    generators: str,
    awaited: tuple[Any, ...] = (),
) -> tuple[Any, Scope]:
    """The annotation of a result.

    Args:
        tp: The annotation that the function has.
        scope: The scope of the names in it.
        iterators: The classes that count as generators.
        generators: What a generator outputs; see ``Profile``.
        awaited: The annotations around it that are awaited; what is awaited may be one of them.
    """
    if tp is MISSING or id(tp) in PLAIN or (found := try_resolve(tp, scope)) is None:
        return tp, scope
    if key_of(found.annotation) in map(key_of, awaited):
        return tp, scope
    if (args := _arguments_of(found, _is_awaited)) is not None:
        inner, scope = _result_annotation(
            (args or _ANY)[-1], found.scope, iterators, generators, (*awaited, found.annotation)
        )
    elif (args := _arguments_of(found, lambda cls: is_any(cls, iterators))) is not None:
        inner, scope = _of_generator((args or _ANY)[0], generators), found.scope
    else:
        return (found.head if is_context_manager(found.head) else tp), scope
    is_more = found.metadata and inner is not MISSING
    return with_metadata(inner, found.metadata) if is_more else inner, scope


def _of_generator(item: Any, generators: str) -> Any:
    """The annotation of the output of a generator, given the annotation of its items."""
    if generators == "nothing":
        return MISSING
    return item if generators == "item" else abc.Iterable[item]


def _arguments_of(found: Resolved, is_wanted: Callable[[type], bool]) -> tuple[Any, ...] | None:
    """The type arguments for a wanted base class of an annotation; ``None`` if it has none."""
    cls, args, names = found.head, found.args, found.scope.fallback
    for base in mro(cls)[:-1] if is_class(cls) else ():
        if is_wanted(base):
            try:
                return args if base is cls else generics.base_arguments(cls, args, base, names)
            except UnresolvedError:  # reported when the schema is derived
                return None
    return None


_ANY = (object,)
_GENERATOR = 0x20 | 0x200  # inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_STREAMED = (abc.AsyncGenerator, abc.AsyncIterator, abc.AsyncIterable)
_YIELDED = (*_STREAMED, abc.Generator, abc.Iterator, abc.Iterable)
"""Iterators count as generators in a generator function only; elsewhere they are values."""


def _is_awaited(cls: type) -> bool:
    """Whether instances of a class must be awaited."""
    if is_any(cls, (abc.Awaitable, abc.Coroutine)):
        return True
    return class_name(cls) in ("Task", "Future") and is_any(cls, map(loaded, _FUTURES))


_FUTURES = ("asyncio.Task", "asyncio.Future", "concurrent.futures.Future")


def is_context_manager(tp: Any) -> bool:
    """Whether an annotation is the abstract class of context managers, a class of ABCMeta."""
    names = "contextlib.AbstractContextManager", "contextlib.AbstractAsyncContextManager"
    return type(tp) is not type and is_any(tp, map(loaded, names))


# -- outputs without a schema ------------------------------------------------------------------


def _described(tp: Any, scope: Scope, profile: Profile) -> tuple[Any, Scope] | None:
    """The annotation of data: this one or, in a complete result, that of its structured content."""
    if is_data(tp, scope, profile):
        return tp, scope
    for each in _members(tp, scope):
        if each.metadata and _is_one_of(_WHOLE_RESULTS, each):
            content = each.metadata[0]
            if content is None or is_class(split(content)[0]):
                return _described(content, each.scope, profile)
    return None


def is_data(tp: Any, scope: Scope, profile: Profile) -> bool:
    """Whether an output is data: not nothing, content of MCP, or a signal to the client."""
    members = _members(tp, scope)
    # The one member is not always the whole: `type A = A | None` refers to itself, and is an error.
    if len(members) == 1 and _is_nothing(_resolved_so_far(tp, scope).head, profile):
        return False
    if all(_is_one_of(profile.class_sets["output_signals"], each) for each in members):
        return False
    return not _has_content(members, profile.class_sets["opaque_outputs"])


def _is_of_plain_types(tp: Any, profile: Profile) -> bool:
    """Whether an output is a container or a union of plain types: ``list[str]``, ``str | None``."""
    head, args = split(tp)
    if not args or not PLAIN.keys() >= {*map(id, args)}:
        return False
    if is_generic_class(tp):
        return True
    signals, opaque = profile.class_sets["output_signals"], profile.class_sets["opaque_outputs"]
    return head is UNION and bool(signals.unaffected and opaque.unaffected)


def _members(tp: Any, scope: Scope) -> list[Resolved]:
    """The members of a union, each resolved as far as its names can be evaluated."""
    try:
        members = union_members(tp, scope)
        return [resolve(member, inner) for member, inner in members]
    except UnresolvedError:  # reported when the schema is derived
        found = _resolved_so_far(tp, scope)
        if found.head is UNION:
            return [each for arg in found.args for each in _members(arg, found.scope)]
        return [found]


def _resolved_so_far(tp: Any, scope: Scope) -> Resolved:
    """An annotation without the wrappers around it, as far as they can be evaluated."""
    try:
        for each, inner in steps(tp, scope):
            tp, scope = each, inner
    except UnresolvedError:
        pass
    return Resolved(tp, (), scope)


def _is_nothing(head: Any, profile: Profile) -> bool:
    """Whether a function is annotated to return nothing."""
    if head is None or head is type(None):
        return profile.null_outputs != "schema"
    return is_form(head, "NoReturn") or is_form(head, "Never")


def _is_one_of(classes: Classes, found: Resolved) -> bool:
    """Whether an annotation is one of the classes; if it cannot be evaluated, by its name."""
    head = found.head
    if is_class(head):
        return classes.match(head)
    text = head.text if type(head) is Unresolved else text_of(head) if is_reference(head) else ""
    return text.rpartition(".")[2] in classes.last_names


def _has_content(members: list[Resolved], classes: Classes) -> bool:
    """Whether a value, or an item in it, may be content; in a mapping, it is data with a name."""
    todo = list(members)
    seen: list[Any] = []
    while todo and len(seen) < MAX_STEPS:
        found = todo.pop()
        if _is_one_of(classes, found):
            return True
        if is_any(found.annotation, seen):  # it contains itself
            continue
        seen.append(found.annotation)
        for item in _items(found):
            todo += _members(item, found.scope)
    return False


def _items(found: Resolved) -> tuple[Any, ...]:
    """The annotations of the items of a container."""
    if (inside := unpacked(found.annotation)) is not MISSING:
        return (inside,)
    return _arguments_of(found, _is_container) or ()


def _is_container(cls: type) -> bool:
    """Whether the type arguments of a class are the annotations of its items, in their order."""
    if is_any(cls, (list, tuple, collections.deque, collections.UserList)):
        return True
    module = body(cls).get("__module__")
    return module == "collections.abc" and not is_any(cls, _UNORDERED)


_UNORDERED = (abc.Callable, abc.Mapping, abc.MutableMapping, abc.Set, abc.MutableSet)
"""Abstract classes whose type arguments do not describe items in an order."""
