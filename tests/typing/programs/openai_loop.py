"""A loop with OpenAI's chat completions in strict mode; a list plays the model."""

from typing import Any

from milo_schema import Toolbox, profiles


def weather(city: str, days: int = 1) -> list[str]:
    """Forecast the weather.

    Args:
        city: Name of the city.
        days: Number of days.
    """
    return [f"rain in {city}"] * days


tools = Toolbox([weather], profile=profiles.OPENAI_STRICT, repair=True)
(written,) = tools.to_openai()
assert written["function"]["strict"] is True

messages: list[dict[str, Any]] = []
answers = [{"id": "1", "name": "weather", "arguments": '{"city": "Bergen", "days": null}'}]
for call in answers:
    result = tools.call(call["name"], call["arguments"])
    messages.append({"role": "tool", "tool_call_id": call["id"], "content": result.text})

assert messages == [{"role": "tool", "tool_call_id": "1", "content": '["rain in Bergen"]'}]
