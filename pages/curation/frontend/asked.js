// The question with its answer, and what it was written for: its level only once it is told.

function askedPane(viewer) {
  const { words, fixed } = viewer;
  const asked = element("div", { class: "question", "data-testid": "question" });
  const answer = element("div", { class: "official", "data-testid": "official" });
  return element(
    "section",
    { class: "asked", lang: fixed.language, "aria-label": words.question },
    element("h2", { class: "eyebrow" }, words.question),
    runningFold(asked, [[fixed.text, null]], viewer.folding("question")).nodes,
    element("h2", { class: "eyebrow" }, words.answer),
    runningFold(answer, [[fixed.answer, null]], viewer.folding("answer")).nodes,
    axesLine(viewer),
  );
}

function axesLine({ words, fixed }) {
  const chips = fixed.axes.map(([name, value]) =>
    element("span", { class: "chip" }, element("span", { class: "quiet" }, `${name} `), value),
  );
  return chips.length ? element("p", { class: "axes", "data-testid": "axes" }, element("span", { class: "quiet" }, words.axes), chips) : null;
}

// What each layer said, told by the server once the question is judged by itself.
function layersPane({ words, fixed }, found) {
  if (!fixed.layers) return null;
  const rows = fixed.layers.map(({ name, outcome, reasons, restored }) =>
    element(
      "li",
      { class: outcome },
      element("span", { class: "layer" }, name),
      element("span", { class: "outcome" }, words[`layer_${outcome}`]),
      reasons.map((reason) => element("span", { class: "why" }, reason)),
      restored === null ? null : element("span", { class: "why" }, fill(words.restored, { reason: restored })),
    ),
  );
  const body = rows.length ? element("ul", {}, rows) : element("p", { class: "quiet" }, words.layers_none);
  const target = fixed.target ? element("p", { class: "target" }, fill(words.target, { level: fixed.target, found })) : null;
  return element("section", { class: "layers", "data-testid": "layers" }, element("h2", { class: "eyebrow" }, words.layers), target, body);
}
