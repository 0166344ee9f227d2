"""A tool configuration for Bedrock's Converse API, and the result of a call."""

from milo_schema import Toolbox


def search(words: list[str], limit: int = 3) -> list[str]:
    """Search the index."""
    return sorted(words)[:limit]


tools = Toolbox([search])
configuration = {"tools": tools.to_bedrock()}
assert configuration["tools"][0]["toolSpec"]["name"] == "search"

use = {"toolUseId": "1", "name": "search", "input": {"words": ["b", "a"]}}
result = tools.call("search", use["input"])
answer = {
    "toolUseId": use["toolUseId"],
    "content": [{"json": result.value}],
    "status": "error" if result.is_error else "success",
}
assert answer["content"] == [{"json": ["a", "b"]}]
