// What the keys do that only citation mapping has.

function mappingKeys(viewer) {
  const decide = (decision) => () => viewer.current() && viewer.decide(viewer.current(), decision);
  return [
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "key_next", run: () => viewer.step(1) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "key_previous", run: () => viewer.step(-1) },
    { keys: ["a"], caps: ["a"], words: "key_accept", run: decide("accept") },
    { keys: ["r"], caps: ["r"], words: "key_reject", run: decide("reject") },
    { keys: ["u"], caps: ["u"], words: "key_unsure", run: decide("unsure") },
    { keys: ["Enter", " "], caps: ["↵", "␣"], words: "key_expand", run: () => viewer.current()?.toggle() },
    { keys: ["]"], caps: ["]"], words: "key_next_citation", run: () => viewer.trail.step(1) },
    { keys: ["["], caps: ["["], words: "key_previous_citation", run: () => viewer.trail.step(-1) },
    { keys: ["v"], caps: ["v"], words: "key_graph", run: () => viewer.graph.toggle() },
    { keys: ["/"], caps: ["/"], words: "key_search", run: () => viewer.search.input.focus() },
    { keys: ["n"], caps: ["n"], words: "key_none", run: () => viewer.toggleNoProvision() },
  ];
}
