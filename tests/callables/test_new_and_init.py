"""A class with both a ``__new__`` and an ``__init__``: which one has the parameters of a call."""

from milo_schema import function_to_schema
from tests.fragments import obj


class Both:
    """A size."""

    def __new__(cls, size: int, unit: str = "m"):
        """Make it.

        Args:
            size: As __new__ has it.
            unit: As __new__ has it.
        """

    def __init__(self, size: float, unit: str = "cm"):
        """Fill it.

        Args:
            size: As __init__ has it.
            unit: As __init__ has it.
        """


class InitBelow(Both):
    __init__ = Both.__init__


def taking(kind, unit, writer):
    says = {"description": f"As {writer} has it."}
    return obj(
        ["size"], size={"type": kind, **says}, unit={"type": "string", "default": unit, **says}
    )


def test_new_is_the_constructor_of_a_class_with_new_and_init():
    assert function_to_schema(Both, strict=True) == taking("integer", "m", "__new__")


def test_init_of_a_subclass_takes_precedence_over_new_of_its_base():
    assert function_to_schema(InitBelow, strict=True) == taking("number", "cm", "__init__")
