// Python, in a thread of its own: an endless loop does not block the page, which can end it.

import { loadPyodide } from "./pyodide/pyodide.mjs";

async function load(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response;
}

async function start() {
  const files = [load("milo_schema.zip"), load("describe.py")];
  const [python, library, source] = await Promise.all([loadPyodide(), ...files]);
  python.unpackArchive(await library.arrayBuffer(), "zip");
  python.FS.writeFile("describe.py", await source.text());
  return python;
}

// pydantic is large, so it is loaded when code imports it for the first time.
// So that the limit is for the visitor's code alone, all that a model needs is imported, too.
let hasPydantic = false;
const MODEL = "from pydantic import BaseModel\nclass Model(BaseModel): n: int";
async function prepare(python, describe, source) {
  if (hasPydantic || !/^\s*(?:from|import)\s+pydantic\b/m.test(source)) return;
  postMessage({ loading: "pydantic" });
  const archive = await load("pydantic.zip").catch((error) => {
    throw new Error(`pydantic could not be loaded: ${error.message}`, { cause: "missing" });
  });
  python.unpackArchive(await archive.arrayBuffer(), "zip");
  describe.callKwargs(MODEL, "MCP", "{}", { strict: false });
  hasPydantic = true;
}

try {
  const python = await start();
  const { describe } = python.pyimport("describe");
  onmessage = async ({ data: { source, profile, args, strict } }) => {
    try {
      await prepare(python, describe, source);
      postMessage({ started: true });
      postMessage({ answer: JSON.parse(describe.callKwargs(source, profile, args, { strict })) });
    } catch (error) {
      const broken = error.cause ? "" : "Python itself failed on your code: ";
      postMessage({ crash: `${broken}${error.message}` }); // Python has to be started anew
    }
  };
  postMessage({ ready: true });
} catch (error) {
  postMessage({ failure: String(error.message ?? error) });
}
