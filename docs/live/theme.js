// The theme that the visitor chose on the documentation (Furo keeps it under "theme"), before the page is painted.

try {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
} catch {
  document.documentElement.dataset.theme = "auto"; // storage is switched off
}
