"""``*args`` and ``**kwargs``, and the keys of an unpacked TypedDict."""

import sys
from typing import Any, Required, TypedDict, Unpack

import pytest
import typing_extensions

from milo_schema import Profile, SchemaError, SchemaWarning, function_to_schema, profiles
from milo_schema.arguments import ArgumentsError, bind
from tests.callables.helpers import command, takes, warnings_of
from tests.callables.samples import NAME, NAME_AND_PORT, OPTIONS, Options
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, any_of, record

EVERY_PROFILE = pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
NAME_AND_OPTIONS = {**NAME, **OPTIONS}


class MoreOptions(Options, total=False):
    secure: Required[bool]
    token: str | None


class Keys(TypedDict):
    a: int
    b: bool


# Before 3.12, a TypedDict does not know its bases, nor their docstrings.
HOST = OPTIONS["host"] if sys.version_info >= (3, 12) else STRING
MORE = {"host": HOST, "port": INTEGER, "secure": BOOLEAN, "token": STRING}
NULLABLE_TOKEN = {"token": any_of(STRING, NULL)}

SIGNATURES: list[tuple[str, Any, list[str], dict[str, Any]]] = [
    # those of *args are not properties, those of **kwargs are additional ones in profile MCP
    ("name: str, *args: int, port: int = 443", NAME_AND_PORT, ["name"], {}),
    ("name: str, *args: Unpack[tuple[int, str]]", NAME, ["name"], {}),
    ("name: str, **options: int", NAME, ["name"], {"extra": INTEGER}),
    ("name: str, **options", NAME, ["name"], {"extra": None}),
    ("name: str, **options: Any", NAME, ["name"], {"extra": True}),
    ("**options: int | None", {}, [], {"extra": any_of(INTEGER, NULL)}),
    # the keys of a TypedDict are parameters, with their own required list (PEP 692)
    ("name: str, **options: Unpack[Options]", NAME_AND_OPTIONS, ["name", "host"], {}),
    ("name: str, **options: te.Unpack[Options]", NAME_AND_OPTIONS, ["name", "host"], {}),
    ("name: str, **options: 'Unpack[Options]'", NAME_AND_OPTIONS, ["name", "host"], {}),
    ("name: str, **options: \"te.Unpack['Options']\"", NAME_AND_OPTIONS, ["name", "host"], {}),
    ("**options: Unpack[MoreOptions]", MORE, ["host", "secure"], {"exact": NULLABLE_TOKEN}),
    ("**options: Unpack[Options]", {"port": INTEGER}, [], {"exclude": ["host"]}),
    ("a: str, **keys: Unpack[Keys]", {"a": STRING, "b": BOOLEAN}, ["a", "b"], {}),
]  # fmt: skip


@every("row", SIGNATURES)
def test_a_variadic_parameter_is_no_property_but_an_unpacked_key_is_one(row):
    signature, properties, required, options = row
    names = {"te": typing_extensions, "Options": Options, "MoreOptions": MoreOptions, "Keys": Keys}
    takes(command(signature, **names), properties, required, strict=True, **options)


@EVERY_PROFILE
@pytest.mark.parametrize("variadics", ["omit", "open"])
def test_a_profile_may_omit_variadics_or_open_the_object_for_them(profile, variadics):
    func = command("name: str, *args: int, **options: int")
    closed = {"additionalProperties": False} if profile is profiles.MCP else {}
    further = {"additionalProperties": INTEGER} if variadics == "open" else closed
    schema = function_to_schema(func, profile=profile.replace(variadics=variadics))
    assert schema == record(**NAME) | further


@pytest.mark.parametrize(
    ("signature", "doc", "further"),
    [
        ("**options", "More of them.", {}),
        ("**options: int", "", {"additionalProperties": INTEGER}),
        ("**options: int", "More of them.",
         {"additionalProperties": INTEGER | {"description": "More of them."}}),
    ],
)  # fmt: skip
def test_further_keywords_of_an_open_profile_are_described(signature, doc, further):
    func = command(signature)
    func.__doc__ = f"Run it.\n\nArgs:\n    options: {doc}"
    opening = Profile(name="OPEN", variadics="open")
    assert function_to_schema(func, profile=opening, strict=True) == record() | further


@EVERY_PROFILE
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "default"])
@pytest.mark.parametrize(("signature", "name"), [("*args: int", "args"), ("**o: int", "o")])
def test_a_profile_may_refuse_variadics_but_not_unpacked_keys(profile, strict, signature, name):
    refusing = profile.replace(variadics="error")
    with pytest.raises(SchemaError) as caught:
        function_to_schema(command(signature), profile=refusing, strict=strict)
    reason = "no JSON Schema for variadic parameters; name each of them"
    assert str(caught.value) == f"command({name}): {reason}"
    keys = command("name: str, **options: Unpack[Options]", Options=Options)
    assert list(function_to_schema(keys, profile=refusing)["properties"]) == [*NAME_AND_OPTIONS]


def test_an_unpacked_key_is_described_by_the_function():
    func = command("**options: Unpack[Options]", Options=Options)
    func.__doc__ = "Do it.\n\nArgs:\n    host: The host.\n    port: The port."
    host, port = STRING | {"description": "The host."}, INTEGER | {"description": "The port."}
    takes(func, {"host": host, "port": port}, ["host"])


@pytest.mark.skipif(not hasattr(typing_extensions, "NoExtraItems"), reason="PEP 728 came with 4.13")
def test_unpacked_keyword_parameters_may_be_closed():
    """PEP 728."""

    class Closed(typing_extensions.TypedDict, closed=True):
        host: str

    class Extra(typing_extensions.TypedDict, extra_items=bool):  # type: ignore[call-arg]
        host: str

    def closed(**options: Unpack[Closed]): ...
    def extra(**options: Unpack[Extra]): ...

    class Other(typing_extensions.TypedDict, extra_items=complex):  # type: ignore[call-arg]
        host: str

    with pytest.raises(SchemaError, match=r"^command\{\}: no JSON Schema for complex"):
        function_to_schema(command("**options: Unpack[Other]", Other=Other), strict=True)
    schema = record(host=STRING)
    for profile in (profiles.MILO, profiles.MCP):
        assert function_to_schema(closed, profile=profile) == schema | {
            "additionalProperties": False
        }
        assert function_to_schema(extra, profile=profile) == schema | {
            "additionalProperties": BOOLEAN
        }


def test_unpacked_keyword_parameters_must_be_a_typed_dict():
    assert warnings_of(command("name: str, **options: Unpack[int]")) == [
        "command(options): int is not a TypedDict; PEP 692 requires one"
    ]


def test_unpacked_keyword_parameters_with_a_missing_name_are_reported():
    """Its keys are parameters, so it is not to be lost in silence."""
    func = command("name: str, **options: 'Unpack[Missing]'")
    why = (
        f"command(options): no 'Missing' in {func.__module__}; "
        "import it there at run time, or pass localns="
    )
    assert warnings_of(func) == [why]
    with pytest.raises(SchemaError) as caught:
        function_to_schema(func, strict=True)
    assert (str(caught.value), caught.value.code) == (why, "unresolved-name")
    takes(func, NAME_AND_OPTIONS, ["name", "host"], localns={"Missing": Options})


@pytest.mark.parametrize("options", ["'Unpack[Missing]'", "Unpack[int]"])
def test_a_call_does_without_the_keys_of_what_is_no_typed_dict(options):
    """They are unknown, so any are allowed, but no other parameter is set by them."""
    func = command(f"name: str, **options: {options}")
    with pytest.warns(SchemaWarning):
        schema = function_to_schema(func, profile=profiles.MCP)
    assert schema == record(name=STRING) | {"additionalProperties": True}
    assert bind(func, {"name": "a"}).arguments == {"name": "a"}
    bound = bind(func, {"name": "a", "port": 1}, profile=profiles.MCP)
    assert bound.kwargs == {"name": "a", "port": 1}
    with pytest.raises(ArgumentsError, match="unknown argument"):
        bind(func, {"name": "a", "port": 1})
