"""Function declarations for Gemini, and the response to a call."""

from enum import Enum

from milo_schema import Toolbox


class Unit(Enum):
    """A unit."""

    CELSIUS = "C"
    KELVIN = "K"


def temperature(city: str, unit: Unit = Unit.CELSIUS) -> float:
    """Measure the temperature."""
    return 11.0 if unit is Unit.CELSIUS else 284.15


tools = Toolbox([temperature])
(declaration,) = tools.to_gemini()
assert declaration["parametersJsonSchema"]["properties"]["unit"]["enum"] == ["C", "K"]

result = tools.call("temperature", {"city": "Oslo", "unit": "K"})
response = {"name": "temperature", "response": {"output": result.value}}
assert response["response"] == {"output": 284.15}
