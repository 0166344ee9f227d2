"""Write the stubs of many tools into a folder, for the type checkers of ``tox -e types``."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from milo_schema import Toolbox, ToolSchema
from tests.cases import CASES
from tests.needs import lacking
from tests.random_schemas import NAMES, Maker

Json = dict[str, Any]
SERVERS = Path(__file__).parents[1] / "server_tools.json"
KEYS = [name for name in NAMES if name]  # pyright refuses a key without characters


def tools() -> Iterator[tuple[str, list[ToolSchema]]]:
    """Tools of each kind of type, at random, and of servers, each with the name of its file."""
    for number, case in enumerate(CASES):
        if not lacking(case.needs) and (schema := case.mcp) is not None:
            bare = {key: each for key, each in schema.items() if key != "$defs"}
            inputs: Json = {"type": "object", "properties": {"x": bare}, "required": ["x"]}
            inputs |= {key: schema[key] for key in schema if key == "$defs"}
            yield (
                f"case_{number}",
                [ToolSchema(name="run", input_schema=inputs, output_schema=schema)],
            )
    for number in range(200):
        inputs = Maker(number, 0.1, KEYS).arguments()
        output = Maker(f"output {number}", 0.1, KEYS).arguments()
        yield (
            f"random_{number}",
            [ToolSchema(name="run", input_schema=inputs, output_schema=output)],
        )
    for name, listed in json.loads(SERVERS.read_bytes()).items():
        yield name.replace("-", "_"), [*map(ToolSchema.from_mcp, listed)]


def main(folder: Path) -> None:
    """Write all stubs, without metadata and with it."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("pyrightconfig.json").write_text('{"pythonVersion": "3.11"}', encoding="utf-8")
    for name, each in tools():
        for metadata in (False, True):
            text = Toolbox(each).to_python(metadata=metadata)
            if "'': " in text:  # a key that pyright refuses
                continue
            path = folder / f"{name}_{'metadata' if metadata else 'plain'}.pyi"
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
