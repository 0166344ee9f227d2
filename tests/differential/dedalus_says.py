"""Print the schemas of dedalus-mcp for the functions as JSON; it does not import our library."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from dedalus_mcp import MCPServer  # type: ignore[import-not-found]
from functions import FUNCTIONS  # type: ignore[import-not-found]

tools = MCPServer("differential").tools
print(
    json.dumps(
        {
            name: [tools._build_input_schema(func), tools._build_output_schema(func)]
            for name, func in FUNCTIONS.items()
        }
    )
)
