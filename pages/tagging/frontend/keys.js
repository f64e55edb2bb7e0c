// What runs for each key of this screen. While a sentence is pointed at, some move it instead.

function taggingKeys(viewer) {
  const reading = (run) => () => viewer.judgment && run(viewer.judgment);
  const either = (pointed, plain) => () => (viewer.pointing?.on ? pointed(viewer.pointing) : plain());
  return {
    option: (key) => viewer.digit(key),
    none: () => viewer.chooseSilent(),
    go_on: () => viewer.onward(),
    part_next: either((at) => at.move(1), () => viewer.move(1)),
    part_previous: either((at) => at.move(-1), () => viewer.move(-1)),
    group_next: either((at) => at.extend(1), () => viewer.moveFactor(1)),
    group_previous: either((at) => at.extend(-1), () => viewer.moveFactor(-1)),
    accept: () => viewer.takeSuggestion(0),
    evidence: () => viewer.pointing?.begin(),
    option_next: either((at) => at.adjust(1, false), () => viewer.card?.focusOption(1)),
    option_previous: either((at) => at.adjust(-1, false), () => viewer.card?.focusOption(-1)),
    front_later: either((at) => at.adjust(1, true), () => {}),
    front_earlier: either((at) => at.adjust(-1, true), () => {}),
    evidence_next: () => viewer.nextEvidence(),
    page_down: reading((at) => at.scroll(1)),
    page_up: reading((at) => at.scroll(-1)),
    place_next: reading((at) => at.step(1)),
    place_previous: reading((at) => at.step(-1)),
    fold: reading((at) => at.toggleHere()),
    search: reading((at) => at.finder.input.select()),
    found_next: reading((at) => at.finder.step(1)),
    found_previous: reading((at) => at.finder.step(-1)),
    larger: reading((at) => at.resize(1)),
    smaller: reading((at) => at.resize(-1)),
    rest: () => viewer.askRest(),
    whole_help: () => viewer.toggleHelp(),
    stay: () => viewer.toggleWise(),
    case_next: () => viewer.along(1),
    case_previous: () => viewer.along(-1),
    overview: () => viewer.askProgress(),
  };
}
