"""Nodes of annotations without a rule, and the reasons why: what was probably meant."""

from __future__ import annotations

import sys
import types
from collections import abc
from collections.abc import Callable, Sequence
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import UnresolvedError, class_name, is_any, is_class, own
from milo_schema.annotations.forms import display, is_form, is_marker, split
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import Problem
from milo_schema.json_schema.subschemas import copy
from milo_schema.nodes import Reader, Session
from milo_schema.nodes.annotated import Guard
from milo_schema.nodes.base import (
    Dumping,
    Loading,
    Node,
    Place,
    cannot_load,
    is_parameter,
    no_json,
    refuse,
    refuse_value,
)
from milo_schema.nodes.custom import Custom, ProfileType, TypeWithDecoder, schema_in_profile
from milo_schema.nodes.definitions import Definitions, Named
from milo_schema.nodes.fields import dump_fields
from milo_schema.nodes.records import RecordNode
from milo_schema.nodes.scalar_types import UNKNOWN
from milo_schema.nodes.table import has_rule

# -- reading -----------------------------------------------------------------------------------


def read_unknown(reader: Reader, tp: Any, scope: Scope, place: Place) -> Node:
    """An annotation without a rule: only the profile's function may know a schema for it."""
    found = _ask_profile(reader, tp, scope, place)
    if found is not None:
        return found
    reason = why_unsupported(tp, place, output=reader.session.output)
    return unsupported(reader, tp, reason, place, is_known=False)


def read_described(reader: Reader, tp: Any, scope: Scope, place: Place) -> Node:
    """An annotation that ``Schema({...})`` describes; it need not have a rule."""
    (head, _), types = split(tp), reader.session.types
    is_registered = types and schema_in_profile(tp, head, types) is not None
    if is_registered or has_rule(tp, scope):
        return reader.read(tp, scope, place)
    found = _ask_profile(reader, tp, scope, place)
    if found is None:
        found = Placeholder(tp, {}, reader, missing=_cannot_decode(tp, place))
    for key, decode in reader.decoders.items():
        if key is head:
            return TypeWithDecoder(tp, found, decode, reader)
    return found


def _ask_profile(reader: Reader, tp: Any, scope: Scope, place: Place) -> Node | None:
    """The node of what the function in ``Profile.unknown`` returns for an annotation."""
    ask = reader.profile.unknown
    if not callable(ask):
        return None
    tp = reader.close(tp, scope, place)
    whose = f"the profile's function for unknown types, called for {display(tp)},"
    missing = (_cannot_decode(tp, place),)
    node = FallbackType(reader, tp, scope, place, whose, lambda walk: ask(tp, walk), missing)
    return reader.name_if_known(tp, lambda body: node if node.is_known(_out(body)) else None)


def _out(body: Reader) -> Definitions:
    """The definitions of a body, whose reader collects the problems."""
    return Definitions(body.session, reports=body)


def unsupported(
    reader: Reader,
    tp: Any,
    reason: str,
    place: Place,
    cause: BaseException | None = None,
    *,
    is_known: bool = True,
) -> Node:
    """Report that an annotation has no schema, and return the profile's placeholder."""
    is_resolved = type(cause) is not UnresolvedError
    code = "unsupported-type" if is_resolved else "unresolved-name"
    problem = reader.report(reason, place, tp, cause, code=code)
    return Placeholder(
        tp,
        reader.profile_keywords("unknown", place),
        reader,
        problem=problem,
        missing=_cannot_decode(tp, place, has_no_schema=True)
        if is_resolved
        else cannot_load(tp, reason, place, code, has_no_schema=True),
        is_resolved=is_resolved,
        is_known=is_known,
    )


def _cannot_decode(tp: Any, place: Place, *, has_no_schema: bool = False) -> Problem:
    """The problem that only a decoder could read the values of an annotation from JSON."""
    way_out = "add decoders={...} to the profile"
    reason = not_a_type(tp) or f"cannot read {display(tp)} from JSON; {way_out}"
    return cannot_load(tp, reason, place, has_no_schema=has_no_schema)


# -- nodes -------------------------------------------------------------------------------------


class Placeholder(Node):
    """An annotation without a schema: the placeholder that the profile has for it.

    Attributes:
        keywords: The placeholder.
        is_resolved: Whether its names could be evaluated.
        is_known: Whether it has a rule, such as an Enum without members.
    """

    priority = UNKNOWN

    def __init__(
        self,
        annotation: Any,
        keywords: Json,
        reader: Reader,
        *,
        missing: Problem,
        problem: Problem | None = None,
        is_resolved: bool = True,
        is_known: bool = False,
    ) -> None:
        self.annotation: Any = annotation
        self.keywords: Json = keywords
        self.session: Session = reader.session
        self.problem: Problem | None = problem
        self.undecodable: Sequence[Problem] = (missing,)
        self.is_resolved: bool = is_resolved
        self.is_known: bool = is_known

    @property
    def is_unknown(self) -> bool:  # type: ignore[override]
        """Whether it has a name that cannot be evaluated, or is a protocol."""
        head, _ = split(self.annotation)
        is_protocol = is_any(head, _PROTOCOLS) or (
            is_class(head) and own(head, "_is_protocol") is True
        )
        return is_protocol or not self.is_resolved

    def schema(self, out: Definitions) -> Json:
        """The placeholder."""
        fragment: Json = copy(self.keywords)
        return fragment

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing: a binder refuses such an annotation."""
        return refuse(self.undecodable[0].message, json)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a value: its class, or the annotations of that, may have one."""
        if not self.is_resolved and self.problem is not None:
            return refuse_value(self.problem.message, self.annotation)
        head, _ = split(self.annotation)
        if self.is_known and not (is_class(head) and issubclass(type(value), head)):
            return run.as_it_is(value, self)
        return dump_unknown(value, self.annotation, self.session.reader(), run)


_PROTOCOLS = (abc.Sized, abc.Container)
"""Protocols, according to the typing specification, of which JSON has values."""


class FallbackType(Custom):
    """A type without a rule that the function in ``Profile.unknown`` has described."""

    kinds: frozenset[type] = frozenset()  # only a decoder could read it

    def is_known(self, out: Definitions) -> bool:
        """Whether the function knows a schema: it is asked, and its answer is kept."""
        answer = self._answer(out)
        if answer is not None:
            self._keep(answer, out)
        return answer is not None

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing: a binder refuses such an annotation."""
        return refuse("cannot be read from JSON", json)

    @property
    def label(self) -> str:  # type: ignore[override]
        """The type."""
        return display(self.annotation)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a value: its class, or the annotations of that, may have one."""
        return dump_unknown(value, self.annotation, self.reader, run)


def dump_unknown(value: Any, annotation: Any, reader: Reader, run: Dumping) -> Any:
    """The JSON of a value of a type without a rule."""
    kind = type(value)
    node = None if kind is object else run.node_of(kind)
    if node is not None and not _is_unknown(node):
        return run.dump(value, node)
    if callable(reader.profile.unknown):
        fields = reader.fork().read_annotated_class(annotation, reader.session.scope, (None, ""))
        if isinstance(fields, RecordNode):
            return dump_fields(value, fields.shape, run, run.value_of)
    return no_json(value, annotation, "; use another type, or add encoders={...}")


def _is_unknown(node: Node) -> bool:
    while isinstance(node, (Named, ProfileType, Guard)):
        node = node.inner
    return isinstance(node, (Placeholder, FallbackType))


# -- a type ------------------------------------------------------------------------------------


def why_unsupported(tp: Any, place: Place, *, output: bool) -> str:
    """Why an annotation has no schema, and what to do about it."""
    return not_a_type(tp) or f"no JSON Schema for {_with_remedy(tp, place, output=output)}"


def _with_remedy(tp: Any, place: Place, *, output: bool) -> str:
    """A type and what to do about it, in few words; ``explain fallback`` has every way."""
    shown, (head, _) = display(tp), split(tp)
    module = own(head, "__module__") if is_class(head) else None
    is_plain = type(module) is not str or module == "collections.abc"  # complex, Callable
    if not (is_plain or output) and is_parameter(place):
        return f"{shown}; use Schema({{...}}), or hide it with Injected"
    if is_plain or _is_of_python(head):
        return f"{shown}; use another type, or Schema({{...}})"
    return f"{shown}; describe it with Schema({{...}})"


# -- an object that is not a type --------------------------------------------------------------


def not_a_type(tp: Any) -> str:
    """The reason why an object is not an annotation, and what to write; empty if it is one."""
    if is_marker(tp):
        return f"{display(tp)} is a marker, not a type; write Annotated[..., {display(tp)}]"
    if is_class(tp) or is_form(tp, "NamedTuple") or is_form(tp, "TypedDict"):
        return ""
    if (found := _MISTAKES.get(id(type(tp)))) is not None:
        kind, meant = found
        return f"{display(tp)} is a {kind}, not a type; {meant(tp)}"
    is_own = split(tp)[0] is tp and not _is_of_python(type(tp))
    return f"{display(tp)} is an instance, not a type; write {display(type(tp))}" if is_own else ""


def _is_of_python(cls: Any) -> bool:
    """Whether a class belongs to Python itself or to ``typing_extensions``."""
    module = own(cls, "__module__")
    top = module.partition(".")[0] if type(module) is str else "builtins"
    return top in sys.stdlib_module_names or top == "typing_extensions"


def _function(tp: Any) -> str:
    meant = {id(any): "typing.Any", id(callable): "collections.abc.Callable"}.get(id(tp))
    return f"did you mean {meant}?" if meant else "name a class"


def _module(tp: Any) -> str:
    name = tp.__name__.rpartition(".")[2]
    names = [each for each in (name, name.title()) if is_class(getattr(tp, each, None))]
    return f"did you mean {name}.{names[0]}?" if names else "name a class in it"


def _list(tp: Any) -> str:
    return _choices(tp) or f"write list{_brackets(tp)}"


def _tuple(tp: Any) -> str:
    if len(tp) == 1:
        return f"drop the comma, or write tuple{_brackets(tp)}"
    return f"write {_union(tp)} or tuple[{', '.join(map(display, tp))}]" if tp else "write tuple"


def _set(tp: Any) -> str:
    return _choices(tp) or f"write {class_name(type(tp))}{_brackets(tp)}"


def _dict(tp: Any) -> str:
    if tp and all(type(key) is str for key in tp):
        return "write a TypedDict or a dataclass"
    if len(tp) == 1:
        return f"write dict[{', '.join(map(display, (*tp, *tp.values())))}]"
    return "write dict"


def _value(tp: Any) -> str:
    return f"write {class_name(type(tp))} or Literal[{display(tp)}]"


def _choices(tp: Any) -> str:
    """The ``Literal`` for several strings; empty for anything else."""
    if len(tp) > 1 and all(type(each) is str for each in tp):
        return f"write Literal[{', '.join(map(display, tp))}]"
    return ""


def _brackets(tp: Any) -> str:
    return f"[{_union(tp)}]" if tp else ""


def _union(tp: Any) -> str:
    return " | ".join(map(display, tp))


_MISTAKES: dict[int, tuple[str, Callable[[Any], str]]] = {
    id(types.FunctionType): ("function", _function),
    id(types.BuiltinFunctionType): ("built-in function", _function),
    id(types.ModuleType): ("module", _module),
    id(list): ("list", _list),
    id(tuple): ("tuple", _tuple),
    id(set): ("set", _set),
    id(frozenset): ("frozenset", _set),
    id(dict): ("dictionary", _dict),
    id(bool): ("value", _value),
    id(int): ("value", _value),
    id(bytes): ("value", _value),
    id(float): ("value", lambda _: "write float"),
}
"""Objects that are often written where a type is meant, by class: a noun, and what to write."""
