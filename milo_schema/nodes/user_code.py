"""Whether loading JSON runs code of users: constructors, decoders, models and validators.

Nodes keep their parts as attributes, so all of them are found without a method in each class.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from milo_schema.annotations.classes import attributes, is_class, mro, static
from milo_schema.annotations.forms import is_typed_dict
from milo_schema.callables.signatures import Field
from milo_schema.nodes.base import Node, Wrapper
from milo_schema.nodes.choices import Choice
from milo_schema.nodes.custom import Custom, Decoded, Decoder
from milo_schema.nodes.fields import Part, Shape
from milo_schema.nodes.foreign import Checked, Model, ModelLoader

_OF_USERS = (Checked, Custom, Decoded, Decoder, Model, ModelLoader)

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
    if isinstance(part, (Part, Field)):
        return part.make is not None  # a factory
    if isinstance(part, _OF_USERS):
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
            if isinstance(each, (Node, Field, Part, Shape)):
                yield each


def _slots(cls: type) -> Iterable[str]:
    found: Any = static(cls, "__slots__")
    return found if type(found) is tuple else ()
