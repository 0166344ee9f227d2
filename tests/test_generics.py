"""Classes that claim to have type parameters: only those that Python gave them count."""

from dataclasses import dataclass

from milo_schema import type_to_schema

TEXT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


class Claims(type):
    """Whatever a class is asked for, it has the number five."""

    def __getattr__(cls, name):
        if name == "__parameters__":
            return 5
        raise AttributeError(name)


class Base(metaclass=Claims): ...


@dataclass
class Inherits(Base):
    x: int


def test_type_parameters_that_a_metaclass_makes_up_are_not_asked_for():
    assert type_to_schema(Inherits, strict=True) == TEXT


@dataclass
class Command:
    x: int

    @property
    def __parameters__(self):
        return [self.x]


def test_property_that_is_called_as_the_type_parameters_are_is_not_asked_for():
    assert type_to_schema(Command, strict=True) == TEXT
