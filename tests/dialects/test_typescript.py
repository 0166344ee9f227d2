"""The official client of MCP for TypeScript, which validates results with their formats.

It calls a server of our tools over stdio, once: ``tests/tools/typescript/``. The gates of the
judges install it from npm; it takes a network, so other runs skip it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.live import build
from tests import judges
from tests.tools.typescript import server

FOLDER = Path(server.__file__).parent

NOT_WRITTEN = {
    "Described": "its sample has a default that does not fit its own type",
    "Schema over the type": "its schema says that a string is an integer",
}
"""Rows whose samples are no results, by name, with the reason."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the client."""
    if not judges.has_every_judge():
        pytest.skip("it comes from npm; run `tox -e judges-py314`")
    work = tmp_path_factory.mktemp("typescript")
    build.install_npm(FOLDER / "package.json", work)
    return work


def said_by(program, work, *arguments):
    """The JSON that a program prints, which finds its modules beside it."""
    client = work / program
    client.write_bytes((FOLDER / program).read_bytes())
    command = [*build.of_node("node"), str(client), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(build.ROOT), "PYTHONWARNINGS": "ignore"}
    said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, timeout=300)
    return json.loads(said.stdout)


@pytest.fixture(scope="module")
def objections(installed):
    """The objections of the client, by tool; an empty one if it accepts a result."""
    said = said_by("client.mjs", installed, sys.executable, "-m", server.__name__)
    return [(*name.split(".", 1), at, why) for name, at, why in said]


def row(tool):
    return str(server.ROWS[int(tool)]) if tool.isdecimal() else tool


@pytest.mark.slow
def test_the_typescript_client_accepts_a_value_of_every_type_and_refuses_what_has_no_format(
    objections,
):
    refused = {
        (profile, row(tool), at, why)
        for profile, tool, at, why in objections
        if why and row(tool) not in NOT_WRITTEN and profile != server.ALL_FORMATS.name
    }
    assert refused == set()
    accepted = {row(tool) for _, tool, _, why in objections if not why}
    assert accepted >= {*map(str, server.ROWS)} - {*NOT_WRITTEN}
    wrong = {
        tp.__name__: [why for _, tool, _, why in objections if tool == tp.__name__]
        for tp in server.UNFITTING
    }
    assert [*map(len, wrong.values())] == [*map(len, server.UNFITTING.values())]
    for tool, each in wrong.items():
        assert all("must match format" in why for why in each), tool


@pytest.mark.slow
def test_the_typescript_client_calls_the_server_without_a_package(installed):
    calls = [["price", {"name": "tea", "count": 2}], ["find", {"word": "coffee"}], ["steal", {}]]
    example = str(build.ROOT / "docs/examples/stdio_server.py")

    assert said_by("shop.mjs", installed, json.dumps(calls), sys.executable, example) == {
        "tools": ["find", "price"],
        "results": [
            [None, {"name": "2 x tea", "cents": 900}],
            [None, {"result": [{"name": "coffee", "cents": 890}]}],
            ['no tool "steal"; there are: "find", "price"', None],
        ],
    }
