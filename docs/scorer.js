// How the search of the site orders what it finds: Sphinx's scores, but a page or section whose
// title has the whole question comes first.
var Scorer = {
  score: ([_docname, _title, _anchor, _description, score, _filename, kind]) =>
    kind === "title" ? score + 20 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
