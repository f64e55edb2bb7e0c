// Solvability of a multiple-choice question in the frame: the provisions on the left, the question
// and the steps on the right. What must not be seen yet is not here either: the server tells it.

class McqViewer extends FormViewer {
  constructor(parent) {
    super(parent, "mcq-viewer");
    this.followed = null;
    this.at = null; // the field that was moved to; else the first that is not answered
  }

  drawn() {
    this.options = new Options(this);
    this.steps = new Steps(this);
    this.pane = element(
      "section",
      { class: "work-pane", "aria-label": this.words.work, tabindex: "-1" },
      this.head.bars,
      this.options.root,
      this.steps.root,
      votesPane(this),
    );
    this.law = provisions(this);
    return element("div", { class: "panes" }, this.law, this.pane);
  }

  kept() {
    this.steps.reason.keep();
    const law = this.law.querySelector(".provision.a .law");
    return { at: this.at, law: law.scrollTop, work: this.pane.scrollTop };
  }

  placed(kept, inside) {
    this.at = kept && kept.at;
    this.law.querySelector(".provision.a .law").scrollTop = kept ? kept.law : 0;
    this.pane.scrollTop = kept ? kept.work : 0;
    this.followed = kept ? "" : null;
    if (inside) this.focusWork();
  }

  painted(shown) {
    const active = this.active(shown);
    this.root.dataset.stage = this.fixed.stage;
    this.root.classList.toggle("opening", this.opening(shown));
    this.options.paint(shown);
    this.steps.paint(shown, active);
    if (!shown.discussion?.canKeep) this.follow(active); // what is to be discussed stands above
    this.notes.confidence.value = shown.answers.both_sure ?? null; // asked in its step, not below
  }

  // What is asked now comes into view, once: then the person scrolls.
  follow(active) {
    const place = `${this.fixed.stage} ${active}`;
    if (place === this.followed) return;
    const show = this.followed === null ? reveal : bringTo; // a page that opens stays at its top
    this.followed = place;
    const open = this.steps.root.querySelector(".step.open");
    if (open) show(this.pane, open, 6);
    const row = this.steps.root.querySelector(".ask.active");
    if (row) show(this.pane, row, 6);
  }

  clause(shown) {
    const field = this.active(shown);
    const stage = stageOf(shown);
    if (GATES[stage] && stage === "alone") return [this.words.step_alone];
    if (GATES[stage]) return [this.words.clause_both];
    if (!field || field === "stored_right") return [this.words.clause_compared];
    const verdict = shown.answers.verdict || "keep";
    return [this.words[`verdict_${verdict}`], this.words[`ask_${field}`]];
  }

  taskKeys() {
    return mcqKeys(this);
  }

  // A provision that has the focus is scrolled by the arrows.
  takes(target, key) {
    return this.inLaw(target) && key.startsWith("Arrow");
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

  unsaved() {
    return Boolean(this.steps?.reason.dirty) || super.unsaved();
  }

  leave(act) {
    if (!this.fixed.finished) this.steps.reason.keep();
    super.leave(act);
  }

  cleared() {
    this.steps = null;
  }

  // The next step is open, and what belongs to it is not here yet.
  opening(shown = this.shown()) {
    return stageOf(shown) !== this.fixed.stage;
  }

  // Which field is asked now; null when all of the step is answered or nothing is asked.
  active(shown = this.shown()) {
    const stage = stageOf(shown);
    if (stage === "done" || this.opening(shown)) return null;
    if (this.at && fieldsOf(stage, shown.answers).includes(this.at)) return this.at;
    return missingOf(stage, shown.answers);
  }

  // The field that a click on an option answers, null where none does.
  pickField() {
    const stage = stageOf(this.shown());
    return GATES[stage] ? `${stage}_choice` : null;
  }

  pick(index) {
    if (this.pickField()) this.choose(this.pickField(), index);
    this.focusWork();
  }

  choose(field, value) {
    const stage = stageOf(this.shown());
    if (this.opening() || (stage !== "done" && !fieldsOf(stage, this.shown().answers).includes(field))) return;
    this.at = null;
    this.answer(field, value);
    this.focusWork();
    if (field === "verdict" && value === "fix") openFix(this);
    this.focusAsked();
  }

  // Words that are asked for next are written at once. Once all of a step is answered, the button
  // that says what cannot be undone has the focus.
  focusAsked() {
    const shown = this.shown();
    if (GATES[stageOf(shown)] && !missingOf(stageOf(shown), shown.answers)) this.focusGate();
    if (this.active() === "reason" && !this.root.querySelector("dialog[open]")) this.askReason();
  }

  digit(number) {
    const field = this.active();
    if (field === "fix") openFix(this);
    else if (field && field !== "reason") this.steps.asks.get(field).pick(number - 1);
  }

  move(by) {
    const shown = this.shown();
    const stage = stageOf(shown);
    if (stage === "done") return;
    const fields = fieldsOf(stage, shown.answers);
    const from = this.active(shown);
    const to = from === null ? fields.length - 1 : fields.indexOf(from) + by;
    this.at = fields[Math.max(0, Math.min(fields.length - 1, to))];
    this.paint();
  }

  // Goes to the button of the next step, or submits, once all of this one is answered.
  onward() {
    const shown = this.shown();
    if (this.leaving || this.opening(shown)) return;
    const stage = stageOf(shown);
    if (stage !== "done" && this.tellsMissing(stage, shown)) return;
    if (GATES[stage]) this.focusGate();
    else this.submit();
  }

  // Opens the next step: by its button alone, which says that this cannot be undone.
  reveal(gate) {
    const shown = this.shown();
    const stage = stageOf(shown);
    if (this.leaving || this.opening(shown) || GATES[stage] !== gate) return;
    if (!this.tellsMissing(stage, shown)) this.answer(gate, true);
  }

  focusGate() {
    this.steps.root.querySelector(".step.open .onward")?.focus();
  }

  submit() {
    if (this.fixed.finished) return;
    this.steps.reason.keep();
    const shown = this.shown();
    const stage = stageOf(shown);
    if (stage !== "done" && (this.tellsMissing(stage, shown) || this.tellsAhead(stage))) return;
    super.submit();
  }

  // What acts say
  nameOf(act) {
    return this.words[`ask_${act.field}`] || super.nameOf(act);
  }

  saying(act, value) {
    if (act.field === "fix" && value) return value.query;
    return this.steps.asks.get(act.field)?.says({ [act.field]: value }) || super.saying(act, value);
  }

  // What a voice of a discussion says: in the order of the steps, and not that they were opened.
  fieldsSaid(answers) {
    const asked = STAGES.flatMap((stage) => (stage === "compared" ? ["stored_right", "verdict", "fix", "cause", "reason"] : fieldsOf(stage, answers)));
    return asked.filter((field) => answers[field] !== undefined && !field.endsWith("_sure"));
  }

  differs(field, mine, theirs) {
    return field !== "reason" && super.differs(field, mine, theirs);
  }

  saidName(field) {
    const [stage] = field.split("_");
    return GATES[stage] ? `${this.words[`step_${stage}`]} · ${super.saidName(field)}` : super.saidName(field);
  }

  saidParts(field, value) {
    if (value === null) return this.words.met_nothing;
    if (field === "reason") return value;
    if (field === "fix") return `${changedWords(this, value)} ${value.query} — ${value.options.map((text, at) => `${at + 1}. ${text}${at === value.answer ? " ✓" : ""}`).join("  ")}`;
    return field.endsWith("_choice") ? fill(this.words.option_of, { number: value + 1 }) : super.saidParts(field, value);
  }

  textOf(act) {
    return act.field === "reason" ? this.steps?.reason : super.textOf(act);
  }

  fail(message, act, ...why) {
    if (act.field === "reason" && act.item === this.moving.item) this.steps?.reason.refused(act);
    super.fail(message, act, ...why);
  }

  tellsMissing(stage, { answers }) {
    const lack = this.lackOf(stage, answers);
    if (!lack) return false;
    const [field, said] = lack;
    const { asks, fix, reason } = this.steps; // a reason takes the focus, or else what is typed next would be taken for keys
    ({ fix, reason }[field] || asks.get(field)).missed.say(said, () => this.lackOf(stage, this.shown().answers));
    return true;
  }

  // What keeps a stage open: the field, and what is to be said of it.
  lackOf(stage, answers) {
    const missing = missingOf(stage, answers);
    if (missing) return [missing, this.stillWords(missing, answers)];
    return stage === "compared" && changesNothing(this.fixed, answers) ? ["fix", this.words.fix_nothing] : null;
  }

  // Of a reason that is asked for since two answers do not go together, which they are.
  stillWords(missing, answers) {
    const against = missing === "reason" && againstItself(answers) ? conflictsOf(answers) : [];
    if (against.length) return fill(this.words.still_against, { what: against.map((name) => this.words[`conflict_${name}`]).join(", ") });
    return fill(this.words.still, { what: this.words[`ask_${missing}`] });
  }

  tellsAhead(stage) {
    if (GATES[stage]) this.steps.at(stage).missed.say(this.words[`gate_first_${GATES[stage]}`], () => stageOf(this.shown()));
    if (GATES[stage]) this.focusGate();
    return Boolean(GATES[stage]);
  }

  askReason() {
    if (stageOf(this.shown()) === "compared") this.steps.reason.input.focus();
  }

  // Scrolls with the arrows from then on.
  read(name) {
    this.law.querySelector(`.provision.${name} .law`)?.focus({ preventScroll: true });
  }
}
