"""The whole output of `check --cost`."""

import json

from tests.fragments import obj

TOOLS = """
    from dataclasses import dataclass

    @dataclass
    class Address:
        street: str
        city: str
        country: str

    def ship(to: Address, bill: Address, by: Address) -> None:
        '''Ship a parcel. It takes a while.'''

    def stop() -> None:
        '''Stop.'''
"""
COSTS = """\
            characters  tokens
tools.ship         643     161
  (to)             156      39
  (bill)           158      40
  (by)             156      39
tools.stop         114      29
total              757     190
"""


def test_each_tool_and_each_parameter_has_a_cost(run, write):
    write("shop/__init__.py")
    write("shop/tools.py", TOOLS)
    status, out, err = run("check", "shop", "--cost", "--exclude", "shop.tools:Address")

    assert (status, err) == (0, "")
    assert out == COSTS


def test_definitions_have_their_own_cost(run, write):
    mine = "from milo_schema import profiles\nMINE = profiles.MILO.replace(inline='auto')"
    write("mine.py", mine)
    write("tools.py", TOOLS)
    options = ["--cost", "--profile", "mine:MINE", "--quiet"]

    assert run("check", "tools.py:ship", *options) == (
        0,
        """\
            characters  tokens
ship               411     103
  (to)              31       8
  (bill)            33       9
  (by)              31       8
  #Address         161      41
total              411     103
""",
        "",
    )


def test_a_program_gets_json(run, write):
    write("tools.py", TOOLS)
    expected = {
        "costs": [{"tool": "stop", "path": "", "characters": 114, "tokens": 29}],
        "total": {"characters": 114, "tokens": 29},
    }
    status, out, err = run("check", "tools.py:stop", "--cost", "--format", "json")
    assert (status, json.loads(out), err) == (0, expected, "")


def test_the_tools_of_a_server_have_a_cost(run, write):
    tool = {"name": "ping", "inputSchema": {"type": "object", "properties": {"hôte": {}}}}
    write("tools.json", json.dumps({"tools": [tool]}))

    assert run("check", "tools.json", "--cost") == (
        0,
        """\
          characters  tokens
ping              72      18
  (hôte)           9       3
total             72      18
""",
        "",
    )


def test_a_function_without_a_schema_has_no_cost(run, write):
    write("tools.py", "def größe() -> None: ...\ndef stop() -> None: ...")
    status, out, err = run("check", "tools.py", "--cost", "--quiet")

    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["characters", "stop", "total"]


def test_an_empty_set_costs_nothing(run, write):
    write("empty.py")
    assert run("check", "empty.py", "--cost") == (
        5,
        "       characters  tokens\ntotal           0       0\n",
        "milo-schema: found no tools in empty.py\n",
    )


def test_the_rules_for_tools_of_a_server_follow_the_profile(run, write):
    mapping = {"type": "object", "additionalProperties": {"type": "string"}}
    number = {"type": "number", "description": "D.", "x-mcp-header": "N"}
    schema = obj([], m={**mapping, "description": "D."}, n=number, größe=number)
    tool = {"name": "put", "description": "D.", "inputSchema": schema, "outputSchema": {}}
    write("tools.json", json.dumps({"tools": [tool]}))

    assert run("check", "tools.json", "--profile", "openai_strict") == (
        1,
        """\
put  tools.json
  refused-name        (größe): 'größe' is not a valid parameter name: 'ö' and 'ß' are not allowed; use A-Z a-z 0-9 _ . -
  invalid-header      (n), (größe): x-mcp-header needs the type string, integer or boolean, not number
  refused-by-dialect  (m): OpenAI's strict mode does not support arbitrary properties; use a dataclass or TypedDict

1 tool: 4 findings (2 invalid-header, 1 refused-name, 1 refused-by-dialect)
""",  # noqa: E501
        "",
    )


def test_the_limits_of_a_request_follow_the_profile(run, write):
    schema = {"type": "object", "properties": {"x": {"type": "string", "description": "D."}}}
    tools = [
        {"name": f"t{at}", "description": "D.", "inputSchema": schema, "outputSchema": {}}
        for at in range(21)
    ]
    write("tools.json", json.dumps({"tools": tools}))
    options = ["--together", "--profile", "anthropic_strict"]

    assert run("check", "tools.json", *options) == (
        1,
        """\
together
  request-limit  t20: Anthropic's strict mode allows at most 20 tools in one request; send this one without strict

21 tools: 1 finding (1 request-limit)
""",  # noqa: E501
        "",
    )
