"""Profiles as arguments, and the schemas in them."""

import ast
import inspect
import re
import warnings
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import pytest
from typing_extensions import TypeAliasType

from milo_schema import (
    MinLen,
    Profile,
    SchemaError,
    SchemaWarning,
    ToolAnnotations,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.checks import check
from tests.fragments import fixed
from tests.inside import reader, session

pytestmark = pytest.mark.core


@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, type_to_schema])
def test_the_name_of_a_profile_is_not_a_profile(derive):
    with pytest.raises(SchemaError) as caught:
        derive(len, profile="MCP")
    assert str(caught.value) == "profile must be a Profile, such as profiles.MCP, not 'MCP'"


def untyped(a) -> complex: ...


def with_schema(field: str, schema: Any) -> Profile:
    fields: dict[str, Any] = {field: schema}
    return profiles.MILO.replace(**fields)


@pytest.mark.parametrize(
    ("field", "derive", "path"),
    [
        ("unknown", lambda profile: type_to_schema(complex, profile=profile), "complex"),
        ("untyped", lambda profile: function_to_schema(untyped, profile=profile), "untyped(a)"),
        ("box", lambda profile: return_to_schema(untyped, profile=profile), "untyped() -> result"),
    ],
)
@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_the_schemas_in_a_profile_are_checked_against_the_meta_schema(field, derive, path):
    nested = {"anyOf": [{"type": "string"}, {"type": "number"}]}
    profile = with_schema(field, nested)
    first, second = derive(profile), derive(profile)
    assert first == second
    for keywords, why in (
        ({"type": "text"}, "'type' must be a JSON type or a list of them, not 'text'"),
        (
            {"default": object()},
            "it contains an instance of object, which cannot be written as JSON",
        ),
    ):
        with pytest.raises(SchemaError) as caught:
            derive(with_schema(field, keywords))
        assert caught.value.message == f"the profile's {field!r} is not a valid schema: {why}"
        assert (caught.value.path, caught.value.code) == (path, "invalid-schema")
    arms = [schema.get("properties", {}).get("a", schema)["anyOf"] for schema in (first, second)]
    arms[0][0].clear()
    assert arms[1] == nested["anyOf"]


@pytest.mark.parametrize(("option", "text"), [(True, {"description": "Text."}), (False, {})])
def test_a_bare_string_is_a_description_if_the_profile_says_so(option, text):
    profile = MCP.replace(bare_descriptions=option)
    schema = type_to_schema(Annotated[int, "Text."], profile=profile)
    assert schema == {"type": "integer", **text}


@pytest.mark.parametrize(
    ("outputs", "text"),
    [(True, {"description": "A number."}), ({"docstrings": "never"}, {})],
)
def test_the_docstring_describes_the_output_if_the_profile_says_so(outputs, text):
    def count() -> int:
        """Count.

        Returns:
            A number.
        """

    schema = return_to_schema(count, profile=MCP.replace(box=None, outputs=outputs))
    assert schema == {"type": "integer", **text}


def nested(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation]
    return annotation


@pytest.mark.parametrize("limit", [1, 10])
def test_maximum_depth_is_exact(limit, monkeypatch):
    monkeypatch.setattr(reader, "MAX_LEVELS", limit)
    expected: dict[str, Any] = {"type": "integer"}
    for _ in range(limit):
        expected = {"type": "array", "items": expected}
    assert type_to_schema(nested(limit), profile=MCP) == expected
    with pytest.raises(SchemaError) as caught:
        type_to_schema(nested(limit + 1), profile=MCP)
    assert caught.value.message == f"nested deeper than {limit} levels"


Items = TypeAliasType("Items", "list[Items | str]")


def test_maximum_number_of_subschemas_is_exact(monkeypatch):
    """A tuple, two lists, and the item of the first one: four at the second list."""

    def limited(annotation: Any, most: int) -> Any:
        for module in (reader, session):
            monkeypatch.setattr(module, "MAX_SUBSCHEMAS", most)
        return type_to_schema(annotation, profile=MCP)

    annotation = tuple[list[int], list[int]]
    array = {"type": "array", "items": {"type": "integer"}}
    assert limited(annotation, 4) == fixed(array, array)
    with pytest.raises(SchemaError) as caught:
        limited(annotation, 3)
    assert caught.value.message == "more than 3 subschemas"
    with_union = tuple[int | str, list[int]]
    assert limited(with_union, 5)["maxItems"] == 2
    with pytest.raises(SchemaError):
        limited(with_union, 4)
    with_copy = Annotated[Items, MinLen(1)]  # of three subschemas, beside the seven that are read
    assert limited(with_copy, 10)["minItems"] == 1
    with pytest.raises(SchemaError):
        limited(with_copy, 9)


EVRYTHING = (
    "closed='evrything' is not one of 'nothing', 'parameters', 'everything'; "
    "did you mean everything?"
)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"closed": "evrything"}, EVRYTHING),
        ({"closed": True}, "closed=True is not one of 'nothing', 'parameters', 'everything'"),
        ({"variadics": "opened"}, (
            "variadics='opened' is not one of 'omit', 'open', 'properties', 'error'; "
            "did you mean open?")),
        ({"generators": "lst"},
         "generators='lst' is not one of 'item', 'list', 'nothing'; did you mean list?"),
        ({"outputs": {"closed": "evrything"}}, EVRYTHING),
        ({"outputs": {"name": "mine"}}, "outputs cannot change the field 'name'"),
        ({"outputs": {"outputs": False}}, "outputs cannot change the field 'outputs'"),
        ({"tool_description": ("prose", "return")},
         ("tool_description='return' is not one of 'first_line', 'summary', 'prose', 'returns', "
          "'raises', 'examples', 'docstring'; did you mean returns?")),
        ({"docstrings": False}, "docstrings=False is not one of 'last', 'first', 'never'"),
        ({"unwrap_none": "default"}, (
            "unwrap_none='default' is not one of True, False, 'if_default'; "
            "did you mean if_default?")),
        ({"failure": None},
         "failure=None is not one of 'warn', 'error', 'open', 'none'; did you mean none?"),
        ({"types": {"Money": {}}}, (
            "types has 'Money', which names no module; "
            "pass the class itself, or its dotted name, such as 'shop.Money'")),
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_option_is_an_immediate_error(options, reason):
    makers = [lambda: Profile(name="mine", **options), lambda: profiles.MCP.replace(**options)]
    if "types" in options:
        makers.append(lambda: profiles.MCP.with_types(options["types"]))
    for make in makers:
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared below
            make()
        assert str(caught.value) == reason


# -- how a profile is shown --------------------------------------------------------------------

MCP = profiles.MCP


def numbered(schema: dict[str, Any], _report: Any) -> dict[str, Any]:
    return schema


@pytest.mark.parametrize(
    ("profile", "shown"),
    [
        (MCP, "<Profile MCP>"),
        (Profile(name="X", inline=False), "<Profile X>"),
        (MCP.replace(inline=False), "<Profile MCP with inline=False>"),
        (MCP.replace(name="mine"), "<Profile mine: MCP>"),
        (MCP.replace(injected_classes=()), "<Profile MCP with injected_classes=set()>"),
        (MCP.replace(name="mine", inline="auto").with_injected(names={"b", "a"}),
         "<Profile mine: MCP with injected_names={'a', 'b'}, inline='auto'>"),
        (MCP.replace(inline=False).replace(name="mine"), "<Profile mine: MCP with inline=False>"),
        (MCP.replace(name="house", inline=False).replace(name="mine", closed="nothing"),
         "<Profile mine: house with closed='nothing'>"),
        (MCP.replace(inline=False).replace(inline=True), "<Profile MCP>"),
        (MCP.replace(transforms=[numbered], box={"x": 1}),
         "<Profile MCP with transforms=(numbered,), box={'x': 1}>"),
        (MCP.replace(untyped="The parameter with the name {name}, as it is written."),
         "<Profile MCP with untyped='The paramete...t is written.'>"),
    ],
)  # fmt: skip
def test_the_repr_of_a_profile_has_its_differences(profile, shown):
    assert repr(profile) == shown


# -- values are checked when they are set ------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("unwrap_none", 1, "unwrap_none=1 is not one of True, False, 'if_default'"),
        ("flatten", 1, "flatten=1 is not True or False"),
        ("name", None, "name=None is not a string"),
        ("result_type", 3, "result_type=3 is not a string or None"),
        ("optional", "requird", "optional='requird' is not one of 'absent', 'null', 'required'; "),
        ("inline", "atuo", "inline='atuo' is not one of True, False, 'auto'; did you mean auto?"),
        ("transforms", ["gemini"], "transforms has 'gemini', which is not a function"),
        ("injected_if", ["session"], "injected_if has 'session', which is not a function"),
        ("injected_if", "session", "injected_if has 'session', which is not a function"),
        ("injected_if", 3, "injected_if has 3, which is not a function"),
        ("injected_names", {3}, "injected_names has 3, which is not a name"),
        ("injected_names", 3, "injected_names has 3, which is not a name"),
        ("box", 3, "box=3 is not a dict of keywords, a tuple of that and functions, or None"),
        ("decoders", 3, "decoders=3 is not a dict"),
        ("decoders", {complex: 3}, "decoders[<class 'complex'>] must be a function, not 3"),
        ("encoders", {"shop.Money": str}, "encoders has 'shop.Money', which is a name; pass the "),
        ("types", "", "types='' is not a dict"),
        ("types", dict, "types=<class 'dict'> is not a dict"),
        ("types", [(int, {})], "types=[(<class 'int'>, {})] is not a dict"),
        ("types", 3, "types=3 is not a dict"),
        ("outputs", 3, "outputs=3 is not True, False or a dict of fields"),
        ("tool_description", 3, "tool_description=3 is not one of 'first_line', 'summary', "),
        ("types", {complex: "string"},
         "types[<class 'complex'>] must be a schema or a function, not 'string'"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_class_is_refused(field, value, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        MCP.replace(**{field: value})


def test_names_may_come_from_an_enum_class():
    class Names(str, Enum):
        CTX = "ctx"

    names: Any = Names
    assert MCP.replace(injected_names=names).injected_names == {"ctx"}


def test_an_error_while_reading_a_collection_of_names_is_not_replaced():
    def names():
        yield "ctx"
        raise TypeError("boom")

    with pytest.raises(TypeError, match=r"^boom$"):
        MCP.replace(injected_names=names())


def test_a_single_function_equals_a_list_of_one():
    profile = MCP.replace(transforms=numbered, injected_if=bool)
    assert (profile.transforms, profile.injected_if) == ((numbered,), (bool,))


def test_outputs_without_fields_are_outputs():
    assert MCP.replace(outputs={}) == MCP


def test_an_open_profile_refuses_a_single_annotation_without_a_schema():
    with pytest.raises(SchemaError, match=r"^complex: no JSON Schema for complex;"):
        type_to_schema(complex, profile=MCP.replace(failure="open"))


def test_type_checkers_know_each_field():
    fields = set(vars(profiles.MILO)) - {"name"}
    file = inspect.getsourcefile(Profile)
    assert file is not None
    source = ast.parse(Path(file).read_text(encoding="utf-8"))
    classes: dict[str, set[str]] = {}
    for node in ast.walk(source):
        if isinstance(node, ast.ClassDef):  # the first of a name; the second is for run time
            names = {ast.unparse(x.target) for x in node.body if isinstance(x, ast.AnnAssign)}
            classes.setdefault(node.name, names)
    assert classes["ProfileFields"] == fields, "milo_schema/profile.py: ProfileFields"


@pytest.mark.parametrize("field", ["injected_classes", "opaque_outputs", "output_signals"])
@pytest.mark.parametrize("value", [[5], 5, ["Context", 5]])
def test_a_member_that_is_neither_a_class_nor_a_name_is_refused_immediately(field, value):
    what = "a class, the name of one, or a function"
    what = what if field == "opaque_outputs" else "a class or the name of one"
    reason = f"{field} has 5, which is not {what}"
    with pytest.raises(ValueError, match=f"^{reason}$"):
        MCP.replace(**{field: value})


def test_an_output_without_a_schema_is_left_out_without_a_warning_if_the_profile_says_so():
    class Unknown: ...

    def find(word: str) -> Unknown: ...

    quiet = profiles.MCP_SDK.replace(outputs={"failure": "none"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert return_to_schema(find, profile=quiet) is None
        assert tool_schema(find, profile=quiet).output_schema is None
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        return_to_schema(find, profile=quiet, strict=True)
    with pytest.warns(SchemaWarning, match="no JSON Schema for"):
        assert return_to_schema(find, profile=profiles.MCP_SDK) is None
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        type_to_schema(Unknown, profile=profiles.MCP.replace(failure="none"))
    found = check(find, profile=quiet)
    assert [each.code for each in found if each.path == "find() -> result"] == ["fallback"]


def test_a_profile_says_what_none_and_hints_that_are_not_set_mean():
    def close(job: str) -> None:
        """Close a job."""

    schema = MCP.replace(null_outputs="schema")
    assert return_to_schema(close, profile=schema) == {"type": "null"}
    nothing = TypeAliasType("nothing", None)
    assert return_to_schema(close, returns=nothing, profile=schema) == {"type": "null"}
    assert tool_schema(close, profile=schema).call({"job": "a"})["structuredContent"] is None
    for options in ("none", "missing"):
        profile: Any = MCP.replace(null_outputs=options)  # type: ignore[arg-type]
        assert return_to_schema(close, profile=profile) is None
        assert return_to_schema(close, returns=nothing, profile=profile) is None
    for value in (False, True):
        hints = ToolAnnotations(idempotent=not value, title="Close")
        tool = tool_schema(close, profile=MCP.replace(unset_hints=value), annotations=hints)
        assert tool.annotations == ToolAnnotations(
            read_only=value,
            destructive=value,
            idempotent=not value,
            open_world=value,
            title="Close",
        )
    with pytest.raises(ValueError, match="unset_hints='no' is not one of None, False, True"):
        MCP.replace(unset_hints="no")  # type: ignore[arg-type]
