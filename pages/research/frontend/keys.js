// What runs for each key of this screen.

function researchKeys(viewer) {
  return {
    search: () => { viewer.reader = null; viewer.paint(); viewer.search.input.select(); },
    evidence: () => viewer.reader?.keep(),
    reason: () => viewer.rule.input.focus(),
    terms: () => viewer.terms.input.focus(),
    option: (key) => viewer.digit(Number(key)),
    none: () => viewer.choose("none"),
  };
}
