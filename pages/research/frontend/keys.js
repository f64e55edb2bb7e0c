// What the keys do on this screen.

function researchKeys(viewer) {
  return [
    { keys: ["/"], caps: ["/"], words: "key_query", run: () => { viewer.reader = null; viewer.paint(); viewer.search.input.select(); } },
    { keys: ["m"], caps: ["m"], words: "key_mark", run: () => viewer.reader?.keep() },
    { keys: ["b"], caps: ["b"], words: "key_back_to_results", run: () => viewer.reader && viewer.closeReader() },
    { keys: ["r"], caps: ["r"], words: "key_rule", run: () => viewer.rule.input.focus() },
    { keys: ["e"], caps: ["e"], words: "key_terms", run: () => viewer.terms.input.focus() },
    { keys: ["p"], caps: ["p"], words: "key_found", run: () => viewer.choose("found") },
    { keys: ["x"], caps: ["x"], words: "key_none", run: () => viewer.choose("none") },
  ];
}
