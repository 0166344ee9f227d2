// Code and tables that are wider than the page scroll: let the keyboard reach them.
for (const each of document.querySelectorAll("pre, .table-wrapper, p:has(> img)")) {
  if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
}

// What each profile emits: choose a profile, and each annotation has one row.
function filter(profiles) {
  const names = [...profiles.querySelectorAll("code")].map((each) => each.textContent);
  const options = ["every profile", ...names].map((name) => new Option(name));
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.append(...options);
  label.append("Show ", select);
  profiles.replaceChildren(label);
  const rows = [...document.querySelectorAll("article tbody tr")].map((row) => {
    const [annotation, of] = row.cells;
    const named = [...of.querySelectorAll("code")].map((each) => each.textContent);
    return { row, annotation, named, code: annotation.querySelector("code") };
  });
  let group;
  for (const each of rows) {
    if (each.code) group = { code: each.code, named: [] };
    each.group = group;
    group.named.push(...each.named);
  }
  select.addEventListener("change", () => {
    const all = select.selectedIndex === 0;
    for (const { row, annotation, named, code, group } of rows) {
      const isOther = named.length === 0 && !group.named.includes(select.value);
      row.hidden = !all && !isOther && !named.includes(select.value);
      annotation.replaceChildren(...[all ? code : group.code.cloneNode(true)].filter(Boolean));
    }
  });
}

const profiles = document.querySelector("#what-each-profile-emits .profiles");
if (profiles) filter(profiles);
