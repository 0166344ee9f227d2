"""Let a model write code that uses the shop: the code runs in a process of its own.

That survives its crashes and endless loops, and nothing more. This is not a sandbox: the code may
read files and use the network, so run the process in a container that may do neither.
"""

import json
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer

from logs import log
from shop import TOOLS

from milo_schema import Toolbox, ToolError

CHILD = [sys.executable, "-I", str(Path(__file__).with_name("code_child.py"))]
CODE = "print(sum(price(each['name'])['cents'] for each in find('tea', limit=2)))"


def run(code: str, tools: Toolbox, seconds: float = 2) -> str:
    """Return the text that the code prints, or the last line of its error."""
    functions = tools.namespace()
    answer: list[object] = [[*functions], code]
    with Popen(  # noqa: S603 - it is the command above
        CHILD, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True
    ) as child:
        timer = Timer(seconds, child.kill)
        timer.daemon = True
        timer.start()
        print(json.dumps(answer), file=child.stdin, flush=True)
        for message in map(json.loads, child.stdout or ()):
            if isinstance(message, str):
                return message
            name, args, kwargs = message
            try:
                answer = ["value", functions[name](*args, **kwargs)]
            except (ToolError, TypeError) as problem:
                answer = ["error", str(problem)]
            print(json.dumps(answer), file=child.stdin, flush=True)
        return (child.stderr.read() if child.stderr else "").strip().rpartition("\n")[2] or "killed"


tools = Toolbox(TOOLS.values(), unexpected=log)
print(tools.to_python())  # noqa: T201 - a model reads it, and answers with code such as CODE
for each in (CODE, "price('milk')", "price('tea', count=0)", "while True: pass"):
    print(">>>", run(each, tools).strip())  # noqa: T201
