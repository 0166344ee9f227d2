"""A gate in CI: the tools are described, small, and strict mode supports them."""

from milo_schema import Toolbox, profiles
from milo_schema.checks import check, cost
from milo_schema.testing import assert_described, samples


def label(text: str, tags: list[str]) -> str:
    """Label a text.

    Args:
        text: The text.
        tags: The labels.
    """
    return f"{text}: {', '.join(tags)}"


tools = Toolbox([label])
assert tools.check() == check(label) == []
assert check(tools, profile=profiles.OPENAI_STRICT) == []
assert cost(tools)[0].tokens < 100
assert_described(label)
for arguments, _ in samples(label, count=5):
    assert not tools.call("label", arguments).is_error
