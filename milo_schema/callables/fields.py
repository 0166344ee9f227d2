"""One list of fields for all that has them: parameters of a function, fields of a record."""

from __future__ import annotations

from milo_schema.annotations.hints import MISSING, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from milo_schema.annotations.hints import Scope

POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)
"""The kinds of parameters, numbered as ``inspect`` does."""

NO_PARAMETER = 5
"""The kind of what is a field of a record."""

VARIADIC = (VAR_POSITIONAL, VAR_KEYWORD)


class Field:
    """One field of a record, or one parameter of a function.

    Attributes:
        name: What JSON calls it.
        attribute: What leads to it in Python: an attribute, a key, a parameter.
        annotation: Evaluated; an ``UnresolvedError`` if it cannot be; ``MISSING`` without one.
        written: The annotation before it was evaluated.
        scope: What the names and type parameters in the annotation stand for.
        default: The Python value it has if none is given, or ``MISSING``.
        kind: The kind of a parameter, or ``NO_PARAMETER``.
        required: Whether it must be given; without a default it must, if nothing else is said.
        description: What a docstring says of it.
    """

    __slots__ = (
        "annotation",
        "attribute",
        "default",
        "description",
        "kind",
        "name",
        "required",
        "scope",
        "written",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - a plain record, of which there are many
        self,
        name: str,
        annotation: Any,
        scope: Scope,
        default: Any = MISSING,
        kind: int = NO_PARAMETER,
        required: bool | None = None,  # noqa: FBT001
        description: str | None = None,
        attribute: str | None = None,
    ) -> None:
        self.name: str = name
        self.attribute: str = attribute or name
        self.written: Any = annotation
        is_plain = type(annotation) is type
        self.annotation: Any = annotation if is_plain else resolve(annotation, scope)
        self.scope: Scope = scope
        self.default: Any = default
        self.kind: int = kind
        self.required: bool = default is MISSING if required is None else required
        self.description: str | None = description

    @property
    def step(self) -> str:
        """What leads to it in a path: ``.attribute``, or ``(name)`` of a parameter."""
        return f".{self.attribute}" if self.kind == NO_PARAMETER else f"({self.name})"


class Record:
    """Fields that belong together.

    Attributes:
        fields: In the order in which they were written.
        extra: ``MISSING`` where other names may occur, ``False`` where none may, else their type.
        extra_step: What leads to the values of those names in a path.
        description: What the docstring says of the whole.
        is_array: Whether JSON has the values in order instead of by name.
    """

    __slots__ = ("description", "extra", "extra_step", "fields", "is_array")

    def __init__(
        self,
        fields: list[Field],
        extra: Any = MISSING,
        is_array: bool = False,  # noqa: FBT001, FBT002 - "*" would double the time
    ) -> None:
        self.fields: list[Field] = fields
        self.extra: Any = extra
        self.extra_step: str = "{}"
        self.description: str | None = None
        self.is_array: bool = is_array
