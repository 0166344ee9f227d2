"""Injected parameters, such as ``ctx: Context``: the framework fills them in, not the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import Classes, Unresolved, is_any, is_class, mro
from milo_schema.annotations.evaluation import is_reference, names_in, text_of
from milo_schema.annotations.forms import split
from milo_schema.annotations.scopes import Scope
from milo_schema.nodes.base import Place
from milo_schema.nodes.table import READS_ARGUMENTS, UNAFFECTED

Match = tuple[str, Any]
"""Why a parameter is hidden (a field of the profile, an argument or a marker), and what matched."""


class Injection:
    """Finds out whether the framework fills in a parameter, while its annotation is read.

    If a part of a union or of a container is injected, the whole parameter is: a model that could
    pass one part of it could forge the other.

    Attributes:
        types: The injected types; their subclasses are injected, too.
        classes: The injected classes, mostly given by name.
        unaffected: The ids of heads that none of them can be.
        matches: What matched so far in the parameter that is being read.
    """

    __slots__ = ("_reader", "classes", "matches", "types", "unaffected")

    def __init__(self, reader: Any, types: Sequence[Any], classes: Classes) -> None:
        self._reader: Any = reader
        self.types: Sequence[Any] = types
        self.classes: Classes = classes
        is_common = types or not classes.unaffected  # one of Python's own classes is injected
        self.unaffected: frozenset[int] = frozenset() if is_common else UNAFFECTED
        self.matches: list[Match] = []

    def match(self, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place) -> bool:
        """Whether a part of an annotation is injected because of its class."""
        known = len(self.matches)
        if self.types:
            self._match_types(tp, head)
        if is_class(head) and self.classes.match(head):
            self.matches.append(("injected_classes", head))
        if args and id(head) not in READS_ARGUMENTS:
            self._read(args, scope, place)
        return len(self.matches) > known

    def _match_types(self, tp: Any, head: Any) -> None:
        """Match the excluded types, and their subclasses."""
        if is_any(tp, self.types):
            self.matches.append(("exclude", tp))
        elif is_class(head):
            bases = mro(head)
            self.matches += [("exclude", each) for each in self.types if is_any(each, bases)]

    def _read(self, args: Arguments, scope: Scope, place: Place) -> None:
        """Read arguments that nothing else reads, such as those of a callable, and forget them."""
        reader, inside = self._reader, (place, "")
        known, used, size = len(reader.named), len(reader.targets), reader.size
        for arg in args:
            reader.read(arg, scope, inside)
        reader.forget(inside, known, used)
        reader.size = size

    def match_names(self, tp: Any, scope: Scope, place: Place) -> None:
        """Match an annotation that cannot be evaluated: its text may name an injected class."""
        head, args = split(tp)
        text = head.text if type(head) is Unresolved else text_of(tp) if is_reference(tp) else ""
        types = {each.__name__: each for each in self.types if is_class(each)}
        for name in names_in(text) if text else ():
            if name in types:
                self.matches.append(("exclude", types[name]))
            elif name in self.classes.last_names:
                self.matches.append(("injected_classes", name))
        if args:
            self._read(args, scope, place)
