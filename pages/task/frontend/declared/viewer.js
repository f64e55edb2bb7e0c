// A declared form in the frame: the law or nothing at the left, the item and the stages of its form at
// the right. What must not be seen yet is not here either: the server tells it.

class DeclaredViewer extends DeclaredWords {
  constructor(parent, screen) {
    super(parent, `${screen}-viewer`);
    this.asks.add("search");
    this.followed = null;
    this.at = null; // the row that was moved to; else the first that is not answered
  }

  receive(data, send) {
    if (data.form) this.form = new DeclaredForm(data.form, (shown) => this.unitsOf(shown));
    super.receive(data, send);
  }

  // What the frame asks of a task
  drawn() {
    const { words, fixed } = this;
    const { fields } = this.form;
    this.unitField = Object.keys(fields).find((name) => fields[name].kind === "units") || null;
    this.options = new OptionsPane(this);
    this.marks = new MarkedTexts(this);
    this.steps = new Steps(this);
    const asked = element("section", { class: "asked", lang: fixed.language, "aria-label": words.question }, paneNodes(this, fixed.panes));
    this.pane = element("section", { class: "work-pane", "aria-label": words.work, tabindex: "-1" }, this.head.bars, asked, this.steps.root, paneNodes(this, fixed.below));
    this.law = fixed.law ? new LawPane(this) : null;
    return element("div", { class: `panes declared ${this.law ? "" : "alone"}` }, this.law?.root, this.pane);
  }

  kept() {
    this.keepTexts();
    return { at: this.at, law: this.law?.places.map((each) => each.scrollTop), work: this.pane.scrollTop };
  }

  placed(kept, inside) {
    this.at = kept && kept.at;
    this.law?.places.forEach((each, at) => { each.scrollTop = kept?.law?.[at] ?? 0; });
    this.pane.scrollTop = kept ? kept.work : 0;
    this.followed = kept ? "" : null;
    if (inside) this.focusWork();
  }

  painted(shown) {
    const active = this.active(shown);
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
    if (!shown.discussion?.canKeep) this.follow(active); // what is to be discussed stands above
    if (confidence) this.notes.confidence.value = shown.answers[confidence] ?? null; // asked in its stage, not below
  }

  heard(data) {
    if (data.found) this.law?.search?.show(data.found);
  }

  // What is asked now comes into view, once, with the unit that it is about: then the person scrolls.
  // An item that opens stays at its top.
  follow(active) {
    const place = `${this.fixed.stage} ${active}`;
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
    const row = this.active(shown);
    const stage = this.form.stageOf(shown);
    const names = row === null ? stage.clause : this.form.fields[placeOfRow(row)[0]].clause;
    return (names || []).map((name) => (Array.isArray(name) ? this.saidOf(name[0], shown.answers[name[0]] ?? name[1]) : name));
  }

  taskKeys() {
    const runs = Object.entries(declaredKeys(this));
    return Object.fromEntries(runs.filter(([action]) => this.screen in KEY_MAP[action].on));
  }

  // A provision that has the focus is scrolled by the arrows; an answer that is asked for now may have
  // a letter of its own.
  takes(target, key) {
    if (this.inLaw(target)) return key.startsWith("Arrow");
    const row = !/^[0-9]$/.test(key) && this.stageNow() && this.active();
    const found = row && this.steps.rows.get(row).choices?.find(([, , , , own]) => own === key);
    return found ? () => this.choose(row, found[0]) : false;
  }

  escaped() {
    const back = this.inLaw(this.focused());
    if (back) this.focusWork();
    return back;
  }

  inLaw(target) {
    return target instanceof Element && target.matches(".law");
  }

  focusWork() {
    this.pane.focus({ preventScroll: true });
  }

  cleared() {
    this.steps = null;
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

  // What a person does
  pickOption(index) {
    const { picks } = this.form.stageOf(this.shown());
    if (picks) this.choose(picks, index);
    this.focusWork();
  }

  choose(row, value) {
    const shown = this.shown();
    const stage = this.stageNow(shown);
    if (!stage || !this.form.rowsOf(stage, shown).includes(row)) return;
    this.at = null;
    const [name, unit] = placeOfRow(row);
    if (unit !== null) this.judge(unit, value);
    else this.say(name, value, shown.answers);
    this.focusWork();
    this.goOn(stage, name);
  }

  say(name, value, answers) {
    const { kind, options } = this.form.fields[name];
    const given = answers[name] || [];
    if (kind === "spans") return markSelected(this, name, value, given);
    if (kind === "choices") {
      const now = options.map(([each]) => each).filter((each) => (each === value) !== given.includes(each));
      this.at = name;
      this.answer(name, now.length ? now : null);
      return;
    }
    this.answer(name, value);
    this.form.implied(name, value, answers).forEach(([field, filled]) => this.answer(field, filled));
  }

  // An added unit that does not belong is not there any more.
  judge(unit, value) {
    const judged = { ...this.shown().answers[this.unitField], [unit]: value };
    if (value === "no" && !this.fixed.law.units.some((each) => each.unit === unit)) delete judged[unit];
    const sorted = Object.keys(judged).sort().map((name) => [name, judged[name]]);
    this.answer(this.unitField, Object.fromEntries(sorted));
  }

  // What an answer leads to: the dialog or the words that it asks for, or, once all of a stage is
  // answered, the button that says what cannot be undone.
  goOn(stage, name) {
    const shown = this.shown();
    const { fields } = this.form;
    const led = (each) => (fields[each].when || []).some(({ if: wanted }) => wanted && name in wanted);
    const edit = this.form.rowsOf(stage, shown).find((each) => fields[each]?.kind === "edit" && led(each));
    if (edit) openEdit(this, edit, true);
    if (stage.seal && !this.form.missing(stage, shown)) this.focusSeal();
    const row = this.steps.rows.get(this.active());
    if (row instanceof WrittenRow && !this.root.querySelector("dialog[open]")) row.input.focus();
  }

  // What the search box asks of a viewer
  add(unit) {
    this.judge(unit, "yes");
    this.focusWork();
  }

  cardOf(unit) {
    return this.unitsOf(this.shown()).find((each) => each.unit === unit);
  }

  mayAdd(shown) {
    const stage = this.form.stageOf(shown);
    return stage.name !== DONE && stage.fields.includes(this.unitField);
  }

  find() {
    if (this.mayAdd(this.shown())) this.law?.search?.input.focus();
  }

  // A digit answers the row that is marked; where none is, or it has no such answer, it says so.
  digit(number) {
    const row = this.active();
    if (!this.stageNow()) return;
    if (row === null) this.head.tell(this.words.digit_passed, "bad");
    else if (!this.steps.rows.get(row).pick(number - 1)) this.head.tell(fill(this.words.digit_unknown, { number, what: this.nameOfRow(row) }), "bad");
  }

  // From the first row back is the last, from the last on the first.
  move(by) {
    const shown = this.shown();
    const stage = this.form.stageOf(shown);
    if (stage.name === DONE) return;
    const rows = this.form.rowsOf(stage, shown);
    const from = this.active(shown);
    const to = from === null ? (by < 0 ? rows.length - 1 : 0) : rows.indexOf(from) + by;
    this.at = rows[(to + rows.length) % rows.length];
    this.paint();
  }

  // Goes to the button of the next stage, or submits, once all of this one is answered.
  onward() {
    const shown = this.shown();
    if (this.leaving || this.opening(shown)) return;
    const stage = this.form.stageOf(shown);
    if (this.leavesSeveral(stage, shown)) return;
    if (stage.name !== DONE && this.tellsLack(stage, shown)) return;
    if (stage.seal) this.focusSeal();
    else this.submit();
  }

  // A row of several answers stays in hand until the person goes on to the next.
  leavesSeveral(stage, shown) {
    const leaves = this.at && ["choices", "spans"].includes(this.form.fields[this.at]?.kind) && this.form.missing(stage, shown);
    if (leaves) this.at = null;
    if (leaves) this.paint();
    return Boolean(leaves);
  }

  // Opens the next stage: by its button alone, which says that this cannot be undone.
  reveal(seal) {
    const shown = this.shown();
    const stage = this.stageNow(shown);
    if (stage?.seal === seal && !this.tellsLack(stage, shown)) this.answer(seal, true);
  }

  focusSeal() {
    this.steps.root.querySelector(".step.open .onward")?.focus();
  }

  submit() {
    if (this.fixed.finished) return;
    this.keepTexts();
    const shown = this.shown();
    const stage = this.form.stageOf(shown);
    if (stage.name !== DONE && this.tellsLack(stage, shown)) return;
    if (!stage.seal) return super.submit();
    this.steps.at(stage).missed.say(stage.sealFirst, () => this.form.stageOf(this.shown()).name);
    this.focusSeal();
  }

  // A text takes the focus, or else what is typed next would be taken for keys.
  tellsLack(stage, shown) {
    const lack = () => this.form.lack(stage, this.shown(), this);
    const found = this.form.lack(stage, shown, this);
    const row = found && this.steps.rows.get(found[0]);
    if (row) row.missed.say(found[1], lack);
    else if (found) this.head.say(found[1], "bad"); // no unit is listed yet
    return Boolean(found);
  }

  // The field of words that is marked, else the first there is.
  write() {
    const { fields } = this.form.stageOf(this.shown());
    const rows = this.texts.filter(({ field }) => fields.includes(field));
    (rows.find(({ field }) => field === this.active()) || rows.find(({ root }) => !root.hidden) || rows[0])?.input.focus();
  }
}
