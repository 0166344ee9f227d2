"""Injected parameters, such as ``ctx: Context``: the framework fills them in, not the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import Classes, Unresolved, is_any, is_class, mro
from milo_schema.annotations.evaluation import WHOLE_FORMS, is_reference, names_in, text_of
from milo_schema.annotations.forms import split
from milo_schema.annotations.scopes import Scope
from milo_schema.nodes.base import Place
from milo_schema.nodes.forward import Reader
from milo_schema.nodes.table import READS_ARGUMENTS, UNAFFECTED

Match = tuple[str, Any, bool]
"""Why a parameter is hidden (a field of the profile, an argument or a marker), what matched, and
whether that hides a container, too: the bare name of a class does not."""


class Injection:
    """Finds out whether the framework fills in a parameter, while its annotation is read.

    If a part of a union or of a container is injected, the whole parameter is: a model that could
    pass one part of it could forge the other. The bare name of a class says less, because many
    programs have a ``Context`` of their own: it hides ``Context`` and a union with it, but never a
    container, such as ``list[Context]``.

    Attributes:
        types: The injected types; their subclasses are injected, too.
        classes: The injected classes, mostly given by name.
        unaffected: The ids of heads that none of them can be.
        place: The place of the parameter or alias that is being read, to tell what stands there
            from what stands in a container.
        matches: What matched so far in the parameter that is being read.
    """

    __slots__ = ("_reader", "classes", "matches", "place", "types", "unaffected")

    def __init__(self, reader: Reader, types: Sequence[Any], classes: Classes) -> None:
        self._reader: Reader = reader
        self.types: Sequence[Any] = types
        self.classes: Classes = classes
        is_common = types or not classes.unaffected  # one of Python's own classes is injected
        self.unaffected: frozenset[int] = frozenset() if is_common else UNAFFECTED
        self.place: Place | None = None
        self.matches: list[Match] = []

    def match(self, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place) -> bool:
        """Whether a part of an annotation is injected because of its class."""
        known = len(self.matches)
        if self.types:
            self._match_types(tp, head)
        if issubclass(type(head), type):
            classes = self.classes
            if classes.has_exact and classes.match_exactly(head):
                self.matches.append(("injected_classes", head, True))
            elif place is self.place and classes.match_name(head):
                self.matches.append(("injected_classes", head, False))
        if args and id(head) not in READS_ARGUMENTS:
            self._read(args, scope, (place, ""))
        return len(self.matches) > known

    def _match_types(self, tp: Any, head: Any) -> None:
        """Match the excluded types, and their subclasses."""
        if is_any(tp, self.types):
            self.matches.append(("exclude", tp, True))
        elif is_class(head):
            bases = mro(head)
            self.matches += [("exclude", each, True) for each in self.types if is_any(each, bases)]

    def _read(self, args: Arguments, scope: Scope, inside: Place) -> None:
        """Read arguments that nothing else reads, such as those of a callable, and forget them."""
        reader = self._reader
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
        whole = set(names_in(text, within=False)) if place is self.place else ()
        for name in names_in(text) if text else ():
            if name in types:
                self.matches.append(("exclude", types[name], True))
            elif name in self.classes.exact_names:
                self.matches.append(("injected_classes", name, True))
            elif name in self.classes.names and name in whole:
                self.matches.append(("injected_classes", name, False))
        if args:
            outer, inside = self.place, (place, "")
            if place is outer and text.rpartition(".")[2] in WHOLE_FORMS:
                self.place = inside
            self._read(args, scope, inside)
            self.place = outer
