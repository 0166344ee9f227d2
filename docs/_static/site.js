// Code and tables that are wider than the page scroll: let the keyboard reach them.
for (const each of document.querySelectorAll("pre, .table-wrapper, p:has(> img)")) {
  if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
}

// What each profile emits: a table for each section of emitted.json, with the rows of one profile.
function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function cells(row) {
  const said = "error" in row ? `error: ${row.error}` : element("code", JSON.stringify(row.schema));
  return element("tr", element("td", element("code", row.annotation)), element("td", said));
}

function table(section, rows) {
  const made = element("table", element("tbody", ...rows.map(cells)));
  made.className = "docutils";
  return [element("h2", section), made];
}

async function emitted(place) {
  const rows = await (await fetch(place.querySelector("a").href)).json();
  const names = [...new Set(rows.flatMap((row) => row.profiles))];
  const select = element("select", ...names.map((name) => new Option(name)));
  const input = element("input");
  const tables = element("div");
  function show() {
    const text = input.value.toLowerCase();
    const chosen = rows.filter(
      (row) =>
        row.profiles.includes(select.value) && row.annotation.toLowerCase().includes(text),
    );
    const sections = [...new Set(chosen.map((row) => row.section))].map((section) => [
      section,
      chosen.filter((row) => row.section === section),
    ]);
    tables.replaceChildren(...sections.flatMap(([section, own]) => table(section, own)));
  }
  select.addEventListener("change", show);
  input.addEventListener("input", show);
  const controls = [element("label", "Profile ", select), element("label", "Annotation ", input)];
  place.append(element("p", ...controls), tables);
  show();
}

const place = document.querySelector("#what-each-profile-emits .emitted");
if (place) emitted(place);
