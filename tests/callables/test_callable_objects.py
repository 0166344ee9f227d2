"""Objects with ``__call__``."""

import inspect

from milo_schema import function_to_schema
from tests.callables.helpers import gives, takes
from tests.callables.samples import Greeter
from tests.fragments import INTEGER, STRING, record
from tests.modules import module_from


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, name: str) -> str: ...


class Equal:
    def __init__(self, call):
        self.call = call

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    @property
    def __signature__(self):
        return inspect.signature(self.call)

    def __call__(self, *args, **kwargs): ...


def test_a_callable_object():
    times = {"type": "integer", "default": 1}
    takes(Greeter(), {"name": STRING, "times": times}, ["name"])
    gives(Greeter(), STRING)
    takes(Greeter.__call__, {"name": STRING, "times": times}, ["name"])
    takes(Greeter().__call__, {"name": STRING, "times": times}, ["name"])


def test_a_callable_object_that_inherits_its_call():
    class Special(Greeter): ...

    times = {"type": "integer", "default": 1}
    takes(Special(), {"name": STRING, "times": times}, ["name"])


def test_a_callable_object_without_a_hash():
    takes(Unhashable(), {"name": STRING}, ["name"])
    gives(Unhashable(), STRING)


def test_callable_objects_that_compare_equal_are_not_confused():
    def one(a: int): ...
    def two(b: str): ...

    takes(Equal(one), {"a": INTEGER}, ["a"])
    takes(Equal(two), {"b": STRING}, ["b"])
    takes(Equal(one), {"a": INTEGER}, ["a"])


def test_a_callable_object_whose_call_is_a_static_method():
    class Static:
        @staticmethod
        def __call__(name: str) -> int: ...

    takes(Static(), {"name": STRING}, ["name"])
    gives(Static(), INTEGER)


def test_an_async_callable_object():
    class Fetch:
        async def __call__(self, url: str) -> int: ...

    takes(Fetch(), {"url": STRING}, ["url"])
    gives(Fetch(), INTEGER)


def test_a_callable_object_under_postponed_annotations():
    module = module_from(
        """
        Text = str

        class Greeter:
            Mode = int
            def __call__(self, name: Text, mode: Mode) -> Text: ...
        """,
        future=True,
    )
    takes(module.Greeter(), {"name": STRING, "mode": INTEGER}, ["name", "mode"])
    gives(module.Greeter(), STRING)


class Same:
    """All are equal."""

    def __eq__(self, other):
        return True

    __hash__ = object.__hash__

    def __call__(self, x: int): ...


def test_a_callable_that_equals_everything_is_itself():
    assert function_to_schema(Same()) == record(x=INTEGER)
