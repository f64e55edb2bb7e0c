// What the judges and the raters said of the answer, and what the judges were asked.

const GRADES = {
  correct: ["check", "good"],
  incorrect: ["cross", "bad"],
  unread: ["unsure", "none"],
  refused: ["unsure", "none"],
  failed: ["unsure", "none"],
};

function grade(viewer, said) {
  const [shape, tone] = GRADES[said] || [null, "preference"];
  return element("span", { class: `grade ${tone}` }, shape ? icon(shape) : null, viewer.words[`said_${said}`]);
}

// What the marks of two answers mean.
PANE_KINDS.legend = ({ words }, shared) => {
  const samples = ["alone", "moved"].map((kind) => element("li", {}, element("span", { class: kind }, words[`mark_${kind}`])));
  return [element("ul", { class: "legend", "aria-label": words.legend }, samples, element("li", { class: "quiet" }, fill(words.shared_words, shared)))];
};

// {verdicts, raters, rated}
PANE_KINDS.voices = (viewer, told) => {
  const { words } = viewer;
  viewer.verdicts = told.verdicts;
  const judges = told.verdicts.map(({ judge, said, note }) => voiceRow(viewer, "verdict", judge, said, note));
  const raters = told.raters.map(({ person, said, sure, comment, flag }) =>
    voiceRow(viewer, "rater", person, said, sure, [["rater_comment", comment], ["rater_flag", flag]]));
  const prompt = button({ "data-testid": "open-prompt", action: "prompts", onclick: () => openPrompts(viewer) }, words.prompt);
  return [element("section", { class: "voices", "aria-label": words.voices, "data-testid": "voices" },
    element("h2", { class: "eyebrow" }, words.judges, judges.length ? prompt : null),
    judges.length ? element("div", { class: "row" }, judges) : element("p", { class: "quiet" }, words.no_verdict),
    element("h2", { class: "eyebrow" }, words.raters),
    raters.length ? element("div", { class: "row" }, raters) : element("p", { class: "quiet" }, fill(words.not_rated, told.rated)),
  )];
};

function voiceRow(viewer, name, who, said, beside, notes = []) {
  const note = ([word, text]) => text && element("p", { class: "note", dir: "auto" }, element("span", { class: "quiet" }, viewer.words[word]), " ", text);
  const told = [grade(viewer, said), beside && element("span", { class: "quiet" }, beside), notes.map(note)];
  return element("div", { class: "voice", "data-testid": name }, element("bdi", { class: "who" }, who), told.flat());
}

// Each verdict with what the judge was asked and what it wrote, as they are.
function openPrompts(viewer) {
  const { words, verdicts } = viewer;
  if (!verdicts.length) return;
  const text = (title, body, missing) => [
    element("h4", {}, title),
    body ? element("pre", { dir: "auto" }, body) : element("p", { class: "quiet" }, missing),
  ];
  const parts = verdicts.flatMap((each) => [
    element("h3", {}, element("bdi", {}, each.judge), grade(viewer, each.said), element("span", { class: "quiet" }, each.note)),
    ...text(fill(words.asked, { prompt: each.prompt }), each.asked, words[each.prompt ? "wording_gone" : "not_kept"]),
    ...text(words.wrote, each.raw, words.wrote_nothing),
  ]);
  const body = element("div", { class: "prompts", tabindex: "0", "data-testid": "prompts" }, parts);
  openDialog(viewer, "prompt", words.prompt, body);
  body.focus();
}
