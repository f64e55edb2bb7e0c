// Two answers side by side: {name, title, pieces} each. Pieces are [text, kind]; what both say carries
// no mark.

function answerText(viewer, { name, title, pieces }) {
  const compared = ([text, kind]) => (kind === "alone" || kind === "moved" ? element("span", { class: kind, "data-testid": kind }, text) : text);
  const paras = { class: "words", tabindex: "0", dir: "auto", lang: viewer.fixed.language, "data-testid": name };
  const fold = runningFold(element("div", paras), pieces, viewer.folding(name), compared);
  return element("section", { class: `said-answer ${name}`, "aria-label": title }, element("h2", { class: "eyebrow" }, title), fold.nodes);
}

SCREEN_KEYS.rating = (viewer) => ({
  part_next: () => viewer.law.step(1),
  part_previous: () => viewer.law.step(-1),
  go_on: () => viewer.law.toggle(),
});

PANE_KINDS.answers = (viewer, sides) => [element("div", { class: "two-answers" }, sides.map((each) => answerText(viewer, each)))];
