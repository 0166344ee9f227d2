"""pydantic's models, dataclasses and fields."""

from dataclasses import dataclass
from typing import Annotated, Generic, Literal

import pydantic

from tests.cases.case import Case
from tests.cases.data_classes import Bare
from tests.cases.shared import T
from tests.fragments import INTEGER, NULL, NUMBER, STRING, Json, obj


class User(pydantic.BaseModel):
    """Who it is."""

    name: str
    age: int = pydantic.Field(default=0, ge=0, description="In years.")
    email: str | None = None


class Camel(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    first_name: str = pydantic.Field(alias="firstName")
    tags: list[str] = pydantic.Field(default_factory=list, max_length=3)


class WithExtra(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(json_schema_extra={"x-kind": "thing"})

    title: str = pydantic.Field(title="Its title", json_schema_extra={"x-order": 1})


class Team(pydantic.BaseModel):
    lead: User
    members: list[User]


class Branch(pydantic.BaseModel):
    children: "list[Branch]" = []


class Tags(pydantic.RootModel[list[str]]):
    pass


class Wrapper(pydantic.BaseModel, Generic[T]):
    value: T


@pydantic.dataclasses.dataclass
class Checked:
    x: Annotated[int, pydantic.Field(gt=0)]
    y: str = "a"


@dataclass
class Holder:
    user: User
    node: Bare


def _user(*, null: bool) -> Json:
    email: Json = (
        {"anyOf": [STRING, NULL], "default": None} if null else {**STRING, "default": None}
    )
    return obj(
        ["name"],
        name=STRING,
        age={"type": "integer", "minimum": 0, "default": 0, "description": "In years."},
        email=email,
    ) | {"description": "Who it is."}


_BRANCH: Json = obj(
    [], children={"type": "array", "items": {"$ref": "#/$defs/Branch"}, "default": []}
)

PYDANTIC = [
    Case(Annotated[float, pydantic.AllowInfNan(False)], NUMBER, accepts=(1.5,), rejects=("a",),
         id="pydantic.AllowInfNan"),
    Case(User, mcp=_user(null=True), milo=_user(null=False),
         accepts=({"name": "a"}, {"name": "a", "email": None}),
         rejects=({}, {"name": "a", "age": -1})),
    Case(Camel, obj(["firstName"], firstName=STRING,
           tags={"type": "array", "items": STRING, "maxItems": 3})
               | {"additionalProperties": False}, accepts=({"firstName": "a"},),
         rejects=({"first_name": "a"}, {"firstName": "a", "b": 1})),
    Case(WithExtra, obj(["title"], title={"type": "string", "title": "Its title",
             "x-order": 1}) | {"x-kind": "thing"}, accepts=({"title": "a"},), rejects=({},)),
    Case(Team, mcp=obj(["lead", "members"], lead=_user(null=True),
           members={"type": "array", "items": _user(null=True)}),
         milo=obj(["lead", "members"], lead=_user(null=False),
           members={"type": "array", "items": _user(null=False)}),
         accepts=({"lead": {"name": "a"}, "members": []},), rejects=({"lead": {}, "members": []},)),
    Case(Branch, {**_BRANCH, "$defs": {"Branch": _BRANCH}}, accepts=({"children": [{}]},),
         rejects=({"children": [1]},)),
    Case(Tags, {"type": "array", "items": STRING}, accepts=(["a"],), rejects=([1],)),
    Case(Wrapper[int], obj(["value"], value=INTEGER), accepts=({"value": 1},),
         rejects=({"value": "a"},), id="Wrapper[int]"),
    Case(Checked, obj(["x"], x={"type": "integer", "exclusiveMinimum": 0},
           y={"type": "string", "default": "a"}), accepts=({"x": 1},), rejects=({"x": 0},)),
    Case(list[User], mcp={"type": "array", "items": _user(null=True)},
         milo={"type": "array", "items": _user(null=False)}, accepts=([{"name": "a"}],),
         rejects=([{}],), id="list[User]"),
    Case(Holder, mcp=obj(["user", "node"], user=_user(null=True), node=obj(["x"], x=INTEGER)),
         milo=obj(["user", "node"], user=_user(null=False), node=obj(["x"], x=INTEGER)),
         accepts=({"user": {"name": "a"}, "node": {"x": 1}},),
         rejects=({"user": {}, "node": {"x": 1}},)),
    Case(Annotated[int, pydantic.Field(ge=1, le=9, description="Text.")],
         {"type": "integer", "minimum": 1, "maximum": 9, "description": "Text."}, accepts=(1,),
         rejects=(0,), id="pydantic.Field"),
    Case(Annotated[str, pydantic.Field(min_length=1, pattern="^a")],
         {"type": "string", "minLength": 1, "pattern": "^a"}, accepts=("a",), rejects=("b",),
         id="pydantic.Field str"),
    Case(Annotated[list[int], pydantic.Field(max_length=2, examples=[[1]])],
         {"type": "array", "items": INTEGER, "maxItems": 2, "examples": [[1]]}, accepts=([1],),
         rejects=([1, 2, 3],), id="pydantic.Field list"),
    Case(Annotated[int, pydantic.Field(deprecated=True, json_schema_extra={"x": 1})],
         {"type": "integer", "deprecated": True, "x": 1}, accepts=(1,), rejects=("a",),
         id="pydantic.Field deprecated"),
    Case(Annotated[Literal["a", "b"], pydantic.WithJsonSchema({"type": "string",
               "pattern": "^[ab]$"}), "Text."], mcp={"type": "string", "pattern": "^[ab]$",
           "description": "Text."}, milo={"type": "string", "pattern": "^[ab]$"}, accepts=("a",),
         rejects=("c", 1), id="pydantic WithJsonSchema"),
    Case(pydantic.StrictInt, INTEGER, accepts=(1,), rejects=("a",), id="pydantic.StrictInt"),
    Case(pydantic.PositiveInt, {"type": "integer", "exclusiveMinimum": 0}, accepts=(1,),
         rejects=(0,), id="pydantic.PositiveInt"),
    Case(pydantic.conlist(int, min_length=1), {"type": "array", "items": INTEGER, "minItems": 1},
         accepts=([1],), rejects=([],), id="pydantic.conlist"),
    Case(pydantic.constr(pattern="^a"), {"type": "string", "pattern": "^a"}, accepts=("a",),
         rejects=("b",), id="pydantic.constr"),
]  # fmt: skip
