// Curation in the frame: the provisions on the left, the question and the steps on the right. What
// must not be seen yet is not here either: the server tells it.

class CurationViewer extends FormViewer {
  constructor(parent) {
    super(parent, "curation-viewer");
    this.asks.add("search");
    this.followed = null;
    this.at = null; // the field that was moved to; else the first that is not answered
  }

  drawn() {
    this.steps = new Steps(this);
    this.pane = element(
      "section",
      { class: "work-pane", "aria-label": this.words.work, tabindex: "-1" },
      this.head.bars,
      askedPane(this),
      this.steps.root,
    );
    this.law = new LawPane(this);
    return element("div", { class: "panes" }, this.law.root, this.pane);
  }

  kept() {
    this.steps.reason.keep();
    return { at: this.at, law: this.law.list.scrollTop, work: this.pane.scrollTop };
  }

  placed(kept, inside) {
    this.at = kept && kept.at;
    this.law.list.scrollTop = kept ? kept.law : 0;
    this.pane.scrollTop = kept ? kept.work : 0;
    this.followed = kept ? "" : null;
    if (inside) this.focusWork();
  }

  painted(shown) {
    const active = this.active(shown);
    this.root.dataset.stage = this.fixed.stage;
    this.root.classList.toggle("opening", this.opening(shown));
    this.law.paint(shown, active);
    this.steps.paint(shown, active);
    if (!shown.discussion?.canKeep) this.follow(active); // what is to be discussed stands above
  }

  heard(data) {
    if (data.found) this.law.search.show(data.found);
  }

  // What is asked now comes into view, once, with the provision that it is about.
  follow(active) {
    const place = `${this.fixed.stage} ${active}`;
    if (place === this.followed) return;
    const show = this.followed === null ? reveal : bringTo; // a page that opens stays at its top
    this.followed = place;
    const open = this.steps.root.querySelector(".step.open");
    if (open) show(this.pane, open, 6);
    const row = this.steps.root.querySelector(".ask.active");
    if (row) show(this.pane, row, 6);
    if (active?.startsWith(GOLD)) this.law.reveal(active.slice(GOLD.length));
  }

  clause(shown) {
    const field = this.active(shown);
    const { verdict } = shown.answers;
    if (!field) return [];
    if (field.startsWith(GOLD)) return [this.words.ask_gold];
    const own = ["verdict", "edit", "cause", "reason"].includes(field);
    return own ? [this.words[`verdict_${verdict || "keep"}`]] : [this.words[`ask_${field}`], this.words.step_alone];
  }

  taskKeys() {
    return curationKeys(this);
  }

  // The law that has the focus is scrolled by the arrows.
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
    if (this.at && fieldsOf(this, stage, shown).includes(this.at)) return this.at;
    return missingOf(this, stage, shown);
  }

  choose(field, value) {
    const shown = this.shown();
    const stage = stageOf(shown);
    if (stage === "done" || this.opening(shown) || !fieldsOf(this, stage, shown).includes(field)) return;
    this.at = null;
    if (field.startsWith(GOLD)) this.judge(field.slice(GOLD.length), value);
    else this.answer(field, value);
    this.focusWork();
    if (field === "verdict" && value === "edit") openEdit(this);
    if (this.active() === "reason" && !this.root.querySelector("dialog[open]")) this.askReason();
    if (stage === "alone" && !missingOf(this, stage, this.shown())) this.focusGate();
  }

  // Say of a provision whether it belongs; one that was added and does not is not there any more.
  judge(unit, value) {
    const gold = { ...this.shown().answers.gold, [unit]: value };
    if (value === "no" && !this.fixed.provisions.some((each) => each.unit === unit)) delete gold[unit];
    const sorted = Object.keys(gold).sort().map((name) => [name, gold[name]]);
    this.answer("gold", Object.fromEntries(sorted));
  }

  // What the search box asks of a viewer
  add(unit) {
    this.judge(unit, "yes");
    this.focusWork();
  }

  cardOf(unit) {
    return provisionsOf(this, this.shown()).find((each) => each.unit === unit);
  }

  find() {
    if (stageOf(this.shown()) === "told") this.law.search.input.focus();
  }

  digit(number) {
    const field = this.active();
    if (field === "edit") openEdit(this);
    else if (field && field !== "reason") this.steps.asks.get(field).pick(number - 1);
  }

  // From the first question back is the last, from the last on the first.
  move(by) {
    const shown = this.shown();
    const stage = stageOf(shown);
    if (stage === "done") return;
    const fields = fieldsOf(this, stage, shown);
    const from = this.active(shown);
    const to = from === null ? (by < 0 ? fields.length - 1 : 0) : fields.indexOf(from) + by;
    this.at = fields[(to + fields.length) % fields.length];
    this.paint();
  }

  // Goes to the button that shows what the machine says, or submits, once all is answered.
  onward() {
    const shown = this.shown();
    if (this.leaving || this.opening(shown)) return;
    const stage = stageOf(shown);
    if (stage !== "done" && this.tellsMissing(stage, shown)) return;
    if (stage === "alone") this.focusGate();
    else this.submit();
  }

  // Shows what the machine says: by its button alone, which says that this cannot be undone.
  reveal() {
    const shown = this.shown();
    if (this.leaving || this.opening(shown) || stageOf(shown) !== "alone") return;
    if (!this.tellsMissing("alone", shown)) this.answer("revealed", true);
  }

  focusGate() {
    this.steps.root.querySelector(".step.open .onward")?.focus();
  }

  submit() {
    if (this.fixed.finished) return;
    this.steps.reason.keep();
    const shown = this.shown();
    const stage = stageOf(shown);
    if (stage !== "done" && this.tellsMissing(stage, shown)) return;
    if (stage === "alone") {
      this.steps.at(stage).missed.say(this.words.gate_first_revealed, () => stageOf(this.shown()));
      this.focusGate();
    } else super.submit();
  }

  tellsMissing(stage, shown) {
    const lack = this.lackOf(stage, shown);
    if (!lack) return false;
    const [field, said] = lack;
    const { asks, edit, reason } = this.steps; // a reason takes the focus, or else what is typed next would be taken for keys
    ({ edit, reason }[field] || asks.get(field)).missed.say(said, () => this.lackOf(stage, this.shown()));
    return true;
  }

  // What keeps a stage open: the field, and what is to be said of it.
  lackOf(stage, shown) {
    const { answers } = shown;
    const missing = missingOf(this, stage, shown);
    if (missing) return [missing, this.stillWords(missing, answers)];
    if (stage === "alone") return null;
    if (changesNothing(this, answers)) return ["edit", this.words.edit_nothing];
    const none = answers.verdict !== "reject" && !Object.values(answers.gold || {}).includes("yes");
    return none ? [fieldsOf(this, stage, shown)[0], this.words.none_belongs] : null;
  }

  // Of a reason that is asked for since the question is kept against a criterion, which that is.
  stillWords(missing, answers) {
    const { words } = this;
    const against = missing === "reason" && againstItself(answers);
    const failed = CRITERIA.filter((each) => answers[each] === "no").map((each) => `${words[`ask_${each}`]} ${words.says_no}`);
    const name = missing.startsWith(GOLD) ? "gold" : missing;
    return fill(against ? words.still_against : words.still, { what: against ? failed.join(", ") : words[`ask_${name}`] });
  }

  askReason() {
    if (stageOf(this.shown()) === "told") this.steps.reason.input.focus();
  }

  // What acts say
  nameOf(act) {
    return this.words[`ask_${act.field}`] || super.nameOf(act);
  }

  saying(act, value) {
    if (act.field === "edit" && value) return value.question;
    if (act.field === "gold" && value) return this.goldWords(value);
    return this.steps.asks.get(act.field)?.says({ [act.field]: value }) || super.saying(act, value);
  }

  goldWords(gold) {
    const of = (wanted) => Object.keys(gold).filter((unit) => gold[unit] === wanted).join(", ") || "–";
    return fill(this.words.gold_said, { yes: of("yes"), no: of("no") });
  }

  // What a voice of a discussion says: in the order of the steps, and not that they were opened.
  fieldsSaid(answers) {
    const asked = [...CRITERIA, "difficulty", "gold", "verdict", "edit", "cause", "reason"];
    return asked.filter((field) => answers[field] !== undefined);
  }

  differs(field, mine, theirs) {
    return field !== "reason" && super.differs(field, mine, theirs);
  }

  saidParts(field, value) {
    if (value === null) return this.words.met_nothing;
    if (field === "reason") return value;
    if (field === "edit") return `${changedWords(this, value)} ${value.question} — ${value.answer}`;
    return super.saidParts(field, value);
  }

  textOf(act) {
    return act.field === "reason" ? this.steps?.reason : super.textOf(act);
  }

  fail(message, act, ...why) {
    if (act.field === "reason" && act.item === this.moving.item) this.steps?.reason.refused(act);
    super.fail(message, act, ...why);
  }
}
