"""A row of the table, and the wrappers around its annotation."""

import typing
from dataclasses import KW_ONLY, dataclass
from typing import Any

from milo_schema import Profile
from tests.fragments import Json
from tests.modules import module_from


@dataclass(frozen=True, eq=False)
class Source:
    """An annotation that not every Python can express: the value of ``TYPE`` in a source text."""

    text: str


@dataclass(frozen=True, eq=False)
class Case:
    """The meaning of one annotation.

    A row with one schema has it by position: it is that of both profiles. A row with two names
    them, ``mcp=`` and ``milo=``.

    Attributes:
        annotation: The annotation itself, or the source text that makes it.
        mcp: Its schema in profile MCP; ``None`` if there is none in any mode.
        milo: Its schema in profile MILO, where that differs.
        accepts: JSON values that the schema accepts.
        rejects: JSON values that the schema rejects.
        refused: Where strict mode refuses it, and how the reason begins; other modes warn.
        needs: The requirements to express the annotation, such as ``"python>=3.12"``.
        id: The name of the row.
        types: The schemas that the profiles get for unknown types.
    """

    annotation: Any
    mcp: Json | None = None
    _: KW_ONLY
    milo: Json | None = None
    accepts: tuple[Any, ...] = ()
    rejects: tuple[Any, ...] = ()
    refused: tuple[str, str] | None = None
    needs: str = ""
    id: str = ""
    types: dict[Any, Any] | None = None

    @property
    def type(self) -> Any:
        """The annotation, made from its source text if it has one."""
        if isinstance(self.annotation, Source):
            return module_from(self.annotation.text).TYPE
        return self.annotation

    def says(self, profile: Profile) -> Json | None:
        """The schema in that profile."""
        return self.milo if self.milo is not None and profile.unwrap_none else self.mcp

    def profile(self, profile: Profile) -> Profile:
        """The profile with schemas for the types of the row."""
        return profile.with_types(self.types) if self.types else profile

    def __str__(self) -> str:
        if self.id or isinstance(self.annotation, Source):
            return self.id
        is_class = isinstance(self.annotation, type) and not typing.get_args(self.annotation)
        return self.annotation.__name__ if is_class else repr(self.annotation)
