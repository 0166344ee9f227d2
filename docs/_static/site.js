// Code and tables that are wider than the page scroll: let the keyboard reach them.
for (const each of document.querySelectorAll("pre, .table-wrapper, p:has(> img)")) {
  if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
}
