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
  return python.pyimport("describe");
}

try {
  const { describe } = await start();
  onmessage = ({ data: { source, profile, args, strict } }) => {
    try {
      postMessage({ answer: JSON.parse(describe.callKwargs(source, profile, args, { strict })) });
    } catch (error) {
      postMessage({ crash: error.message }); // Python itself is broken: it has to be started anew
    }
  };
  postMessage({ ready: true });
} catch (error) {
  postMessage({ failure: String(error.message ?? error) });
}
