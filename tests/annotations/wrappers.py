"""All wrappers around annotations: the columns of the table in test_resolution."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wrapper:
    """One way to write an annotation that means the same as the bare one.

    Attributes:
        id: Its name.
        text: The source that makes ``Wrapped`` of ``Bare``. ``T`` is the type parameter of the
            generic class that the reader stands in, for which ``Bare`` is the argument.
        needs: The requirements to express it, such as ``"python>=3.12"``.
        future: Whether the module begins with ``from __future__ import annotations``.
        describes: Whether it adds the description ``"What it is."``
    """

    id: str
    text: str
    needs: str = ""
    future: bool = False
    describes: bool = False


NOTHING = Wrapper("nothing", "Wrapped = Bare")

WRAPPERS = (
    NOTHING,
    # aliases
    Wrapper("type statement", "type Wrapped = Bare", "python>=3.12"),
    Wrapper("type statement with an argument", "type Of[V] = V\nWrapped = Of[Bare]",
            "python>=3.12"),
    Wrapper("alias", "Wrapped = TypeAliasType('Wrapped', Bare)"),
    Wrapper("alias of a string", "Wrapped = TypeAliasType('Wrapped', 'Bare')"),
    Wrapper("alias of an alias",
            "Inner = TypeAliasType('Inner', Bare)\nWrapped = TypeAliasType('Wrapped', Inner)"),
    Wrapper("alias with an argument",
            "Of = TypeAliasType('Of', V, type_params=(V,))\nWrapped = Of[Bare]"),
    Wrapper("alias with an argument in quotes",
            "Of = TypeAliasType('Of', V, type_params=(V,))\nWrapped = Of['Bare']"),
    # NewType
    Wrapper("NewType", "Wrapped = NewType('Wrapped', Bare)"),
    Wrapper("NewType of a string", "Wrapped = NewType('Wrapped', 'Bare')"),
    Wrapper("NewType of a NewType",
            "Inner = NewType('Inner', Bare)\nWrapped = NewType('Wrapped', Inner)"),
    # strings
    Wrapper("string", "Wrapped = 'Bare'"),
    Wrapper("string of a string", "Wrapped = '\"Bare\"'"),
    Wrapper("string that names a string", "Inner = 'Bare'\nWrapped = 'Inner'"),
    Wrapper("ForwardRef", "Wrapped = ForwardRef('Bare')"),
    Wrapper("annotations as strings", "Wrapped = Bare", future=True),
    Wrapper("alias in annotations as strings", "Wrapped = TypeAliasType('Wrapped', Bare)",
            future=True),
    # Annotated
    Wrapper("Annotated with a description", "Wrapped = Annotated[Bare, Description('What it is.')]",
            describes=True),
    Wrapper("Annotated with a foreign object", "Wrapped = Annotated[Bare, object()]"),
    Wrapper("Annotated string", "Wrapped = Annotated['Bare', object()]"),
    Wrapper("alias of Annotated with a description",
            "Wrapped = TypeAliasType('Wrapped', Annotated[Bare, Description('What it is.')])",
            describes=True),
    # type qualifiers
    Wrapper("Final", "Wrapped = Final[Bare]"),
    Wrapper("ClassVar", "Wrapped = ClassVar[Bare]"),
    Wrapper("Required", "Wrapped = Required[Bare]"),
    Wrapper("NotRequired", "Wrapped = NotRequired[Bare]"),
    Wrapper("ReadOnly", "Wrapped = ReadOnly[Bare]"),
    Wrapper("InitVar", "Wrapped = InitVar[Bare]"),
    # type parameters
    Wrapper("bound type parameter", "Wrapped = T"),
    Wrapper("TypeVar with a bound", "Wrapped = TypeVar('Wrapped', bound=Bare)"),
    Wrapper("TypeVar with a bound in quotes", "Wrapped = TypeVar('Wrapped', bound='Bare')"),
    Wrapper("TypeVar with constraints", "Wrapped = TypeVar('Wrapped', Bare, 'Bare')"),
    Wrapper("TypeVar with a default",
            "Wrapped = typing_extensions.TypeVar('Wrapped', default=Bare)"),
    # several together
    Wrapper("union with itself", "Wrapped = Union[Bare, 'Bare']"),
    Wrapper("alias of a union with itself",
            "Wrapped = TypeAliasType('Wrapped', Union[Bare, 'Bare'])"),
    Wrapper("all at once",
            "Inner = Annotated[TypeAliasType('Inner', 'Bare'), object()]\n"
            "Wrapped = ReadOnly[NewType('Wrapped', Inner)]"),
)  # fmt: skip
