// A declared form in the frame: the law or nothing at the left, the item and the stages of its form at
// the right, or the other way round, or with panes beside it. What must not be seen yet is not here
// either: the server tells it. A part {paint, heard, placed, cleared, takes, escaped, clause, went,
// listed, failed} is asked by the viewer for what it defines.

class DeclaredViewer extends DeclaredAnswers {
  constructor(parent, screen) {
    super(parent, `${screen}-viewer`);
    this.parts = [];
    this.followed = null; // the place that was brought into view last
    this.at = null; // the row that was moved to; else the first that is not answered
    this.part = 0; // of the subject, that was last in hand
  }

  receive(data, send) {
    const form = data.fixed?.form || data.form; // of a subject in parts it comes with the item
    if (form) this.form = new DeclaredForm(form, (shown) => this.unitsOf(shown));
    super.receive(data, send);
  }

  // What the frame asks of a task
  drawn() {
    const { words, fixed } = this;
    const { fields } = this.form;
    this.parts = [];
    this.unitField = Object.keys(fields).find((name) => fields[name].kind === "units") || null;
    this.options = new OptionsPane(this);
    this.marks = new MarkedTexts(this);
    this.steps = new Steps(this);
    const asked = element("section", { class: "asked", lang: fixed.language, "aria-label": words.question }, paneNodes(this, fixed.panes));
    this.pane = element("section", { class: "work-pane", "aria-label": words.work, tabindex: "-1" }, this.head.bars, asked, this.steps.root, paneNodes(this, fixed.below));
    this.law = fixed.law ? new LawPane(this) : null;
    const sides = [this.law?.root, this.pane, ...paneNodes(this, fixed.beside)];
    if (fixed.law?.after) sides.reverse();
    return element("div", { class: `panes declared ${this.screen} ${this.law || fixed.beside ? "" : "alone"}` }, sides);
  }

  kept() {
    this.keepTexts();
    return { at: this.at, part: this.part, law: this.law?.places.map((each) => each.scrollTop), work: this.pane.scrollTop };
  }

  placed(kept, inside) {
    this.at = kept && kept.at;
    this.part = kept?.part ?? 0;
    this.law?.places.forEach((each, at) => { each.scrollTop = kept?.law?.[at] ?? 0; });
    this.pane.scrollTop = kept ? kept.work : 0;
    this.followed = kept ? "" : null;
    this.parts.forEach((each) => each.placed?.());
    if (inside) this.focusWork();
  }

  painted(shown) {
    const active = this.active(shown);
    this.part = partInHand(this, active);
    const stage = this.form.stageOf(shown);
    const { confidence } = this.form;
    this.root.dataset.stage = this.fixed.stage;
    this.root.classList.toggle("opening", this.opening(shown));
    this.root.classList.toggle("sealed", Boolean(stage.seal)); // the next stage comes before submitting
    this.root.classList.toggle("sure-asked", Boolean(confidence));
    this.root.classList.toggle("preview", this.preview);
    this.law?.paint(shown, active);
    this.options.paint(shown, stage.picks);
    this.marks.paint(marksOf(this.form, shown.answers));
    this.steps.paint(shown, active);
    this.parts.forEach((each) => each.paint?.(shown));
    if (!shown.discussion?.canKeep) this.follow(active); // what is to be discussed stands above
    if (confidence) this.notes.confidence.value = shown.answers[confidence] ?? null; // asked in its stage, not below
  }

  heard(data) {
    if (data.found) this.law?.search?.show(data.found);
    this.parts.forEach((each) => each.heard?.(data));
  }

  listed(queue) {
    if (!this.parts.some((each) => each.listed?.(queue))) super.listed(queue);
  }

  leave(act) {
    super.leave(this.parts.reduce((made, each) => each.went?.(made) || made, act));
  }

  // What is asked now comes into view, once, with the unit that it is about: then the person scrolls.
  // An item that opens stays at its top.
  follow(active) {
    const place = `${this.fixed.stage} ${active} ${this.part}`;
    if (place === this.followed) return;
    const opens = this.followed === null;
    this.followed = place;
    const [, unit] = active === null ? [] : placeOfRow(active);
    if (unit) this.law?.reveal(unit);
    if (opens) return;
    for (const found of [".step.open", ".ask.active"]) {
      const part = this.steps.root.querySelector(found);
      if (part) bringTo(this.pane, part, 6);
    }
  }

  clause(shown) {
    const held = [...this.steps.rows].find(([, { root }]) => root.contains(this.focused()));
    const row = this.active(shown) ?? held?.[0];
    const stage = this.form.stageOf(shown);
    const ofRow = row && this.form.fields[placeOfRow(row)[0]].clause;
    const names = ofRow || this.parts.map((each) => each.clause?.(shown)).find(Boolean) || stage.clause || this.form.openNow(stage, shown)?.clause;
    return (names || []).map((name) => (Array.isArray(name) ? this.saidOf(name[0], shown.answers[name[0]] ?? name[1]) : name));
  }

  taskKeys() {
    const has = ([action]) => this.screen in KEY_MAP[action].on;
    return Object.fromEntries(Object.entries(declaredKeys(this)).filter(has));
  }

  // A provision that has the focus is scrolled by the arrows; an answer that is asked for now may have
  // a letter of its own.
  takes(target, key) {
    if (this.inLaw(target)) return key.startsWith("Arrow");
    if (this.parts.some((each) => each.takes?.(target, key))) return true;
    const row = !/^[0-9]$/.test(key) && this.stageNow() && this.active();
    const found = row && this.steps.rows.get(row).choices?.find(([, , , , own]) => own === key);
    return found ? () => this.choose(row, found[0]) : false;
  }

  escaped() {
    return super.escaped() || this.parts.some((each) => each.escaped?.());
  }

  cleared() {
    this.steps = null;
    this.parts.forEach((each) => each.cleared?.());
    this.parts = [];
  }

  // The units that are asked about: those listed, then those that the person has added and not taken out.
  unitsOf({ answers, added }) {
    const listed = this.fixed.law?.units || [];
    const judged = this.unitField ? answers[this.unitField] || {} : {};
    return [...listed, ...(added || []).filter(({ unit }) => judged[unit])];
  }

  // The next stage is open, and what belongs to it is not here yet.
  opening(shown = this.shown()) {
    return !this.preview && this.form.stageOf(shown).name !== this.fixed.stage;
  }

  // Which row is asked now; null when all of the stage is answered or nothing is asked.
  active(shown = this.shown()) {
    const stage = this.form.stageOf(shown);
    if (stage.name === DONE || this.opening(shown)) return null;
    if (this.at && this.form.rowsOf(stage, shown).includes(this.at)) return this.at;
    return this.form.missing(stage, shown);
  }

  // The stage in which somebody may answer now; null where none is.
  stageNow(shown = this.shown()) {
    const stage = this.form.stageOf(shown);
    return this.leaving || stage.name === DONE || this.opening(shown) ? null : stage;
  }
}
