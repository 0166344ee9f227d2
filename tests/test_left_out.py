"""Parameters that the schema leaves out: every way, for every reader, in every form.

A parameter that a framework fills in must not be shown to a model, which could forge it.
"""

import dataclasses
import warnings
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    NewType,
    NotRequired,
    Required,
    Self,
    TypedDict,
    Unpack,
)

import pytest
import typing_extensions

from milo_schema import Injected, Profile, SchemaError, SchemaWarning, function_to_schema
from tests.every import every
from tests.left_out import (
    BY_MARKER,
    CANNOT_BE,
    FORMS,
    IN_CONTAINERS,
    PLACES,
    PLAIN,
    WAYS,
    Session,
    T,
    alias,
    as_parameter,
    in_dataclass,
    in_model,
    in_typed_dict,
    in_unpacked_keys,
)
from tests.modules import module_from
from tests.needs import lacking

NAME_ONLY = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
OTHER = PLAIN.replace(injected_names={"other"}, injected_classes={"Other"})


every_way = every("way", WAYS)


def shown(func, *, profile: Profile = PLAIN, exclude: Any = ()):
    """The parameters that a caller sees, or the reason why there is no schema."""
    try:
        return function_to_schema(func, strict=True, profile=profile, exclude=exclude)
    except SchemaError as problem:
        return str(problem)


def not_left_out(annotation, **options):
    """The parameters that a caller sees, for readers that show more than the other parameter."""
    found = {place.__name__: shown(place(annotation), **options) for place in PLACES}
    return {name: schema for name, schema in found.items() if schema != NAME_ONLY}


@pytest.mark.parametrize("form", FORMS)
def test_parameter_is_left_out_by_every_reader(form):
    found = {}
    for way, (tp, text, options) in WAYS.items():
        if (form, way) not in CANNOT_BE:
            found[way] = not_left_out(FORMS[form](tp, text), **options)
    assert {way: readers for way, readers in found.items() if readers} == {}
    assert len(found) > len(WAYS) // 2


@pytest.mark.parametrize("form", sorted(IN_CONTAINERS))
def test_a_plain_name_leaves_no_container_out(form):
    tp, text, options = WAYS["plain name in injected_classes"]
    annotation = FORMS[form](tp, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)  # a Session has no schema
        for place in PLACES:
            schema = function_to_schema(place(annotation), **options)
            assert sorted(schema["properties"]) == ["given", "name"], place.__name__


@pytest.mark.parametrize("form", FORMS)
def test_parameter_is_kept_if_nothing_leaves_it_out(form):
    annotation = FORMS[form](Session, "Session")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)  # names without their module
        for place in PLACES:
            func = place(annotation)
            for schema in (
                function_to_schema(func, profile=PLAIN),
                function_to_schema(func, profile=PLAIN, exclude=["other", complex]),
                function_to_schema(func, profile=OTHER),
            ):
                assert sorted(schema["properties"]) == ["given", "name"], place.__name__


@pytest.mark.parametrize("form", ["itself", "X | None", "Annotated", "string", "alias", "NewType"])
def test_marker_may_be_called(form):
    """``Injected()`` is the same as ``Injected``."""
    annotation = FORMS[form](Annotated[Session, Injected()], "Annotated[Session, Injected()]")
    assert not_left_out(annotation) == {}


@pytest.mark.parametrize(
    "exclude",
    ["given", ("given",), {"given"}, Session, (Session,), {Session}, ["given", Session, int]],
    ids=[
        "name",
        "tuple of a name",
        "set of a name",
        "type",
        "tuple of a type",
        "set of a type",
        "list",
    ],
)
def test_exclude_is_a_name_or_a_type_or_a_collection_of_them(exclude):
    assert not_left_out(Session, exclude=exclude) == {}


# -- for some readers only ---------------------------------------------------------------------


@every_way
@pytest.mark.parametrize(
    ("place", "qualifiers"),
    [
        (in_typed_dict, [Required, NotRequired, typing_extensions.ReadOnly]),
        (in_unpacked_keys, [Required, NotRequired, typing_extensions.ReadOnly]),
        (in_dataclass, [Final, dataclasses.InitVar]),
    ],
)
def test_field_with_a_qualifier_is_left_out(place, qualifiers, way):
    tp, _, options = WAYS[way]
    for qualifier in qualifiers:
        assert shown(place(qualifier[tp]), **options) == NAME_ONLY


@every_way
@pytest.mark.parametrize(
    "form",
    ["itself", "Annotated", "string", "X | None", "Annotated[X] | None", "alias", "NewType"],
)
def test_field_of_a_model_is_left_out(form, way):
    tp, text, options = WAYS[way]
    assert shown(in_model(FORMS[form](tp, text)), **options) == NAME_ONLY


@every_way
@pytest.mark.parametrize("kind", ["*", "**"])
def test_variadic_parameter_is_left_out_before_it_is_refused(kind, way):
    tp, _, options = WAYS[way]

    def args(*given: tp, name: str): ...
    def kwargs(name: str, **given: tp): ...

    assert shown({"*": args, "**": kwargs}[kind], **options) == NAME_ONLY


# -- arguments of type parameters --------------------------------------------------------------


def in_method_of_a_generic_base(tp):
    class Commands(Generic[T]):
        def run(self, name: str, given: T): ...

    class Local(Commands[tp]): ...

    return Local().run


def in_generic_dataclass(tp):
    @dataclass
    class Local(Generic[T]):
        name: str
        given: T

    return Local[tp]


def in_generic_unpacked_keys(tp):
    class Options(TypedDict, Generic[T]):
        given: T

    def run(name: str, **options: Unpack[Options[tp]]): ...

    return run


@every_way
@pytest.mark.parametrize(
    "place", [in_method_of_a_generic_base, in_generic_dataclass, in_generic_unpacked_keys]
)
def test_type_parameter_is_left_out_like_its_argument(place, way):
    tp, _, options = WAYS[way]
    assert shown(place(tp), **options) == NAME_ONLY


@every_way
def test_self_is_left_out_like_its_class(way):
    tp = Annotated[Self, Injected] if way in BY_MARKER else Self

    class Local(Session):
        def run(self, name: str, given: tp): ...

    assert shown(Local("me").run, **WAYS[way][2]) == NAME_ONLY


# -- syntax that not every Python has ----------------------------------------------------------


@pytest.mark.skipif(bool(lacking("python>=3.12")), reason=lacking("python>=3.12"))
@every_way
@pytest.mark.parametrize("value", ["{}", "{} | None", "Annotated[{}, 'The session.']"])
def test_parameter_of_a_type_statement_is_left_out(value, way):
    _, text, options = WAYS[way]
    source = f"type Current = {value.format(text)}\ndef run(name: str, given: Current): ..."
    module = module_from(source, Session=Session, Annotated=Annotated, Injected=Injected)
    assert shown(module.run, **options) == NAME_ONLY


@pytest.mark.skipif(bool(lacking("python>=3.12")), reason=lacking("python>=3.12"))
@every_way
def test_parameter_of_a_bounded_type_parameter_is_left_out(way):
    _, text, options = WAYS[way]
    source = f"def run[S: {text}](name: str, given: S): ..."
    module = module_from(source, Session=Session, Annotated=Annotated, Injected=Injected)
    assert shown(module.run, **options) == NAME_ONLY


@pytest.mark.parametrize("future", [True, False], ids=["PEP 563", "PEP 649"])
@every("way", [way for way in WAYS if way != "base class in exclude"])
@pytest.mark.parametrize("value", ["{}", "{} | None", "Annotated[{}, 'The session.']"])
def test_parameter_whose_class_is_not_imported_is_left_out(value, way, future):
    """As with ``if TYPE_CHECKING: from there import Session``."""
    if not future and lacking("python>=3.14"):
        pytest.skip(lacking("python>=3.14"))
    _, text, options = WAYS[way]
    source = f"def run(name: str, given: {value.format(text)}): ..."
    module = module_from(source, future=future, Annotated=Annotated, Injected=Injected)
    assert shown(module.run, **options) == NAME_ONLY


# -- which classes a name means ----------------------------------------------------------------


class LocalSession(Session[int]): ...


@pytest.mark.parametrize(
    "excluded",
    [{"exclude": [LocalSession]}, {"profile": PLAIN.replace(injected_classes="LocalSession")}],
    ids=["exclude", "injected_classes"],
)
def test_base_class_is_kept_if_only_a_subclass_is_left_out(excluded):
    assert shown(as_parameter(LocalSession), **excluded) == NAME_ONLY
    assert shown(as_parameter(Session), **excluded) == shown(as_parameter(Session))


@pytest.mark.parametrize(
    "name",
    ["Base", f"{Session.__module__}.Session", f"{Session.__module__}.Base"],
    ids=["base class", "dotted", "dotted base class"],
)
def test_parameter_is_left_out_by_another_name_of_its_class(name):
    profile = PLAIN.replace(injected_classes={name})
    assert shown(as_parameter(Session), profile=profile) == NAME_ONLY


@pytest.mark.parametrize("excluded", [{}, {"exclude": [Session]}], ids=["nothing", "a class"])
def test_unresolved_alias_affects_only_its_own_parameter(excluded):
    def run(name: str, given: alias("Missing")): ...

    with pytest.warns(SchemaWarning, match=r"^run\(given\): no 'Missing' in "):
        schema = function_to_schema(run, profile=PLAIN, **excluded)
    assert schema["properties"] == {"name": {"type": "string"}, "given": {}}


def test_excluded_type_need_not_be_a_class():
    """It is recognized by identity, and a union has no name that a string could have."""
    current, last = NewType("Current", str), alias(str)
    either = str | Session
    for tp in (current, last, either):
        assert shown(as_parameter(tp), exclude=[tp]) == NAME_ONLY
        assert shown(in_unpacked_keys(tp), exclude=[tp]) == NAME_ONLY
        assert shown(as_parameter(str), exclude=[tp])["required"] == ["name", "given"]
        assert shown(as_parameter("there.Session"), exclude=[tp, Session]) == NAME_ONLY
