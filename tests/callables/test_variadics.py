"""``*args`` and ``**kwargs``, and the keys of an unpacked TypedDict."""

import sys
import typing
from typing import Any, Required, Unpack

import pytest
import typing_extensions

from milo_schema import SchemaError, function_to_schema, profiles
from tests.callables.helpers import takes, warnings_of
from tests.callables.samples import NAME_AND_PORT, OPTIONS, Options
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING


def test_variadic_positional_parameters_are_not_properties():
    def command(name: str, *args: int, port: int = 443): ...

    takes(command, NAME_AND_PORT, ["name"], strict=True)


def test_variadic_keyword_parameters_are_additional_properties_in_profile_mcp():
    def command(name: str, **options: int): ...

    takes(command, {"name": STRING}, ["name"], extra=INTEGER, strict=True)


def test_variadic_keyword_parameters_without_annotation_leave_the_object_open():
    def command(name: str, **options): ...

    takes(command, {"name": STRING}, ["name"], extra=None)


def test_variadic_keyword_parameters_of_any_type_leave_the_object_open():
    def command(name: str, **options: Any): ...

    takes(command, {"name": STRING}, ["name"], extra=True)


def test_variadic_keyword_parameters_may_accept_null():
    def command(**options: int | None): ...

    takes(command, {}, extra={"anyOf": [INTEGER, NULL]})


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_profile_may_omit_variadics(profile):
    def command(name: str, *args: int, **options: int): ...

    closed = {"additionalProperties": False} if profile is profiles.MCP else {}
    schema = function_to_schema(command, profile=profile.replace(variadics="omit"))
    assert schema == {
        "type": "object", "properties": {"name": STRING}, "required": ["name"], **closed,
    }  # fmt: skip


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_profile_may_open_the_object_for_variadics(profile):
    def command(name: str, *args: int, **options: int): ...

    assert function_to_schema(command, profile=profile.replace(variadics="open")) == {
        "type": "object",
        "properties": {"name": STRING},
        "required": ["name"],
        "additionalProperties": INTEGER,
    }


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "default"])
def test_a_profile_may_refuse_variadics(profile, strict):
    def positional(*args: int): ...
    def keyword(**options: int): ...

    profile = profile.replace(variadics="error")
    for command, name in ((positional, "args"), (keyword, "options")):
        with pytest.raises(SchemaError) as caught:
            function_to_schema(command, profile=profile, strict=strict)
        assert str(caught.value) == (
            f"{command.__name__}({name}): no JSON Schema for variadic parameters; name each of them"
        )


class MoreOptions(Options, total=False):
    secure: Required[bool]
    token: str | None


def test_unpacked_keyword_parameters_are_the_keys():
    """PEP 692, with their own required list."""

    def command(name: str, **options: Unpack[Options]): ...

    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"], strict=True)


def test_unpacked_keyword_parameters_of_an_inherited_typed_dict():
    """Before 3.12, a TypedDict does not know its bases, nor their docstrings."""

    def command(**options: Unpack[MoreOptions]): ...

    host = OPTIONS["host"] if sys.version_info >= (3, 12) else STRING

    takes(
        command,
        {"host": host, "port": INTEGER, "secure": BOOLEAN, "token": STRING},
        ["host", "secure"],
        exact={"token": {"anyOf": [STRING, NULL]}},
    )


def test_unpacked_keyword_parameters_of_typing_extensions():
    def command(name: str, **options: typing_extensions.Unpack[Options]): ...

    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"])


@pytest.mark.parametrize("annotation", ["Unpack[Options]", "typing.Unpack['Options']"])
def test_unpacked_keyword_parameters_in_a_string(annotation):
    def command(name: str, **options): ...

    command.__annotations__["options"] = annotation
    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"])


def test_unpacked_keyword_parameters_are_kept_if_a_profile_refuses_variadics():
    def command(name: str, **options: Unpack[Options]): ...

    profile = profiles.MILO.replace(variadics="error")
    schema = function_to_schema(command, profile=profile)
    assert list(schema["properties"]) == ["name", "host", "port"]


def test_an_unpacked_key_is_described_by_the_function():
    def command(**options: Unpack[Options]):
        """Do it.

        Args:
            host: The host.
            port: The port.
        """

    takes(
        command,
        {
            "host": {"type": "string", "description": "The host."},
            "port": {"type": "integer", "description": "The port."},
        },
        ["host"],
    )


def test_an_unpacked_key_may_be_excluded_by_name():
    def command(**options: Unpack[Options]): ...

    takes(command, {"port": INTEGER}, exclude=["host"])


@pytest.mark.skipif(not hasattr(typing_extensions, "NoExtraItems"), reason="PEP 728 came with 4.13")
def test_unpacked_keyword_parameters_may_be_closed():
    """PEP 728."""

    class Closed(typing_extensions.TypedDict, closed=True):
        host: str

    class Extra(typing_extensions.TypedDict, extra_items=bool):  # type: ignore[call-arg]
        host: str

    def closed(**options: Unpack[Closed]): ...
    def extra(**options: Unpack[Extra]): ...

    schema = {"type": "object", "properties": {"host": STRING}, "required": ["host"]}
    for profile in (profiles.MILO, profiles.MCP):
        assert function_to_schema(closed, profile=profile) == {
            **schema,
            "additionalProperties": False,
        }
        assert function_to_schema(extra, profile=profile) == {
            **schema,
            "additionalProperties": BOOLEAN,
        }


def test_unpacked_keyword_parameters_must_be_a_typed_dict():
    def command(name: str, **options: Unpack[int]): ...  # type: ignore[misc]

    assert warnings_of(command) == [
        "command(options): int is not a TypedDict; PEP 692 requires one",
    ]


def test_unpacked_keyword_parameters_with_a_missing_name_are_reported():
    """Its keys are parameters, so it is not to be lost in silence."""

    def command(name: str, **options: "Unpack[Missing]"): ...  # noqa: F821

    why = (
        "command(options): no 'Missing' in "
        f"{__name__}; import it there at run time, or pass localns="
    )
    assert warnings_of(command) == [why]
    with pytest.raises(SchemaError) as caught:
        function_to_schema(command, strict=True)
    assert str(caught.value) == why
    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"], localns={"Missing": Options})


def test_unpacked_positional_parameters_are_not_properties():
    def command(name: str, *args: Unpack[tuple[int, str]]): ...

    takes(command, {"name": STRING}, ["name"])


def test_unpacked_key_with_the_name_of_a_parameter_is_that_parameter():
    class Keys(typing.TypedDict):
        a: int
        b: bool

    def command(a: str, **keys: Unpack[Keys]): ...  # type: ignore[misc]

    assert function_to_schema(command, strict=True)["properties"] == {"a": STRING, "b": BOOLEAN}
