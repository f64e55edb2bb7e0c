// The parts of a subject, of each of which the fields that repeat are asked: {text, title, note, units}.
// One is in hand: that of the row that is asked now, else the one that was opened last.

function partInHand(viewer, row = viewer.active()) {
  const asked = row === null ? 0 : viewer.form.fields[placeOfRow(row)[0]].part;
  return asked || viewer.part || viewer.fixed.parts?.length || 0;
}

function openPart(viewer, part) {
  if (part === partInHand(viewer)) return;
  const shown = viewer.shown();
  const rows = viewer.form.rowsOf(viewer.form.stageOf(shown), shown).filter((row) => viewer.form.fields[row]?.part === part);
  viewer.part = part;
  viewer.at = rows.find((row) => shown.answers[row] === undefined) || rows[0] || null;
  viewer.paint();
}

// From the first part back is the last, from the last on the first.
function movePart(viewer, by) {
  const count = viewer.fixed.parts?.length;
  if (count) openPart(viewer, ((partInHand(viewer) - 1 + by + count) % count) + 1);
}

// The next answer of the row that is asked, or the one before; round and round.
function stepAnswer(viewer, by) {
  const row = viewer.active();
  const asked = viewer.steps.rows.get(row);
  if (!asked?.choices) return;
  const { choices } = asked;
  const from = choices.findIndex(([value]) => value === viewer.shown().answers[row]);
  const to = from < 0 ? (by > 0 ? 0 : choices.length - 1) : (from + by + choices.length) % choices.length;
  viewer.choose(row, choices[to][0]);
  viewer.at = row;
  viewer.paint();
  asked.root.querySelector('[aria-checked="true"]')?.scrollIntoView({ block: "nearest" });
}

// The field of the part in hand with the answer "none" gets it.
function chooseNone(viewer) {
  const { fields } = viewer.form;
  const part = partInHand(viewer);
  const row = Object.keys(fields).find((name) => fields[name].part === part && fields[name].options.some(([value]) => value === "none"));
  if (row) viewer.choose(row, "none");
}

function takeSuggestion(viewer, part = partInHand(viewer)) {
  const { fields } = viewer.form;
  Object.entries(viewer.moving.suggested?.[part] || {}).forEach(([row, said]) => {
    if (said !== null && fields[row].options.some(([value]) => value === said)) viewer.choose(row, said);
  });
}

// What a model says of a part, where that may be seen: {part: {field: answer}}.
class Suggested {
  constructor(viewer, part) {
    Object.assign(this, { viewer, part });
    this.root = element("p", { class: "model", "data-testid": `suggested-${part}` });
  }

  paint({ answers }, open, closed) {
    const { viewer, part } = this;
    const { words } = viewer;
    const told = viewer.moving.suggested?.[part];
    const later = !told && open && viewer.fixed.suggestsLater && !closed;
    const differs = Boolean(told) && Object.entries(told).some(([row, said]) => said !== null && answers[row] !== said);
    if (!isNew(this, [told || null, later, differs, open, closed])) return;
    this.root.hidden = !told && !later;
    this.root.classList.toggle("differs", differs);
    const said = () => viewer.steps.summary(Object.keys(told), viewer.form.visible(told));
    const take = told && open && differs && !closed ? [this.take()] : [];
    const quiet = element("span", { class: "quiet" }, told ? words.model_says : viewer.fixed.suggestsLater);
    this.root.replaceChildren(quiet, ...(told ? [element("strong", {}, said()), ...take] : []));
  }

  take() {
    const run = (event) => { event.stopPropagation(); takeSuggestion(this.viewer, this.part); };
    return button({ "data-testid": "take-suggestion", onclick: run }, this.viewer.words.model_take, keyCap(capOf("accept")));
  }
}
