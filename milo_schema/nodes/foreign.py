"""Nodes of what only pydantic knows: models, and annotations with its hooks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import MISSING, attributes, class_name, is_class, mro, static
from milo_schema.annotations.forms import (
    display,
    is_marker,
    is_typed_dict,
    metadata_of,
    split,
    with_metadata,
)
from milo_schema.annotations.resolution import without_none
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import Field, is_model
from milo_schema.errors import Problem
from milo_schema.json_schema.sentences import LABELS, either
from milo_schema.json_schema.subschemas import escape, resolve_reference, step_of
from milo_schema.json_schema.validation import is_valid
from milo_schema.libraries import library
from milo_schema.nodes import Definitions, Reader
from milo_schema.nodes.annotated import (
    Annotated,
    Guard,
    add_constraints,
    keywords_of,
    kinds_of,
    misfits,
    types_of,
)
from milo_schema.nodes.base import (
    MAX_PROBLEMS,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    Wrapper,
    construct,
    refuse_raised,
    refuse_value,
)
from milo_schema.nodes.choices import Choice
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.custom import Custom, Decoder, Site, TypeWithDecoder, Walk
from milo_schema.nodes.fields import Argument, Shape, null_is_absent
from milo_schema.nodes.metadata import Metadata, MetadataReader


class Model(Node):
    """A type that pydantic describes, validates and writes, because only it knows all its checks.

    Attributes:
        reader: The reader of the annotation.
        scope: Where names in it are looked up.
        place: The place of its first use.
    """

    __slots__ = ("_loader", "annotation", "place", "reader", "scope")

    def __init__(self, reader: Reader, annotation: Any, scope: Scope, place: Place) -> None:
        self.annotation: Any = annotation
        self.reader: Reader = reader
        self.scope: Scope = scope
        self.place: Place = place
        self._loader: ModelLoader | None = None
        reader.session.is_simple = False

    @classmethod
    def read(cls, reader: Reader, tp: Any, scope: Scope, place: Place) -> Node:
        """A class that pydantic has to describe, unless no JSON stands for its instances."""
        why: Exception | None = library("pydantic").why_no_json(tp, Site(reader, scope, place))
        if why is not None:
            return reader.unsupported(tp, str(why), place, why.__cause__)
        return cls(reader, tp, scope, place)

    def walk(self, out: Definitions) -> Walk:
        """The view of the schema that pydantic's becomes a part of."""
        return Walk(self.reader, out, self.scope, self.place)

    @property
    def site(self) -> Site:
        """Where it stands, for what needs no schema."""
        return Site(self.reader, self.scope, self.place)

    @property
    def cls(self) -> Any:
        """The class."""
        return split(self.annotation)[0]

    @property
    def is_object(self) -> bool:  # type: ignore[override]
        """Whether it is a model."""
        return is_model(self.cls)

    @property
    def short_name(self) -> str:  # type: ignore[override]
        """Its name as the root of a schema."""
        return class_name(self.cls) if is_class(self.cls) else ""

    def schema(self, out: Definitions) -> Json:
        """The schema that pydantic makes."""
        found: Json = library("pydantic").schema_of(self.annotation, self.walk(out), out.define)
        return found

    @property
    def loader(self) -> ModelLoader:
        """The validator, which is made when it is first needed."""
        if self._loader is None:
            self._loader = ModelLoader(self)
        return self._loader

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """Those of the schema."""
        return self.loader.kinds

    @property
    def label(self) -> str:  # type: ignore[override]
        """The types of the schema; a ``RootModel`` may have any."""
        return either(map(LABELS.__getitem__, self.loader.types))

    @property
    def names(self) -> frozenset[str] | None:  # type: ignore[override]
        """The properties in the schema; ``None`` if it has none."""
        found = self.loader.valid
        return frozenset(found["properties"]) if "properties" in found else None

    @property
    def keeps_others(self) -> bool:  # type: ignore[override]
        """Whether the schema allows other properties."""
        return bool(self.loader.valid.get("additionalProperties"))

    @property
    def tags(self) -> Mapping[str, Node]:  # type: ignore[override]
        """The properties with listed values."""
        found = self.loader.valid
        listed = {
            name: each.get("enum", [each["const"]] if "const" in each else None)
            for name, each in found.get("properties", {}).items()
            if type(each) is dict
        }
        return {name: Choice(Any, each, each) for name, each in listed.items() if each is not None}

    def load(self, json: Any, run: Loading) -> Any:
        """The value that pydantic makes."""
        return self.loader.load(json, run)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON that pydantic writes."""
        if is_model(self.cls) and not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        return dump_by_pydantic(value, self.annotation, self.site)


def dump_by_pydantic(value: Any, annotation: Any, site: Site) -> Any:
    """The JSON that pydantic writes for a value of one of its types."""
    json, reason, cause = library("pydantic").to_json(value, annotation, site)
    if not reason:
        return json
    if cause is None:
        return refuse_value(reason, annotation)
    return refuse_raised("pydantic", cause, annotation, reason)


class ModelLoader(Node):
    """Loads a value by pydantic's validator, if its JSON is valid for the schema.

    pydantic is not made strict, because the schema has judged already: strictly, it would refuse
    the text of a date that a validator has seen before. What the author made strict stays strict.
    """

    __slots__ = ("_null_is_absent", "_validate", "kinds", "valid")

    def __init__(self, model: Model, *, is_ours: bool = False) -> None:
        self.valid: Json = model.reader.exact_schema(model)
        self._validate: Any = library("pydantic").validator_of(
            model.annotation, model.site, is_ours=is_ours
        )
        self._null_is_absent: bool = null_is_absent(model.reader.profile)
        self.kinds: frozenset[type] = kinds_of(self.valid)

    @property
    def types(self) -> list[str]:
        """Those of the schema."""
        return types_of(self.valid)

    def load(self, json: Any, run: Loading) -> Any:
        """The value."""
        if type(copy := ANYTHING.load(json, run)) is Refusal:
            return copy
        if self._null_is_absent:
            copy = without_absent(copy, self.valid, self.valid)
        if (refused := misfits(copy, self.valid, formats=True)) is not None:
            return refused  # also what pydantic accepts beyond it, such as [1, 1] for a set
        found = construct(copy, self._validate, copy)
        if type(found) is tuple and found[1] and repr(whole := with_integers(copy)) != repr(copy):
            found = construct(copy, self._validate, whole)  # 1.0 is an integer for a schema only
        if type(found) is Refusal:
            return found
        value, errors = found
        if errors is None:
            return value
        return Refusal(*(_problem(copy, *error) for error in errors[:MAX_PROBLEMS]))


def with_integers(json: Any) -> Any:
    """JSON in which each float that is an integer is an ``int``."""
    if type(json) is dict:
        return {name: with_integers(each) for name, each in json.items()}
    if type(json) is list:
        return [with_integers(each) for each in json]
    return int(json) if type(json) is float and json.is_integer() else json


def _problem(json: Any, location: Arguments, why: str, cause: BaseException | None) -> Problem:
    """A problem that only pydantic found; its locations include the names of members of unions."""
    steps = []
    for key in location:
        is_item = type(json) is list and type(key) is int and key < len(json)
        if is_item or (type(json) is dict and key in json):
            steps.append(step_of(key))
            json = json[key]
    problem = Problem(escape(why), code="invalid", value=json, cause=cause)
    for step in reversed(steps):
        problem = problem.under(step)
    return problem


def without_absent(json: Any, schema: Any, root: Any) -> Any:
    """JSON without the nulls that mean a missing property, according to a schema."""
    schema = resolve_reference(schema["$ref"], root) if "$ref" in schema else schema
    for branch in schema.get("anyOf", ()):
        found = without_absent(json, branch, root)
        if is_valid(found, branch, root):
            return found
    if type(json) is list:
        items = schema.get("items", {})
        return [without_absent(item, items, root) for item in json]
    if type(json) is not dict:
        return json
    properties, required = schema.get("properties", {}), schema.get("required", ())
    return {
        name: without_absent(item, properties.get(name, {}), root)
        for name, item in json.items()
        if item is not None or name in required or is_valid(None, properties.get(name, {}), root)
    }


# -- hooks in metadata -------------------------------------------------------------------------


class PydanticHooks(Model):
    """``Annotated[T, ...]`` with hooks for pydantic in the metadata.

    Attributes:
        hooks: The hooks.
        every: The facts in the metadata.
        ours: The same with only the constraints of our own markers.
    """

    __slots__ = ("_answer", "_inner", "every", "hooks", "ours")
    every: Metadata
    ours: Metadata

    def __init__(
        self, reader: Reader, annotation: Any, scope: Scope, place: Place, hooks: list[Any]
    ) -> None:
        super().__init__(reader, annotation, scope, place)
        self.hooks: list[Any] = hooks
        self._inner: Node | None = None
        self._answer: Any = MISSING

    def schema(self, out: Definitions) -> Json:
        """The schema of T as the hooks change it, with the facts."""
        fragment, is_known = library("pydantic").schema_with_hooks(
            self.annotation, self.hooks, self.answer, self.walk(out), out.define
        )
        facts = self.every if is_known else self.ours  # ours are about a value with other JSON
        return add_constraints(fragment, facts, self, out) | keywords_of(facts, self, out)

    @property
    def accepts_null(self) -> bool:  # type: ignore[override]
        """Whether T is a union with ``None``."""
        return without_none(self.annotation, self.scope) is not self.annotation

    def without_null(self) -> Node:
        """The same for T without ``None``."""
        bare = without_none(self.annotation, self.scope)
        found = PydanticHooks(self.reader, bare, self.scope, self.place, self.hooks)
        found.every, found.ours = self.every, self.ours
        return found

    @property
    def inner(self) -> Node:
        """The node of the same annotation without the hooks; hooked JSON is read by pydantic."""
        if self._inner is None:
            self._inner = _without_hooks(self, self.reader.fork())
        return self._inner

    @property
    def answer(self) -> Any:
        """The answer of pydantic about the hooks."""
        if self._answer is MISSING:
            self._answer = library("pydantic").ask_about_hooks(self.hooks, self.site)
        return self._answer

    @property
    def respells(self) -> bool:
        """Whether the hooks change the JSON of the values."""
        return not library("pydantic").keeps_json(self.answer)

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """Those of the schema, or of T."""
        return super().kinds if self.respells else self.inner.kinds

    def load(self, json: Any, run: Loading) -> Any:
        """The value that pydantic makes; that of T, if its JSON is that of T."""
        if not self.respells:
            return self.inner.load(json, run)
        return Guard(self.reader.exact_schema(self), self.loader).load(json, run)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON that pydantic writes; that of T, if the hooks do not change it."""
        if not self.respells:
            return self.inner.dump(value, run)
        return dump_by_pydantic(value, self.annotation, self.site)


def read_hooked(tp: Any, metadata: MetadataReader) -> PydanticHooks:
    """``Annotated[T, ...]`` with hooks for pydantic."""
    reader, scope, place = metadata.reader, metadata.scope, metadata.place
    found = PydanticHooks(reader, tp, scope, place, metadata.hooks)
    found.every = metadata.facts(tp)
    ours = MetadataReader(reader.fork(), scope, place)
    ours.read([piece for piece in metadata_of(tp) if is_marker(piece)])
    found.ours = ours.facts(tp)
    found.ours.keywords = found.every.keywords
    return found


def _without_hooks(node: PydanticHooks, reader: Reader) -> Node:
    """The node of the same annotation without the hooks for pydantic in the metadata."""
    tp = node.annotation
    metadata = MetadataReader(reader, node.scope, node.place)
    metadata.read(metadata_of(tp))
    inner = reader.read(split(tp)[1][0], node.scope, node.place)
    return Annotated(tp, inner, metadata.facts(tp), reader.session, node.place)


# -- checks in metadata ------------------------------------------------------------------------


class PydanticValidator(Wrapper):
    """``Annotated[T, ...]`` whose values pydantic makes, because the metadata check or change them.

    Attributes:
        inner: The node of the annotation without these checks; its JSON must be valid there, too.
        model: The same annotation for pydantic.
    """

    __slots__ = ("_loader", "inner", "model")

    def __init__(self, inner: Node, model: Model) -> None:
        self.inner: Node = inner
        self.model: Model = model
        self._loader: ModelLoader | None = None

    def load(self, json: Any, run: Loading) -> Any:
        """The value that pydantic makes."""
        value = self.inner.load(json, run)
        if type(value) is Refusal:
            return value
        if self._loader is None:
            self._loader = ModelLoader(self.model, is_ours=True)
        return self._loader.load(json, run)

    def without_null(self) -> Node:
        """The same for T without ``None``."""
        bare, model = self.inner.without_null(), self.model
        annotation = _without_ours(bare.annotation)
        return PydanticValidator(bare, Model(model.reader, annotation, model.scope, model.place))


def read_checked(node: Node, metadata: MetadataReader) -> Node:
    """``Annotated[T, ...]`` whose values pydantic makes, if it can."""
    reader, scope, place = metadata.reader, metadata.scope, metadata.place
    if (
        reader.session.output
        or not metadata.has_checks
        or (type(node) is PydanticHooks and node.respells)
    ):
        return node
    model = Model(reader, _without_ours(node.annotation), scope, place)
    if why := library("pydantic").problem_of_validator(model.annotation, model.site):
        reason = f"pydantic cannot run the checks of {display(node.annotation)}: {why}"
        reader.report(f"{reason}; move them into the function", place, node.annotation)
        return node
    return PydanticValidator(node, model)


def _without_ours(tp: Any) -> Any:
    """``Annotated[T, ...]`` without our markers: pydantic applies a bound to all of a union."""
    others = tuple(piece for piece in metadata_of(tp) if not is_marker(piece))
    return with_metadata(split(tp)[1][0], others)


# -- user code -------------------------------------------------------------------------------------
#
# Whether loading JSON runs code of users: constructors, decoders, models and validators.
#
# Nodes keep their parts as attributes, so all of them are found without a method in each class.


_OF_USERS = (PydanticValidator, Custom, TypeWithDecoder, Decoder, Model, ModelLoader)

_OF_OTHERS = (Choice, Wrapper)
"""Nodes that run no code of their class: members are looked up, and other nodes load the rest."""


def runs_user_code(parts: Iterable[Any]) -> bool:
    """Whether any of these nodes and fields, or of those inside, runs code of users."""
    seen: dict[int, Any] = {}
    waiting = [*parts]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen[id(each)] = each
        if _is_of_users(each):
            return True
        waiting += _inside(each)
    return False


def _is_of_users(part: Any) -> bool:
    if isinstance(part, (Argument, Field)):
        return part.make is not None  # a factory
    if isinstance(part, _OF_USERS) or (isinstance(part, Annotated) and part.runs_user_code):
        return True
    if not isinstance(part, Node) or isinstance(part, _OF_OTHERS):
        return False
    cls = part.cls
    if not is_class(cls) or is_typed_dict(cls):
        return False
    return cls.__module__.partition(".")[0] not in sys.stdlib_module_names


def _inside(part: Any) -> Iterator[Any]:
    """The nodes and fields among the attributes of one."""
    if isinstance(part, Shape):
        yield from (*part.fields, *part.nodes)
        return
    names = {*attributes(part), *(name for cls in mro(type(part)) for name in _slots(cls))}
    for name in names:
        value: Any = getattr(part, name, None)
        values: Any = value if type(value) in (list, tuple) else [value]
        for each in values:
            if isinstance(each, (Node, Field, Shape)):
                yield each


def _slots(cls: type) -> Iterable[str]:
    found: Any = static(cls, "__slots__")
    return found if type(found) is tuple else ()
