// Colors for Python and JSON. A textarea has none, so it lies over a colored copy of its text.

const WORDS =
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield";

const PYTHON = [
  ["comment", /#.*/],
  ["text", /(?:\b[rRbBuUfF]{1,2})?(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/],
  ["number", /\b\d[\d_.]*(?:[eE][+-]?\d+)?\b/],
  ["decorator", /@[\w.]+/],
  ["constant", /\b(?:None|True|False)\b/],
  ["keyword", new RegExp(`\\b(?:${WORDS.replaceAll(" ", "|")})\\b`)],
  ["name", /(?<=\b(?:def|class)\s+)\w+/],
  ["plain", /\w+/],
];

const JSON_ = [
  ["name", /"(?:\\.|[^"\\])*"(?=\s*:)/],
  ["text", /"(?:\\.|[^"\\])*"?/],
  ["number", /-?\b\d[\d.]*(?:[eE][+-]?\d+)?\b/],
  ["constant", /\b(?:true|false|null)\b/],
];

export const LANGUAGES = { python: pattern(PYTHON), json: pattern(JSON_) };

function pattern(kinds) {
  return new RegExp(kinds.map(([kind, each]) => `(?<${kind}>${each.source})`).join("|"), "g");
}

// Show a text in an element, in the colors of a language.
export function paint(element, text, language) {
  const parts = [];
  let end = 0;
  for (const found of language ? text.matchAll(language) : []) {
    const [kind] = Object.entries(found.groups).find(([, part]) => part !== undefined);
    if (kind === "plain") continue;
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = found[0];
    parts.push(text.slice(end, found.index), span);
    end = found.index + found[0].length;
  }
  element.replaceChildren(...parts, text.slice(end));
}

// Color the text of a textarea, now and after each key; return a function that sets the text.
export function colored(field, language) {
  const copy = field.previousElementSibling.firstElementChild;
  const repaint = () => paint(copy, `${field.value}\n`, language);
  field.addEventListener("input", repaint);
  field.parentElement.classList.add("colored");
  repaint();
  return (text) => {
    field.value = text;
    repaint();
  };
}
