// The page: it asks the worker (worker.mjs) for the schema of what was typed, and shows the answer.

const LIMIT = 5; // seconds that what is typed may take
const PAUSE = 400; // milliseconds without a key before it runs
const OVERDUE = `Your code was stopped after ${LIMIT} seconds. Is there a loop without an end?`;

const [source, question, stop, status, remarks, schema] = [
  "source",
  "question",
  "stop",
  "status",
  "remarks",
  "schema",
].map((id) => document.getElementById(id));
const { view, profile, strict } = question.elements;

let worker;
let ready = false; // Python is loaded, and does nothing
let asked = true; // what is typed has not been described yet
let timers = [];

function start() {
  ready = false;
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.failure) return fail(data.failure);
    if (data.crash) return restart(`Python itself failed on your code: ${data.crash}`);
    if (data.choices) offer(data.choices);
    if (data.answer) show(data.answer);
    ready = true;
    if (asked) ask();
  };
  worker.onerror = (event) => fail(event.message ?? "worker.mjs is missing");
}

function ask() {
  asked = true;
  if (!ready) return;
  asked = ready = false;
  worker.postMessage({
    source: source.value,
    view: view.value,
    profile: profile.value,
    strict: strict.checked,
  });
  timers = [setTimeout(running, 300), setTimeout(restart, LIMIT * 1000, OVERDUE)];
}

function running() {
  status.textContent = "Your code is running.";
  stop.disabled = false;
}

function settle() {
  timers.forEach(clearTimeout);
  stop.disabled = true;
}

function restart(reason) {
  worker.terminate();
  show({ schema: null, remarks: [{ kind: "error", text: reason }] });
  start();
}

function show(answer) {
  settle();
  schema.textContent = answer.schema ?? "";
  remarks.replaceChildren(...answer.remarks.map(remark));
  const count = answer.remarks.length;
  const said = count ? `, with ${count} ${count === 1 ? "remark" : "remarks"}` : "";
  status.textContent = answer.schema === null ? "No schema." : `${view.value}${said}.`;
}

function remark({ kind, text }) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = `${kind[0].toUpperCase()}${kind.slice(1)}: ${text}`;
  return item;
}

function offer(choices) {
  if (!view.disabled) return; // Python was started anew: what is chosen stays
  for (const [name, values] of Object.entries(choices)) {
    question.elements[name].replaceChildren(...values.map((value) => new Option(value)));
  }
  for (const each of [view, profile, strict]) each.disabled = false;
}

function fail(reason) {
  settle();
  status.textContent = `Python could not be loaded: ${reason}`;
}

let pause;
source.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(ask, PAUSE);
});
question.addEventListener("change", ask);
question.addEventListener("submit", (event) => event.preventDefault());
stop.addEventListener("click", () => {
  restart("You stopped your code.");
  source.focus();
});

status.textContent = "Python is being loaded; this takes some seconds.";
start();
