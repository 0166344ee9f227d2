// Python, in a thread of its own: a loop without an end does not hold up the page, which can end it.

import { loadPyodide } from "./pyodide/pyodide.mjs";

async function load(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response;
}

async function start() {
  const python = await loadPyodide();
  const [wheel, source] = await Promise.all([load("milo_schema.whl"), load("describe.py")]);
  python.unpackArchive(await wheel.arrayBuffer(), "wheel");
  python.FS.writeFile("describe.py", await source.text());
  return python.pyimport("describe");
}

try {
  const { choices, describe } = await start();
  onmessage = ({ data: { source, view, profile, strict } }) => {
    try {
      const answer = describe.callKwargs(source, view, profile, { strict });
      postMessage({ answer: JSON.parse(answer) });
    } catch (error) {
      postMessage({ crash: error.message }); // Python itself is broken: it has to be started anew
    }
  };
  postMessage({ choices: JSON.parse(choices()) });
} catch (error) {
  postMessage({ failure: String(error.message ?? error) });
}
