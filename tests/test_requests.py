"""The requests that the SDKs of providers build from our wire forms, without a network.

Each SDK gets a transport that keeps requests: they contain the wire form, key by key.
"""

import importlib
import json
import pathlib
import re
from typing import Annotated, Any, Literal

import pytest

from milo_schema import Ge, ToolSchema, profiles, tool_schema
from tests import judges
from tests.fragments import Json

pytestmark = pytest.mark.slow

QUESTION = "How is the weather in Oslo?"


def forecast(
    city: str,
    days: Annotated[int, Ge(1)] = 3,
    unit: Literal["celsius", "kelvin"] = "celsius",
    near: tuple[float, float] | None = None,
) -> list[float]:
    """Forecast the weather."""
    return []


def made(name: str) -> ToolSchema:
    return tool_schema(forecast, profile=getattr(profiles, name))


class SentError(Exception):
    """Ends a call once its request is known."""


def keeping(httpx: Any, sent: list[Json]) -> Any:
    """A transport of httpx that keeps requests."""

    def keep(request: Any) -> Any:
        sent.append(json.loads(request.read()))
        raise SentError

    return httpx.MockTransport(keep)


def httpx_of(package: Any) -> Any:
    """The release of httpx that an SDK is made for."""
    base = importlib.import_module(f"{package.__name__}._base_client")
    return getattr(base, "httpx2", None) or base.httpx


def client_of(package: Any, name: str, sent: list[Json]) -> Any:
    """A client of an SDK that keeps its requests."""
    httpx = httpx_of(package)
    http_client = httpx.Client(transport=keeping(httpx, sent))
    return getattr(package, name)(api_key="none", max_retries=0, http_client=http_client)


@pytest.mark.parametrize("name", ["PORTABLE", "OPENAI_STRICT"])
def test_openai_sends_the_wire_forms_as_they_are(name: str) -> None:
    openai, sent = judges.module("openai"), list[Json]()
    client = client_of(openai, "OpenAI", sent)
    chat = made(name).to_openai()
    options: Any = {"async": True, "defer_loading": True, "allowed_callers": ["direct"]}
    responses = made(name).to_openai(api="responses", **options)
    messages = [{"role": "user", "content": QUESTION}]

    with pytest.raises((SentError, openai.APIConnectionError)):
        client.chat.completions.create(model="gpt-5", messages=messages, tools=[chat])
    with pytest.raises((SentError, openai.APIConnectionError)):
        client.responses.create(model="gpt-5", input=QUESTION, tools=[responses])
    assert [each["tools"] for each in sent] == [[chat], [responses]]


GUIDE = pathlib.Path(__file__).parents[1] / "docs/how-to/openai-strict.md"


def test_conversation_of_the_guide_reaches_an_answer() -> None:
    """The model's first call is wrong, it reads why, and its second call is right."""
    openai, sent = judges.module("openai"), list[Json]()
    httpx = httpx_of(openai)
    calls = ['{"word": "tea", "order": null, "limit": 0}', '{"word": "tea", "limit": null}']

    def reply(request: Any) -> Any:
        sent.append(json.loads(request.read()))
        message: Json = {"role": "assistant", "content": "Tea and teapots."}
        if len(sent) <= len(calls):
            function = {"name": "find", "arguments": calls[len(sent) - 1]}
            tool_calls = [{"id": str(len(sent)), "type": "function", "function": function}]
            message = {"role": "assistant", "content": None, "tool_calls": tool_calls}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        completion = {"id": "1", "object": "chat.completion", "created": 0, "model": "gpt-5"}
        return httpx.Response(200, json={**completion, "choices": [choice]})

    http_client = httpx.Client(transport=httpx.MockTransport(reply))
    client = openai.OpenAI(api_key="none", max_retries=0, http_client=http_client)
    page = GUIDE.read_text(encoding="utf-8")
    guide: Json = {"__name__": "guide"}
    for source in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(source, guide)

    assert guide["ask"](client, "Which teas do you sell?") == "Tea and teapots."
    assert [each["tools"] for each in sent] == 3 * [guide["TOOLS"].to_openai()]
    answers = [each for each in sent[-1]["messages"] if each["role"] == "tool"]
    assert {each["tool_call_id"]: each["content"] for each in answers} == {
        "1": "find(): .limit: must be at least 1, got 0",
        "2": '["tea", "teapot"]',
    }


@pytest.mark.parametrize("name", ["PORTABLE", "ANTHROPIC_STRICT"])
def test_anthropic_sends_the_wire_form_as_it_is(name: str) -> None:
    anthropic, sent = judges.module("anthropic"), list[Json]()
    client = client_of(anthropic, "Anthropic", sent)
    options: Any = {"defer_loading": True, "allowed_callers": ["direct"]}
    options |= {"cache_control": {"type": "ephemeral"}, "eager_input_streaming": True}
    form = made(name).replace(input_examples=[{"city": "Oslo"}]).to_anthropic(**options)
    messages = [{"role": "user", "content": QUESTION}]

    with pytest.raises((SentError, anthropic.APIConnectionError)):
        client.messages.create(model="claude", max_tokens=9, messages=messages, tools=[form])
    assert [each["tools"] for each in sent] == [[form]]


@pytest.mark.parametrize("name", ["PORTABLE", "GEMINI_JSON", "GEMINI"])
def test_gemini_sends_the_wire_form_under_the_key_for_it(name: str) -> None:
    genai, sent = judges.module("google.genai"), list[Json]()
    httpx = importlib.import_module("httpx")
    form = made(name).to_gemini(behavior="NON_BLOCKING")
    transport = {"client_args": {"transport": keeping(httpx, sent)}}
    client = genai.Client(api_key="none", http_options=transport)
    config = {"tools": [{"function_declarations": [form]}]}

    with pytest.raises((SentError, httpx.HTTPError)):
        client.models.generate_content(model="gemini", contents=QUESTION, config=config)
    (tool,) = sent[0]["tools"]
    (declaration,) = tool["functionDeclarations"]
    assert respelled(declaration) == form
    old = declaration.get("parameters", {}).get("type")
    assert old == ("OBJECT" if name == "GEMINI" else None)


def respelled(value: Any) -> Any:
    """Keys and types as our form has them; the SDK writes ``parameters_json_schema``, ``ARRAY``."""
    if isinstance(value, list):
        return [respelled(each) for each in value]
    if not isinstance(value, dict):
        return value
    below = {_camel(key): respelled(each) for key, each in value.items()}
    is_schema = type(below.get("type")) is str
    return {**below, "type": below["type"].lower()} if is_schema else below


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(map(str.title, others))


@pytest.mark.parametrize("name", ["PORTABLE", "BEDROCK_STRICT", "ANTHROPIC_STRICT"])
def test_bedrock_sends_the_wire_form_as_it_is(name: str) -> None:
    session = judges.module("botocore.session").Session()
    sent: list[Json] = []
    form = made(name).to_bedrock()
    keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none")
    client = session.create_client("bedrock-runtime", region_name="us-east-1", **keys)

    def keep(request: Any, **_: Any) -> None:
        sent.append(json.loads(request.body))
        raise SentError

    client.meta.events.register("before-send", keep)
    messages = [{"role": "user", "content": [{"text": QUESTION}]}]
    model, config = "anthropic.claude-sonnet-5", {"tools": [form]}
    with pytest.raises(SentError):
        client.converse(modelId=model, messages=messages, toolConfig=config)

    assert sent[0]["toolConfig"]["tools"] == [form]
    assert form["toolSpec"].get("strict") is (True if name.endswith("STRICT") else None)
