// The page: it asks Python (worker.mjs) to describe the code, and shows the answer.
//
// What it shows for the examples was computed when the page was built, so it is useful before
// Python has started. A second Python waits in reserve, so that stopping one costs no time.

import { colored, LANGUAGES, paint } from "./editor.mjs";
import { packed, unpacked } from "./share.mjs";

const LIMIT = 5; // seconds that the code may take
const PAUSE = 400; // milliseconds without a key before it runs
const OVERDUE = `Your code was stopped after ${LIMIT} seconds. Is there an endless loop?`;
const LOADING = "Python is loading; you can look around in the meantime.";
const WAITING = "Python is loading; your result will appear in a few seconds.";
const LANGUAGE = { Check: null, Arguments: LANGUAGES.python }; // of a view; all others are JSON

const $ = (id) => document.getElementById(id);
const [source, args, profile, strict] = ["source", "arguments", "profile", "strict"].map($);
const tabs = [...$("tabs").children];
const prepared = JSON.parse($("prepared").textContent);
const setSource = colored(source, LANGUAGES.python);
const setArguments = colored(args, LANGUAGES.json);

// -- Python --------------------------------------------------------------------------------------

let active; // the Python that describes the code
let reserve; // one more, once the first is ready
let busy = false;
let asked = false; // the code has changed since the last answer
let timers = [];

function launch() {
  const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => receive(worker, data);
  worker.onerror = (event) => receive(worker, { failure: event.message ?? "worker.mjs is missing" });
  return worker;
}

function receive(worker, { ready, loading, started, answer, crash, failure }) {
  worker.ready ||= ready;
  if (worker !== active) return;
  if (failure) return fail(failure);
  if (loading) return say(`${loading} is loading; your result will appear in a few seconds.`);
  if (started) return limit();
  if (crash) return restart(crash);
  reserve ??= launch();
  if (answer) settle(answer);
  if (asked) return ask();
  if (ready) say("Python is ready.");
}

function ask() {
  asked = true;
  $("panel").classList.add("stale");
  if (busy) return;
  if (!active.ready) return say(WAITING);
  asked = false;
  busy = true;
  active.postMessage(state());
}

function limit() {
  timers = [setTimeout(running, 300), setTimeout(restart, LIMIT * 1000, OVERDUE)];
}

function running() {
  say("Your code is running.");
  $("stop").disabled = false;
}

function restart(reason) {
  active.terminate();
  active = reserve ?? launch();
  reserve = active.ready ? launch() : undefined;
  const view = { ...EMPTY, remarks: [{ kind: "error", text: reason }] };
  settle(Object.fromEntries(Object.keys(shown).map((name) => [name, view])));
  say("Stopped.");
  if (asked) ask();
}

function fail(reason) {
  busy = false;
  say(`Python could not be loaded: ${reason}`);
}

// -- the answer ----------------------------------------------------------------------------------

const EMPTY = { text: null, call: "", remarks: [] };
const NOTHING = Object.fromEntries(Object.keys(prepared[0].answer).map((name) => [name, EMPTY]));
let shown = prepared[0].answer;

function settle(answer) {
  timers.forEach(clearTimeout);
  busy = false;
  $("stop").disabled = true;
  shown = answer;
  say("Up to date.");
  show();
}

function tab() {
  return tabs.find((each) => each.ariaSelected === "true").dataset.view;
}

function viewOf(name) {
  return name === "Tool" ? $("form").value : name;
}

function show() {
  const name = tab();
  const view = viewOf(name);
  const { text, call, remarks } = shown[view];
  $("forms").hidden = name !== "Tool";
  $("given").hidden = name !== "Arguments";
  $("panel").classList.remove("stale");
  $("panel").setAttribute("aria-label", name);
  $("call").textContent = call;
  $("caption").hidden = text === null;
  paint($("text"), text ?? "", view in LANGUAGE ? LANGUAGE[view] : LANGUAGES.json);
  $("text").classList.toggle("prose", LANGUAGE[view] === null);
  $("remarks").replaceChildren(...remarks.map(remark));
  const checked = shown.Check.text ?? "no findings";
  const count = checked === "no findings" ? "" : ` (${checked.split("\n").length})`;
  tabs.find((each) => each.dataset.view === "Check").textContent = `Check${count}`;
}

function remark({ kind, text }) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = `${kind[0].toUpperCase()}${kind.slice(1)}: ${text}`;
  return item;
}

function say(text) {
  $("status").textContent = text;
}

function select(name) {
  for (const each of tabs) {
    each.ariaSelected = String(each.dataset.view === name);
    each.tabIndex = each.dataset.view === name ? 0 : -1;
  }
  show();
  if (asked || busy) $("panel").classList.add("stale");
}

// -- what the visitor does -----------------------------------------------------------------------

function state() {
  return { source: source.value, args: args.value, profile: profile.value, strict: strict.checked };
}

function restore(from) {
  setSource(from.source ?? "");
  setArguments(from.args ?? "{}");
  if ([...profile.options].some((each) => each.value === from.profile)) profile.value = from.profile;
  strict.checked = from.strict === true;
  if (from.form in NOTHING) $("form").value = from.form;
  if (tabs.some((each) => each.dataset.view === from.tab)) select(from.tab);
}

// What a link says about its code, which is shown until Python has an answer of its own.
function told({ views = {} }) {
  const known = Object.entries(views).filter(([name, each]) => name in NOTHING && each?.text);
  const texts = known.map(([name, { text, call }]) => [name, { ...EMPTY, text: `${text}`, call: `${call}` }]);
  return { ...NOTHING, ...Object.fromEntries(texts) };
}

function example() {
  const { source, arguments: args, profile, answer } = prepared[$("example").selectedIndex];
  restore({ source, args, profile });
  asked = false;
  if (busy) return ask();
  shown = answer;
  show();
}

async function open() {
  const from = await unpacked(location.hash);
  if (!from) return;
  $("example").selectedIndex = -1;
  shown = told(from);
  restore(from);
  show();
  ask();
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say("The browser does not allow copying here.");
  }
}

async function share() {
  const view = viewOf(tab());
  const views = asked || busy ? {} : { Schema: shown.Schema, [view]: shown[view] };
  const all = { ...state(), tab: tab(), form: $("form").value, views };
  history.replaceState(null, "", await packed(all));
  await copy(location.href, "Link copied: it opens this page with your code.");
}

let pause;
function typed() {
  clearTimeout(pause);
  pause = setTimeout(ask, PAUSE);
}

for (const field of [source, args]) field.addEventListener("input", typed);
$("question").addEventListener("change", ask);
$("question").addEventListener("submit", (event) => event.preventDefault());
$("form").addEventListener("change", () => select("Tool"));
$("example").addEventListener("change", example);
$("share").addEventListener("click", share);
$("copy").addEventListener("click", () => copy($("text").textContent, "Copied."));
$("stop").addEventListener("click", () => {
  restart("You stopped your code.");
  source.focus();
});
$("tabs").addEventListener("click", ({ target }) => target.role === "tab" && select(target.dataset.view));
$("tabs").addEventListener("keydown", ({ key }) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step) return;
  const next = tabs.at((tabs.findIndex((each) => each.tabIndex === 0) + step) % tabs.length);
  select(next.dataset.view);
  next.focus();
});
addEventListener("hashchange", open);

active = launch();
say(LOADING);
show();
await open();
