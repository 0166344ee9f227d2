"""The table of wire forms: each row is complete, and everything that reads the table knows it."""

import inspect
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_type_hints

import pydantic
import pytest

from milo_schema import SchemaError, ToolAnnotations, ToolSchema, profiles, tool_schema
from milo_schema.checks import check
from tests import judges
from tests.inside import WIRE_FORMS, NameRule, main

pytestmark = pytest.mark.core

ROOT = Path(__file__).parent.parent
ROWS = pytest.mark.parametrize("form", WIRE_FORMS.values(), ids=list(WIRE_FORMS))
TABLE = "milo_schema/tools/wire.py: _ROWS"
INPUT = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def forecast(city: str) -> dict[str, int]:
    """Forecast the weather."""
    return {}


def full_tool(**fields: Any) -> ToolSchema:
    tool = ToolSchema(
        name="forecast",
        title="Forecast",
        description="Forecast the weather.",
        input_schema=INPUT,
        output_schema={"type": "object"},
        input_examples=[{"city": "Oslo"}],
        annotations=ToolAnnotations(read_only=True),
        meta={"a/b": 1},
        icons=[{"src": "x"}],
    )
    return tool.replace(**fields)


def by_method(form: Any, tool: Any, **options: Any) -> Any:
    """``openai-responses`` is the form of ``to_openai(api="responses")``."""
    provider, _, api = form.name.partition("-")
    return getattr(tool, f"to_{provider}")(**({"api": api} if api else {}), **options)


# -- a row that is half built ------------------------------------------------------------------


TEXT = {"name": "forecast", "description": "Forecast the weather."}
OUTPUT = {"type": "object"}
EXAMPLES = {"input_examples": [{"city": "Oslo"}]}
WRITTEN: dict[str, Any] = {
    "mcp": {"name": "forecast", "title": "Forecast", "description": "Forecast the weather.",
          "inputSchema": INPUT, "outputSchema": OUTPUT, "annotations": {"readOnlyHint": True},
          "icons": [{"src": "x"}], "_meta": {"a/b": 1}},
    "openai": {"type": "function", "function": {**TEXT, "parameters": INPUT}},
    "openai-responses": {"type": "function", **TEXT, "parameters": INPUT, "output_schema": OUTPUT,
          "strict": False},
    "anthropic": {**TEXT, "input_schema": INPUT, **EXAMPLES},
    "gemini": {**TEXT, "parametersJsonSchema": INPUT, "responseJsonSchema": OUTPUT},
    "bedrock": {"toolSpec": {**TEXT, "inputSchema": {"json": INPUT}}},
}  # fmt: skip
"""What each form makes of the same tool, in full."""


def test_each_form_has_an_expected_definition():
    assert WRITTEN.keys() == WIRE_FORMS.keys(), f"tests/test_wire.py: WRITTEN, or {TABLE}"


@ROWS
def test_a_form_is_written_as_expected_by_its_method(form):
    written = by_method(form, full_tool())
    assert written == form.write(full_tool()) == WRITTEN[form.name]
    assert json.dumps(written) == json.dumps(WRITTEN[form.name])  # in the same order


def test_each_method_of_the_tool_has_a_form():
    others = {"to_json", "to_python"}
    methods = {name for name in vars(ToolSchema) if name.startswith("to_")} - others
    expected = {f"to_{name.partition('-')[0]}" for name in WIRE_FORMS}
    assert methods == expected, f"milo_schema/tools/definition.py: a method, or {TABLE}"


@ROWS
def test_each_form_is_a_choice_of_the_command_line(form, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # so that no name is broken at its hyphen
    monkeypatch.setattr(sys, "path", sys.path.copy())
    file = tmp_path / "tools_of_test_wire.py"
    file.write_text(f"{inspect.getsource(forecast)}", encoding="utf-8")
    assert main([f"{file}:forecast", "--as", form.name]) == 0
    del sys.modules[file.stem]  # the next file of this name is another one
    shown = "".join(capsys.readouterr().out.splitlines())
    assert f'"name": "{forecast.__name__}"' in shown

    assert main(["show", "--help"]) == 0
    helped = capsys.readouterr().out.partition("\n  --as FORM ")[2]
    assert form.name in re.split(r"[\s,]+", helped)


@ROWS
def test_the_check_of_names_uses_the_rule_of_each_provider(form):
    allowed = "".join(char for char in "_.-" if char in form.names.others)
    name = f"a{allowed}" + "a" * (form.names.longest - len(allowed))
    tool = full_tool(name=name[: form.names.longest - 1])
    assert name_problems(form, tool) == []
    if form.name == "mcp":
        assert name_problems(form, full_tool(name="a b"))
        return
    refused = full_tool(name=name[:64] + "." * 64 if "." not in allowed else "9")
    problem = form.names.problem(refused.name)
    assert name_problems(form, refused) == [f"not a valid {form.provider} tool name: {problem}"]
    with pytest.raises(SchemaError) as caught:
        form.write(refused)
    reason = f"is not a valid {form.provider} tool name: {problem}"
    assert str(caught.value) == f"{refused.name!r} {reason}; pass name="


def name_problems(form: Any, tool: ToolSchema) -> list[str]:
    return [
        each.message
        for each in check(tool, profile=profiles.PORTABLE)
        if each.code == "refused-tool-name" and f"valid {form.provider} tool name:" in each.message
    ]


@ROWS
def test_each_form_is_in_the_documentation(form):
    readme, page = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/command-line.md")
    )
    assert re.search(rf"\b{form.provider}\b", readme), "README.md"
    assert f"`{form.name}`" in page, "docs/command-line.md"


def test_the_page_about_tools_has_the_table():
    lines = (ROOT / "docs/tools.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| `--as` | Provider | Names | Fields | Options | Its own dialects |")
    rows = [
        f"| `{form.name}` | {form.provider} | {names_of(form.names)} "
        f"| {listed(form.keys.values())} | {listed(form.options)} | {listed(form.dialects)} |"
        for form in WIRE_FORMS.values()
    ]
    assert lines[start + 2 : start + 2 + len(rows)] == rows, "docs/tools.md: the table"
    assert lines[start + 2 + len(rows)] == ""


def listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "none"


def names_of(rule: NameRule) -> str:
    characters = " ".join(("A-Z a-z 0-9", *rule.others))
    start = f", first a letter or `{rule.starts_with}`" if rule.starts_with else ""
    return f"1 to {rule.longest} of `{characters}`{start}"


@ROWS
def test_the_dialects_of_a_form_are_those_of_profiles(form):
    dialects = {getattr(profiles, name).dialect for name in profiles.__all__ if name.isupper()}
    assert {*form.dialects} <= dialects


# -- names -------------------------------------------------------------------------------------


LONGEST = dict.fromkeys(("mcp", "anthropic", "gemini"), 128)
LONGEST |= dict.fromkeys(("openai", "openai-responses", "bedrock"), 64)


def test_each_form_has_an_expected_length_of_names():
    assert LONGEST.keys() == WIRE_FORMS.keys(), f"tests/test_wire.py: LONGEST, or {TABLE}"


@ROWS
def test_a_name_may_have_the_length_that_the_provider_allows(form):
    rule, longest = form.names, LONGEST[form.name]
    assert rule.problem("a") == rule.problem("a" * longest) == ""
    for length in (0, longest + 1):
        size = f"it must have 1 to {longest} characters, not {length}"
        assert rule.problem("a" * length) == size


# -- the fields of a form ----------------------------------------------------------------------


@ROWS
def test_a_form_has_only_the_fields_of_its_row(form):
    others: dict[str, Any] = {
        "name": "other",
        "title": "Other",
        "description": "Other.",
        "input_schema": {"type": "object", "properties": {"other": {}}},
        "output_schema": {"type": "object", "title": "Other"},
        "input_examples": [{"city": "Bergen"}],
        "annotations": ToolAnnotations(read_only=False),
        "meta": {"other": 1},
        "icons": [{"src": "other"}],
        "others": {"execution": {"taskSupport": "required"}},
    }
    written = form.write(full_tool())
    made = {field: form.write(full_tool(**{field: value})) for field, value in others.items()}
    changed = {field for field in made if made[field] != written}
    assert changed == {*form.keys, *(["others"] if form.has_others else [])}


# -- the dialect of a tool ---------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in profiles.__all__ if name.isupper()])
def test_a_tool_has_the_dialect_of_its_profile(name):
    def ping(host: str) -> str: ...

    named = {*judges.EVERY, "ELICITATION"}
    profile = getattr(profiles, name)
    assert profile.dialect == (name.lower() if name in named else None)
    assert tool_schema(ping, profile=profile).dialect == profile.dialect


def test_the_dialect_of_a_profile_is_the_last_one_that_its_transforms_write():
    both = [*profiles.GEMINI.transforms, *profiles.OPENAI_STRICT.transforms]
    mine = profiles.MCP.replace(transforms=[*both, lambda schema, report: schema])
    assert mine.dialect == "openai_strict"
    assert profiles.GEMINI.replace(transforms=[]).dialect is None


def test_a_strict_tool_asks_openai_for_strict_mode():
    tool = tool_schema(forecast_of_a_city, profile=profiles.OPENAI_STRICT)
    parts = {"name": "forecast_of_a_city", "parameters": {**INPUT, "additionalProperties": False}}

    assert tool.to_openai() == {"type": "function", "function": {**parts, "strict": True}}
    assert tool.to_openai(strict=False) == {"type": "function", "function": parts}
    assert tool.to_openai(api="responses") == {"type": "function", **parts, "strict": True}
    lenient = {"type": "function", **parts, "strict": False}
    assert tool.to_openai(api="responses", strict=False) == lenient
    other = tool.replace(dialect=None)
    assert other.to_openai() == {"type": "function", "function": parts}
    assert other.to_openai(strict=True) == tool.to_openai()
    assert other.to_openai(api="responses", strict=True)["strict"] is True


def test_a_strict_tool_asks_anthropic_and_bedrock_for_strict_mode():
    tool = tool_schema(forecast_of_a_city, profile=profiles.ANTHROPIC_STRICT)
    schema = {**INPUT, "additionalProperties": False}
    anthropic = {"name": "forecast_of_a_city", "input_schema": schema}
    bedrock = {"name": "forecast_of_a_city", "inputSchema": {"json": schema}}

    assert tool.to_anthropic() == {**anthropic, "strict": True}
    assert tool.to_anthropic(strict=False) == anthropic
    assert tool.to_bedrock() == {"toolSpec": {**bedrock, "strict": True}}
    assert tool.to_bedrock(strict=False) == {"toolSpec": bedrock}
    other = tool.replace(dialect=None)
    assert other.to_anthropic() == anthropic
    assert other.to_anthropic(strict=True) == tool.to_anthropic()
    assert other.to_bedrock(strict=True) == tool.to_bedrock()


def test_a_tool_in_the_dialect_of_bedrock_asks_only_bedrock_for_strict_mode():
    tool = tool_schema(forecast_of_a_city, profile=profiles.BEDROCK_STRICT)
    schema = {**INPUT, "additionalProperties": False}
    spec = {"name": "forecast_of_a_city", "inputSchema": {"json": schema}, "strict": True}

    assert tool.to_bedrock() == {"toolSpec": spec}
    assert tool.to_anthropic() == {"name": "forecast_of_a_city", "input_schema": schema}


def test_an_output_schema_that_a_tool_lacks_is_not_written():
    without = full_tool(output_schema=None)
    assert "output_schema" not in without.to_openai(api="responses")
    assert without.to_gemini().keys() == {"name", "description", "parametersJsonSchema"}


def test_the_command_line_shows_what_a_strict_form_has(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path.copy())
    file = tmp_path / "strict_tools_of_test_wire.py"
    file.write_text("def ping(host: str) -> str: ...", encoding="utf-8")
    for form, options in (
        ("anthropic", ["--profile", "anthropic_strict"]),
        ("bedrock", ["--profile", "anthropic_strict"]),
        ("openai-responses", []),
        ("gemini", []),
    ):
        assert main(["show", f"{file}:ping", "--as", form, *options]) == 0
        shown = json.loads(capsys.readouterr().out)
        profile = profiles.ANTHROPIC_STRICT if options else profiles.MCP
        tool = tool_schema(sys.modules.pop(file.stem).ping, profile=profile)
        assert shown == by_method(WIRE_FORMS[form], tool)
        said = shown.get("toolSpec", shown)
        outputs = {"output_schema", "responseJsonSchema"} & {*said}
        assert said["strict"] is True if options else outputs


def forecast_of_a_city(city: str): ...


def test_a_tool_of_geminis_dialect_is_written_under_the_key_for_it():
    tool = tool_schema(forecast_of_a_city, profile=profiles.GEMINI)

    assert tool.to_gemini() == {"name": "forecast_of_a_city", "parameters": INPUT}
    written = {**TEXT, "parameters": INPUT, "responseJsonSchema": OUTPUT}
    assert full_tool(dialect="gemini").to_gemini() == written
    named = {"name": "forecast_of_a_city", "parametersJsonSchema": INPUT}
    assert tool.replace(dialect=None).to_gemini() == named
    assert tool_schema(forecast_of_a_city, profile=profiles.GEMINI_JSON).to_gemini() == named
    with pytest.raises(TypeError, match="no option 'openapi'"):
        tool.to_gemini(openapi=False)  # type: ignore[call-arg]


# -- options of a tool in a request ------------------------------------------------------------

OPTIONS: dict[str, dict[str, Any]] = {
    "openai-responses": {"allowed_callers": ["direct", "programmatic"], "async": True,
          "defer_loading": True},
    "anthropic": {"allowed_callers": ["code_execution_20260521"],
          "cache_control": {"type": "ephemeral"}, "defer_loading": True,
          "eager_input_streaming": False},
    "gemini": {"behavior": "NON_BLOCKING"},
}  # fmt: skip
"""An example of each option of a form that has some."""


@ROWS
def test_each_option_is_written_beside_the_definition(form):
    options = OPTIONS.get(form.name, {})
    given = {key: type(value) for key, value in options.items()}
    assert given == dict(form.options), "tests/test_wire.py: OPTIONS"
    written = form.write(full_tool())

    for key, value in options.items():
        assert by_method(form, full_tool(), **{key: value}) == {**written, key: value}
    if options:
        assert by_method(form, full_tool(), **options) == {**written, **options}


@ROWS
def test_an_option_that_an_api_does_not_have_is_an_error_with_a_suggestion(form):
    with pytest.raises(TypeError) as caught:
        form.write(full_tool(), options={"defer_loding": True})
    hint = "; did you mean defer_loading?" if "defer_loading" in form.options else ""
    assert str(caught.value) == f"the form {form.name} has no option 'defer_loding'{hint}"


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("defer_loading", "yes", "must be a bool, not a str: 'yes'"),
        ("defer_loading", 1, "must be a bool, not a int: 1"),
        ("allowed_callers", "direct", "must be a list, not a str: 'direct'"),
        ("cache_control", [], "must be a dict, not a list: []"),
    ],
)
def test_an_option_of_another_class_is_an_error(key, value, problem):
    with pytest.raises(TypeError) as caught:
        full_tool().to_anthropic(**{key: value})
    assert str(caught.value) == f"{key}= {problem}"


def test_options_are_copied_into_the_result():
    callers = ["direct"]
    written = full_tool().to_anthropic(allowed_callers=callers)
    callers.append("other")
    assert written["allowed_callers"] == ["direct"]


def test_input_examples_are_kept_and_written_for_anthropic():
    examples = [{"city": "Oslo"}, {"city": "Bergen"}]
    tool = full_tool(input_examples=tuple(examples))

    assert tool.input_examples == examples
    assert tool.input_examples is not tool.input_examples
    assert tool.to_anthropic()["input_examples"] == examples
    assert "input_examples" not in full_tool(input_examples=None).to_anthropic()
    assert "input_examples" not in tool.to_mcp()
    with pytest.raises(SchemaError, match="in the input examples cannot be written as JSON"):
        full_tool(input_examples=[{"city": object()}])
    with pytest.raises(SchemaError) as caught:
        full_tool(input_examples=[{"city": "Oslo"}, "Bergen"])
    assert caught.value.message == "an input example must be an object, not 'Bergen'"


# -- the SDKs: each of their fields is a field, an option or fixed by the form -------------------

SPELLED = {
    "openai": {"strict"},
    "openai-responses": {"strict", "type"},
    "anthropic": {"strict", "type"},  # the type, "custom", may be left out
    "gemini": {"parameters", "response"},
    "bedrock": {"strict"},
}


def param_of_sdk(name: str) -> Any:
    if name == "anthropic":
        return judges.module("anthropic.types").ToolParam
    return judges.module("openai.types.responses").FunctionToolParam


def fields_of_sdk(name: str) -> set[str]:
    """The fields of a tool in the provider's own package, as the API writes them."""
    if name == "openai":
        return {*judges.module("openai.types.shared_params").FunctionDefinition.__annotations__}
    if name in ("openai-responses", "anthropic"):
        return {*get_type_hints(param_of_sdk(name))}
    if name == "gemini":
        declaration = judges.module("google.genai.types").FunctionDeclaration
        return {field.alias or key for key, field in declaration.model_fields.items()}
    judges.require("botocore")
    return {*judges.bedrock_tools().members["toolSpec"].members}


@pytest.mark.parametrize("name", SPELLED)
def test_a_form_knows_every_field_of_the_sdk(name):
    form = WIRE_FORMS[name]
    assert {*form.keys.values(), *form.options} | SPELLED[name] == fields_of_sdk(name)


@pytest.mark.parametrize("name", ["openai-responses", "anthropic"])
def test_the_sdk_accepts_every_option(name):
    reader: Any = pydantic.TypeAdapter(param_of_sdk(name))
    written = by_method(WIRE_FORMS[name], full_tool(), **OPTIONS[name])

    assert json.loads(reader.dump_json(reader.validate_python(written))) == written


def test_the_sdk_of_gemini_accepts_every_option():
    declaration = judges.module("google.genai.types").FunctionDeclaration
    written = full_tool().to_gemini(behavior="NON_BLOCKING")
    read = declaration.model_validate(written)

    assert read.model_dump(by_alias=True, exclude_none=True, mode="json") == written


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.PORTABLE, profiles.GEMINI], ids=repr)
def test_another_dialect_does_not_ask_for_strict_mode(profile):
    tool = tool_schema(forecast_of_a_city, profile=profile)

    function = {"name": "forecast_of_a_city", "parameters": INPUT}
    assert tool.to_openai() == {"type": "function", "function": function}
    assert tool.to_anthropic() == {"name": "forecast_of_a_city", "input_schema": INPUT}


def test_the_dialect_of_a_given_input_schema_is_that_of_the_profile():
    tool = tool_schema(forecast_of_a_city, input_schema=INPUT, profile=profiles.GEMINI)
    assert tool.to_gemini() == {"name": "forecast_of_a_city", "parameters": INPUT}
