"""pydantic's models and fields."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic
import pydantic_core
import pytest

from milo_schema import (
    MinLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, json_to_value
from tests.fragments import INTEGER, STRING, any_of, array_of, exact, obj, record

T = TypeVar("T")


def test_a_default_that_is_a_pydantic_field_adds_constraints_and_a_description():
    def command(
        a: int = pydantic.Field(default=3, ge=1, description="A."),
        b: str = pydantic.Field(min_length=2),
        c: list[int] = pydantic.Field(default_factory=list),  # noqa: B008
        d=pydantic.Field(default=1),  # noqa: B008
    ): ...

    assert function_to_schema(command) == obj(
        ["b"],
        a={"type": "integer", "minimum": 1, "description": "A.", "default": 3},
        b={"type": "string", "minLength": 2},
        c=array_of(INTEGER),
        d={"default": 1},
    )


class Aliased(pydantic.BaseModel):
    x: int = pydantic.Field(alias="X")


def test_a_default_that_is_a_model_is_written_with_its_aliases():
    def command(model: Aliased = Aliased(X=1)): ...  # noqa: B008

    for profile in (profiles.MILO, profiles.FASTMCP):  # whose results have the names of fields
        schema = function_to_schema(command, profile=profile)
        assert schema["properties"]["model"]["default"] == {"X": 1}


class Chosen(pydantic.BaseModel):
    a: int = pydantic.Field(validation_alias=pydantic.AliasChoices("A1", "A2"))
    b: str = pydantic.Field("x", validation_alias=pydantic.AliasPath("deep", 1))


def test_a_model_has_the_names_of_its_constructor():
    assert function_to_schema(Chosen) == obj(
        ["A1"], A1=INTEGER, b={"type": "string", "default": "x"}
    )


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]


class Owner(pydantic.BaseModel):
    pet: Cat | Dog = pydantic.Field(discriminator="kind")


def test_a_discriminator_is_left_out():
    pet = exact(Owner)["properties"]["pet"]
    assert pet.keys() == {"anyOf"}
    assert [arm["properties"]["kind"]["const"] for arm in pet["anyOf"]] == ["cat", "dog"]


class Leaf(pydantic.BaseModel):
    kind: Literal["leaf"] = "leaf"


class Branch(pydantic.BaseModel):
    kind: Literal["branch"] = "branch"
    parts: list[Annotated["Leaf | Branch", pydantic.Field(discriminator="kind")]] = []


def test_a_tagged_union_requires_the_tag_even_if_it_has_a_default():
    """pydantic cannot tell its members apart without it; elsewhere, and in outputs, it may lack."""
    leaf_kind = {"const": "leaf", "default": "leaf", "type": "string"}
    branch_kind = {"const": "branch", "default": "branch", "type": "string"}

    def parts(*required: str) -> Any:
        members = any_of({"$ref": "#/$defs/Branch"}, obj(required, kind=leaf_kind))
        members["anyOf"].reverse()
        return array_of(members) | {"default": []}

    tagged = obj(["kind"], kind=branch_kind, parts=parts("kind"))
    untagged = obj([], kind=branch_kind, parts=parts("kind"))
    assert exact(Branch) == {**untagged, "$defs": {"Branch": tagged}}

    def prune(branch: Branch) -> Branch: ...

    output = obj([], kind=branch_kind, parts=parts())
    assert return_to_schema(prune) == {**output, "$defs": {"Branch": output}}
    both = {"parts": [{"kind": "leaf"}, {"kind": "branch"}]}
    assert json_to_value(both, Branch) == Branch(parts=[Leaf(), Branch()])
    with pytest.raises(ArgumentsError, match=r"\.parts\[0\]\.kind: required but not given"):
        json_to_value({"parts": [{}]}, Branch)
    with pytest.raises(ArgumentsError, match='kind: expected one of "leaf", "branch", got "x"'):
        json_to_value({"parts": [{"kind": "x"}]}, Branch)
    alone = Annotated[Leaf | Dog, pydantic.Field(discriminator="kind")]
    dog = obj(["kind"], kind={"const": "dog", "type": "string"})
    assert exact(alone) == any_of(obj(["kind"], kind=leaf_kind), dog)
    with pytest.raises(ArgumentsError, match=r"\.kind: required but not given"):
        json_to_value({}, alone)


class Black(pydantic.BaseModel):
    kind: Literal["cat"] = "cat"
    color: Literal["black"] = "black"


class White(pydantic.BaseModel):
    kind: Literal["cat"] = "cat"
    color: Literal["white"] = "white"


class Wolf(pydantic.BaseModel):
    kind: Literal["wolf"] = "wolf"


class Den(pydantic.BaseModel):
    cat: Annotated[Black | White, pydantic.Field(discriminator="color")]
    animal: Annotated[
        Annotated[Black | White, pydantic.Field(discriminator="color")] | Wolf,
        pydantic.Field(discriminator="kind"),
    ]


def test_a_tagged_union_of_tagged_unions_requires_the_tags_of_both():
    def animal(required: str, **tags: str) -> Any:
        properties = {
            name: {"const": tag, "default": tag, "type": "string"} for name, tag in tags.items()
        }
        return obj(required.split(), **properties)

    assert exact(Den) == record(
        cat=any_of(*(animal("color", kind="cat", color=each) for each in ("black", "white"))),
        animal=any_of(
            *(animal("kind color", kind="cat", color=each) for each in ("black", "white")),
            animal("kind", kind="wolf"),
        ),
    )


def test_members_that_a_function_tells_apart_may_overlap():
    whole = Annotated[int, pydantic.Tag("int")]
    real = Annotated[float, pydantic.Tag("float")]
    tag = pydantic.Discriminator(lambda value: "float")
    for number in (
        Annotated[whole | real, each] for each in (tag, pydantic.Field(discriminator=tag))
    ):
        assert type_to_schema(number) == {"anyOf": [INTEGER, {"type": "number"}]}  # 1 is both
        assert repr(json_to_value(1, number)) == "1.0"


class Odd(pydantic.BaseModel):
    """Its author knows better."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        return {"type": "object", "default": float("nan")}


class Refusing(pydantic.BaseModel):
    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        raise ZeroDivisionError("oops")


def test_a_model_that_refuses_to_make_a_schema_is_an_unknown_type():
    with pytest.raises(SchemaError, match="pydantic has no JSON Schema for Refusing: oops"):
        exact(Refusing)
    with pytest.warns(SchemaWarning, match="Refusing: pydantic has no JSON Schema"):
        assert type_to_schema(Refusing) == STRING


def test_models_with_the_same_name_are_distinct():
    def model(tp: Any) -> Any:
        return pydantic.create_model("Same", x=(tp, ...))

    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(tuple[model(int), model(str)], profile=kept)  # type: ignore[misc]
    assert schema["$defs"] == {"Same": record(x=INTEGER), "Same_2": record(x=STRING)}


class Documented(pydantic.BaseModel):
    """What the model is."""

    x: int = 1


def test_a_docstring_describes_a_parameter_that_is_a_documented_model():
    def command(model: Documented):
        """Do it.

        Args:
            model: What to do it with.
        """

    schema = function_to_schema(command)
    assert schema["properties"]["model"]["description"] == "What to do it with."


class Linked(pydantic.BaseModel):
    model_config = {"json_schema_extra": {"$ref": "https://example.org/x.json"}}


def test_a_model_does_not_refer_to_the_network():
    with pytest.warns(SchemaWarning, match="inline it, or use"):
        assert type_to_schema(Linked) == STRING
    with pytest.raises(SchemaError) as caught:
        exact(Linked)
    assert caught.value.message == (
        "pydantic's schema of Linked: '$ref' must be a reference into this schema, "
        "not 'https://example.org/x.json'; inline it, or use walk.schema()"
    )


def test_with_json_schema_replaces_everything_except_our_markers():
    """pydantic's own constraints are about the value; pydantic leaves them out, too."""
    told = pydantic.WithJsonSchema({"type": "string"})
    for metadata in ((told, pydantic.Field(min_length=1)), (pydantic.Field(min_length=1), told)):
        assert exact(Annotated[(int, *metadata)]) == STRING
    for metadata in ((told, MinLen(1)), (MinLen(1), told)):
        assert exact(Annotated[(int, *metadata)]) == {"type": "string", "minLength": 1}


class Picky(pydantic.BaseModel):
    default: str = object()  # pydantic warns that it is not JSON; here it is left out
    choice: int | Callable[[int], int] = 3


def test_a_warning_of_pydantic_is_reported_with_its_path():
    def f() -> Picky: ...

    reason = "Cannot generate a JsonSchema for core_schema.CallableSchema"
    with pytest.warns(SchemaWarning) as caught:
        schema = return_to_schema(f) or {}
    assert [str(each.message) for each in caught] == [
        f"f() -> result: pydantic's schema of Picky: {reason}"
    ]
    assert schema["properties"] == {"default": STRING, "choice": {"type": "integer", "default": 3}}
    with pytest.raises(SchemaError, match=reason):
        return_to_schema(f, strict=True)


@dataclass
class Told:
    """A class.

    Attributes:
        b: A b.
    """

    a: int = pydantic.Field(ge=1, description="An a.")
    b: int = pydantic.Field(3, le=9)
    c: list[int] = pydantic.Field(default_factory=list)  # noqa: RUF009 - what pydantic takes


def test_pydantics_field_is_read_in_a_dataclass():
    assert exact(Told) == obj(
        ["a"],
        a={"type": "integer", "minimum": 1, "description": "An a."},
        b={"type": "integer", "maximum": 9, "description": "A b.", "default": 3},
        c=array_of(INTEGER),
    ) | {"description": "A class."}


def test_equal_models_that_refer_to_different_models_are_two_definitions():
    def wrapper(kind):
        class Inner(pydantic.BaseModel):
            x: kind

        class Outer(pydantic.BaseModel):
            inner: Inner

            @classmethod
            def __get_pydantic_json_schema__(cls, core, handler):
                return handler(core)

        class Wrapper(pydantic.BaseModel):
            outer: Outer

            @classmethod
            def __get_pydantic_json_schema__(cls, core, handler):
                return handler(core)

        return Wrapper

    schema = type_to_schema(tuple[wrapper(int), wrapper(str)], profile=profiles.MCP)
    found = [
        each["properties"]["outer"]["properties"]["inner"]["properties"]["x"]
        for each in schema["prefixItems"]
    ]
    assert found == [INTEGER, STRING]


def test_field_whose_hook_omits_it_is_left_out() -> None:
    class Omitted:
        def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> Any:
            raise pydantic_core.PydanticOmit

    class Model(pydantic.BaseModel):
        name: str
        hidden: Annotated[int, Omitted()] = 1

    assert type_to_schema(Model, profile=profiles.MCP) == record(name=STRING)


class Tea(pydantic.BaseModel):
    name: str


class Leaves(pydantic.BaseModel, Generic[T]):
    items: list[T]


TEA = Tea(name="a")


@pytest.mark.parametrize(
    "annotation",
    [Leaves[Tea], Leaves[Any], Leaves[dict[str, str]], Leaves],
    ids=str,
)
@pytest.mark.parametrize(
    "wrap",
    [lambda tp: tp, lambda tp: list[tp], lambda tp: tp | None],
    ids=["itself", "list", "optional"],
)
def test_a_generic_model_stands_whatever_its_arguments_were(annotation, wrap):
    """A model that is made without its arguments is of another class than the annotation."""

    def find(): ...

    for made in (Leaves(items=[TEA]), Leaves[Tea](items=[TEA]), Leaves[Any](items=[TEA])):
        is_list = wrap(annotation) == list[annotation]
        value: Any = [made] if is_list else made
        options: Any = {"returns": wrap(annotation), "profile": profiles.MCP}
        tool = tool_schema(find, **options)
        found = tool.result(value)["structuredContent"]
        assert found == ([LEAVES] if is_list else LEAVES)


LEAVES = {"items": [{"name": "a"}]}


def test_a_generic_model_with_other_arguments_is_refused_if_its_json_is():
    def find() -> Leaves[int]: ...

    tool = tool_schema(find)
    with pytest.raises(SchemaError, match=r"result: <Leaves object> is not a Leaves\[int\]"):
        tool.result(Leaves(items=["x"]))
