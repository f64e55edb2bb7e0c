// What runs for each key that only citation mapping has.

function mappingKeys(viewer) {
  const decide = (decision) => () => viewer.current() && viewer.decide(viewer.current(), decision);
  return {
    part_next: () => viewer.step(1),
    part_previous: () => viewer.step(-1),
    accept: decide("accept"),
    reject: decide("reject"),
    unsure: decide("unsure"),
    go_on: () => viewer.current()?.toggle(),
    place_next: () => viewer.trail.step(1),
    place_previous: () => viewer.trail.step(-1),
    graph: () => viewer.graph.toggle(),
    search: () => viewer.search.input.focus(),
    none: () => viewer.toggleNoProvision(),
    ...evidenceKeys(viewer),
  };
}
