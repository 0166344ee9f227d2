"""Inspect classes and other objects without running their code.

Objects are recognized by identity and by exact type, never by the attributes they claim to have:
a mock has them all. Attributes of a class are read through the descriptors of ``type``, so no
metaclass, no ``__getattr__`` and no ``==`` of a user's class runs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from types import FunctionType, GenericAlias, MappingProxyType, UnionType
from typing import Any, TypeGuard, Unpack

MISSING: Any = type("MISSING", (), {"__repr__": lambda _: "MISSING"})()
"""Marks a missing annotation or a missing default."""

PY314 = sys.version_info >= (3, 14)


USER_CODE_ERRORS = (Exception, SystemExit)
"""The exceptions we catch around user code; not ``KeyboardInterrupt``, on purpose."""

NOTHING: Mapping[Any, Any] = MappingProxyType({})
"""An empty, read-only mapping that can be shared."""


class UnresolvedError(Exception):
    """Raised for an annotation string that cannot be evaluated; the message says why."""


class Unresolved:
    """An annotation, or a part of one, that cannot be evaluated.

    It is kept until a reader needs its value. As a name in a larger annotation, it behaves like a
    class: ``Missing | int`` is a union.

    Attributes:
        text: The annotation as it is written.
        reason: Why it cannot be evaluated.
        cause: The exception that evaluating it raised, if there was one.
    """

    __slots__ = ("cause", "reason", "text")

    def __init__(self, text: str, reason: str, cause: BaseException | None = None) -> None:
        self.text: str = text
        self.reason: str = reason
        self.cause: BaseException | None = cause

    @property
    def error(self) -> UnresolvedError:
        """The error to raise for it."""
        error = UnresolvedError(self.reason)
        error.__cause__ = self.cause
        return error

    def __repr__(self) -> str:
        return self.text

    def __or__(self, other: Any) -> Any:
        return _tolerant_union(self, other)

    def __ror__(self, other: Any) -> Any:
        return _tolerant_union(other, self)

    def __getitem__(self, args: Any) -> Any:
        return GenericAlias(self, args)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        """``*Missing``, which may be any number of types (PEP 646)."""
        yield GenericAlias(Unpack, (self,))  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Unresolved:
        if name.startswith("_"):
            raise AttributeError(name)
        text = f"{self.text}.{name}"
        reason = self.reason.replace(repr(self.text), shorten(repr(text)), 1)
        return Unresolved(text, reason, self.cause)

    def __call__(self, *_args: Any, **_named: Any) -> Unresolved:
        """Return itself: ``Missing(1)`` in ``Annotated`` is one piece of metadata."""
        return self


def _tolerant_union(*members: Any) -> Any:
    """A union with a member that ``|`` would refuse."""
    named = (type(None) if each is None else each for each in members)
    return GenericAlias(UnionType, tuple(named))


class NamesByModule:
    """A mapping for ``localns=`` that depends on the module in which an annotation was written.

    Attributes:
        names: The names that are the same in every module.
        note: The end of the message about a name that neither a module nor this mapping has.
    """

    __slots__ = ()

    names: Mapping[str, Any]
    note: str

    def of(self, module: dict[str, Any]) -> Any:
        """The names that annotations in *module* may use beside those that it defines."""
        raise NotImplementedError


# -- objects that may not be loaded ------------------------------------------------------------


def loaded(dotted: str) -> Any:
    """The object ``module.name`` if that module is loaded; ``None`` otherwise.

    A caller who passes an object of a module has loaded that module, so nothing is imported here.
    """
    module, _, name = dotted.rpartition(".")
    found = sys.modules.get(module)
    return None if found is None else getattr(found, name, None)


def loaded_path(dotted: str) -> Any:
    """Look up ``package.module.Outer.Inner`` in the loaded modules; ``None`` if it is absent."""
    names = dotted.split(".")
    for count in range(len(names) - 1, 0, -1):
        if (found := sys.modules.get(".".join(names[:count]))) is None:
            continue
        try:
            for name in names[count:]:
                found = getattr(found, name)
        except USER_CODE_ERRORS:  # the name does not exist, or the module's __getattr__ raised
            return None
        return found
    return None


# The data descriptors of ``type`` itself: a metaclass cannot override what they return.


def _descriptor(name: str) -> Any:
    return type.__dict__[name].__get__


mro: Callable[[type], tuple[type, ...]] = _descriptor("__mro__")
"""The method resolution order of a class."""

body: Callable[[type], MappingProxyType[str, Any]] = _descriptor("__dict__")
"""The attributes that the class itself defines: its ``__dict__``.

Copy it before a loop: Python adds to it, in another thread, when annotations are first read.
"""

class_name: Callable[[type], str] = _descriptor("__name__")
"""The ``__name__`` of a class."""

qualified_name: Callable[[type], str] = _descriptor("__qualname__")
"""The ``__qualname__`` of a class: with the classes and functions around it."""


def static(cls: type, name: str, default: Any = None) -> Any:
    """A class attribute, inherited or not, without calling descriptors or ``__getattr__``."""
    for base in mro(cls):
        names = body(base)
        if name in names:
            return names[name]
    return default


def own(cls: type, name: str, default: Any = None) -> Any:
    """A class attribute that the class itself defines, not a base class."""
    return body(cls).get(name, default)


def is_abstract(cls: type) -> bool:
    """Whether Python makes no instance of a class, because it has abstract methods.

    Its ``__new__``, its metaclass or pydantic may make one of a subclass instead.
    """
    return (
        type(cls) is not type
        and bool(own(cls, "__abstractmethods__"))
        and static(cls, "__new__") is object.__new__
        and static(type(cls), "__call__") is static(type, "__call__")
        and static(cls, "__get_pydantic_core_schema__") is None
        and static(cls, "__pydantic_core_schema__") is None
    )


def is_any(tp: object, options: Iterable[object]) -> bool:
    """Whether *tp* is one of the *options*: by identity, because ``==`` may be user code."""
    return id(tp) in map(id, options)


def inherits(cls: type, base: Any) -> bool:
    """Whether a class is *base* or derives from it; the metaclass is not asked."""
    return id(base) in map(id, mro(cls))


class Classes(frozenset["str | type | Callable[..., object]"]):
    """A set of classes, each given as a class or by its name; it includes their subclasses.

    A plain name matches a class of any module. A dotted name is a public one, which leads to the
    class in the loaded modules, or that of the module and class where the class is defined.

    Attributes:
        names: The plain names.
        dotted: The dotted names.
        types: The classes that were given as classes.
        functions: Functions that decide about what is not an instance of a class.
        packages: The packages that the dotted names begin with.
        last_names: The name of each class, without its module.
        exact_names: The same, except for classes that are only given by a plain name.
        has_exact: Whether any are given by a dotted name or as classes.
        unaffected: The ids of the parts of most annotations, if none of them is a member.
    """

    names: frozenset[str]
    dotted: tuple[str, ...]
    types: tuple[type, ...]
    functions: tuple[Callable[..., object], ...]
    packages: frozenset[str]
    last_names: frozenset[str]
    exact_names: frozenset[str]
    unaffected: frozenset[int]
    has_exact: bool

    def __getattr__(self, name: str) -> Any:
        """Sort the members by kind, when an attribute is first read: many sets are never used."""
        if name not in Classes.__annotations__:
            raise AttributeError(name)
        texts = {each for each in self if isinstance(each, str)}
        self.dotted = tuple(sorted(each for each in texts if "." in each))
        self.packages = frozenset(each.partition(".")[0] for each in self.dotted)
        self.names = frozenset(texts.difference(self.dotted))
        self.types = tuple(each for each in self if is_class(each))
        self.functions = tuple(each for each in self if callable(each) and not is_class(each))
        last = {each.rpartition(".")[2] for each in self.dotted}
        self.exact_names = frozenset(last.union(map(class_name, self.types)))
        self.last_names = self.exact_names | self.names
        self.has_exact = bool(self.dotted or self.types)
        self.unaffected = COMMON if self.last_names.isdisjoint(_COMMON_NAMES) else frozenset()
        return vars(self)[name]

    def match(self, cls: type) -> bool:
        """Whether a class, or one of its base classes, is a member."""
        return self.match_name(cls) or (self.has_exact and self.match_exactly(cls))

    def match_name(self, cls: type) -> bool:
        """Whether a class, or one of its base classes, has one of the plain names."""
        return not self.names.isdisjoint(map(class_name, mro(cls)))

    def match_exactly(self, cls: type) -> bool:
        """Whether a class, or a base class, is one of the types or has one of the dotted names."""
        bases = mro(cls)
        if not self.exact_names.isdisjoint(map(class_name, bases)):
            for base in bases:
                if is_any(base, self.types) or _dotted_name(base) in self.dotted:
                    return True
        if sys.modules.keys().isdisjoint(self.packages):  # it visits the packages, not all modules
            return False
        return any(is_any(loaded_path(each), bases) for each in self.dotted)


_common: tuple[type, ...] = (
    *(str, int, float, bool, type(None), object, bytes, bytearray, memoryview),
    *(list, dict, tuple, set, frozenset),
)
COMMON = frozenset(map(id, (*_common, None, ...)))
"""The ids of the parts of most annotations."""
_COMMON_NAMES = {class_name(base) for each in _common for base in mro(each)}


def is_called(cls: type, dotted: str) -> bool:
    """Whether a class has a dotted name: a public one, or the one where it is defined."""
    return _dotted_name(cls) == dotted or loaded_path(dotted) is cls


def _dotted_name(cls: type) -> str:
    module = body(cls).get("__module__")
    return f"{module}.{qualified_name(cls)}" if type(module) is str else ""


def attributes(obj: Any) -> Mapping[str, Any]:
    """The ``__dict__`` of an object, without running its code."""
    try:
        found: Mapping[str, Any] = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return {}
    return found


def is_class(tp: object) -> TypeGuard[type]:
    """Whether *tp* is a class; ``list[int]``, and a mock that poses as one, are not."""
    return issubclass(type(tp), type)


def bare_name(tp: Any) -> str:
    """The name of a class or special form in its module; empty for anything else."""
    if is_class(tp):
        return class_name(tp)
    if type(tp).__module__ in ("typing", "typing_extensions"):
        return str(getattr(tp, "_name", ""))
    return ""


# -- messages ----------------------------------------------------------------------------------


def repr_of_error(
    problem: BaseException, show: Callable[[object], str] = repr, most: int = 200
) -> str:
    """The message of an exception, on one line; its ``__str__`` is user code and may raise.

    An address in memory is left out: it would make each run of a check find something new.
    """
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(show(problem).split()))
    except USER_CODE_ERRORS:
        text = f"<{class_name(type(problem))} object>"
    return shorten(text, most)


def describe_error(problem: BaseException) -> str:
    """The class and message of an exception, shortened."""
    text = repr_of_error(problem, str, 120)
    return f"{class_name(type(problem))}: {text}" if text else class_name(type(problem))


def missing_name(problem: BaseException) -> str:
    """The name that a ``NameError`` reports as missing, if it is plain text."""
    name = vars(NameError)["name"].__get__(problem) if isinstance(problem, NameError) else None
    return name if type(name) is str else ""


def closest(word: str, words: Iterable[str], cutoff: float = 0.6) -> str:
    """The word that was probably meant; empty if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, sorted(set(words)), n=1, cutoff=cutoff)
    return close[0] if close else ""


def nearest(word: str, words: Iterable[str], show: Callable[[str], str] = str) -> str:
    """End a message with the word that was probably meant; empty if none is close."""
    meant = closest(word, words)
    return f"; did you mean {show(meant)}?" if meant else ""


def with_article(noun: str) -> str:
    """A noun with its article: ``"an int"``, ``"a list[int]"``; other text stays as it is."""
    if not noun[:1].isalpha() or noun in _WITHOUT_ARTICLE or " | " in noun:
        return noun
    return f"an {noun}" if noun[0] in "aeioAEIO" else f"a {noun}"


_WITHOUT_ARTICLE = ("None", "null")


def local_name(qualname: str) -> str:
    """A qualified name without the functions around it: ``Run.go`` of ``make.<locals>.Run.go``."""
    return qualname.rpartition("<locals>.")[2]


def short_name(qualname: str) -> str:
    """The ``local_name()`` of a qualified name, shortened if it is long."""
    return shorten(local_name(qualname) if "<" in qualname else qualname)


def shorten(text: str, most: int = 80) -> str:
    """*text*, or its beginning if it is longer."""
    return text if len(text) <= most else text[: most - 3] + "..."


# -- annotations of a function or class --------------------------------------------------------


def own_annotations(obj: Any) -> dict[str, Any]:
    """The annotations of a function or of a class itself, with strings left unevaluated.

    Raises:
        UnresolvedError: They are not a dictionary, or computing them raised.
    """
    try:  # from 3.14 on (PEP 649), this evaluates the annotations
        if type(obj) is FunctionType:
            found = obj.__annotations__
        elif PY314:  # pragma: no cover - 3.14
            is_written_in_c = not obj.__flags__ & _HEAP_TYPE  # dict, tuple: they lack the attribute
            found = {} if is_written_in_c else _annotations_of(obj)
        else:  # pragma: no cover - up to 3.13
            found = body(obj).get("__annotations__", {})
    except USER_CODE_ERRORS as problem:
        found = _deferred_annotations(obj, problem)
    if not isinstance(found, dict):
        whose, given = f"{_owner_name(obj)}.__annotations__", with_article(class_name(type(found)))
        raise UnresolvedError(f"{whose} must be a dict, not {given}")
    return found


_annotations_of: Callable[[type], Any] = _descriptor("__annotations__")
"""The annotations of a class; ``inspect.get_annotations()`` would ask the metaclass."""

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def _deferred_annotations(obj: Any, problem: BaseException) -> Any:
    """The annotations if ``__annotations__`` raised: only those with a missing name are lost."""
    from annotationlib import Format, get_annotations  # pragma: no cover - 3.14

    for form in (Format.FORWARDREF, Format.STRING):  # pragma: no cover - 3.14
        try:
            return get_annotations(obj, format=form)
        except USER_CODE_ERRORS:
            continue
    reason = f"reading {_owner_name(obj)}.__annotations__ raised {repr_of_error(problem)}"
    raise UnresolvedError(reason) from problem


def _owner_name(obj: Any) -> str:
    if is_class(obj):
        return short_name(qualified_name(obj))
    return shorten(str(getattr(obj, "__name__", class_name(type(obj)))))


# -- members of Enums, and sentinels ----------------------------------------------------------


def is_member(value: Any) -> bool:
    """Whether a value is a member of an Enum."""
    return inherits(type(value), Enum)


def is_sentinel(value: Any) -> bool:
    """Whether a value is the only member of an Enum whose members are neither text nor numbers."""
    cls = type(value)
    if not is_member(value) or len(static(cls, "_member_names_")) != 1:
        return False
    return not any(inherits(cls, base) for base in (str, int, float, bytes))


def is_named_sentinel(value: Any) -> bool:
    """Whether a value is a sentinel of PEP 661, such as ``MISSING`` of pydantic."""
    sentinels = (loaded("builtins.sentinel"), loaded("typing_extensions.Sentinel"))
    return is_any(type(value), sentinels)
