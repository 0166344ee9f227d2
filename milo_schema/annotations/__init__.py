"""Annotations on every Python version. Nothing here knows about JSON.

This file has the names that our own annotations use, so that ``typing.get_type_hints()`` and
run-time type checkers can evaluate them. Loading ``typing`` takes longer than everything that a
plain call needs, so it is loaded when one of its names is evaluated. The classes of Python's own
objects are here too, because ``types`` takes as long to load as two of our files.
"""

import sys


class Late:
    """A module, or a form of one, that is loaded when an annotation with it is evaluated."""

    def __init__(self, module: str, form: str = "") -> None:
        self._module = module
        self._form = form

    def __getattr__(self, name: str) -> object:
        return getattr(__import__(self._module, fromlist=[name]), name)

    def __getitem__(self, args: object) -> object:
        return getattr(self, self._form)[args] if self._form else object


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable as Callable
    from collections.abc import Collection as Collection
    from collections.abc import Hashable as Hashable
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from types import BuiltinFunctionType as BuiltinFunctionType
    from types import CodeType as CodeType
    from types import FrameType as FrameType
    from types import FunctionType as FunctionType
    from types import GenericAlias as GenericAlias
    from types import MappingProxyType as MappingProxyType
    from types import MemberDescriptorType as MemberDescriptorType
    from types import ModuleType as ModuleType
    from types import UnionType as UnionType
    from typing import Any as Any
    from typing import ClassVar as ClassVar
    from typing import ForwardRef as ForwardRef
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Self as Self
    from typing import TextIO as TextIO
    from typing import TypeGuard as TypeGuard
    from typing import Unpack as Unpack
else:
    from _collections_abc import (  # noqa: F401 - Python has always loaded it
        Callable,
        Collection,
        Hashable,
        Iterable,
        Mapping,
        Sequence,
    )

    FunctionType, BuiltinFunctionType, ModuleType = type(Late.__init__), type(len), type(sys)
    CodeType, FrameType = type(Late.__init__.__code__), type(sys._getframe())
    MappingProxyType, MemberDescriptorType = type(vars(Late)), type(FunctionType.__globals__)
    GenericAlias, UnionType = type(list[int]), type(int | str)

    Any = ForwardRef = NoReturn = Self = TextIO = object
    ClassVar, Literal = Late("typing", "ClassVar"), Late("typing", "Literal")
    TypeGuard, Unpack = Late("typing", "TypeGuard"), Late("typing", "Unpack")
    Iterator = Late("typing")  # any: typeguard knows generators by imports from collections.abc

LazyImportType: Any = Late("_types").LazyImportType if sys.version_info >= (3, 15) else None
"""The class of a ``lazy import`` (PEP 810) that Python has not resolved yet."""

Arguments = tuple[Any, ...]
"""The arguments of an annotation: those of ``dict[str, int]`` are ``str`` and ``int``."""

Fragment = dict[str, Any]
"""A part of a schema; its references may still be ``Ref`` objects."""

Json = dict[str, Any]
"""A JSON object, such as a finished schema."""

Names = Mapping[str, Any] | None
"""The names for annotation strings that callers pass."""

Encoders = Mapping[Any, Callable[[Any], Any]]
"""Maps types to functions that convert their values to JSON."""
