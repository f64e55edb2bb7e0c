// Reviewing a judge in the frame: the case at the left, what is said and settled at the right.

const COUNT_PAUSE_MS = 1200; // somebody who goes on faster does not wait for the counts

const PROVISION_LINES = 8;

class ReviewViewer extends FormViewer {
  constructor(parent) {
    super(parent, "review-viewer");
    this.asks.add("matrix");
    this.marked = true;
    this.through = []; // the open cases of the cell that was opened
  }

  // What the frame asks of a task
  drawn() {
    this.provisions = new Provisions(this, PROVISION_LINES);
    this.matrix = new Matrix(this);
    this.decision = new Decision(this);
    this.reading = element(
      "div",
      { class: "reading" },
      this.head.bars,
      casePane(this, this.legend()),
      this.provisions.root,
    );
    this.panes = element(
      "div",
      { class: "panes review" },
      this.reading,
      element("div", { class: "settling" }, this.matrix.root, voices(this), this.decision.root),
    );
    this.panes.classList.toggle("unmarked", !this.marked);
    return this.panes;
  }

  placed(kept) {
    this.provisions.settle();
    if (kept) this.reading.scrollTop = kept.scroll;
    if (this.counts) this.matrix.show(this.counts);
    else this.matrix.draw();
    clearTimeout(this.counting);
    this.counting = setTimeout(() => this.count(), this.counts ? COUNT_PAUSE_MS : 0);
  }

  kept() {
    return this.decision ? { scroll: this.reading.scrollTop } : null;
  }

  cleared() {
    clearTimeout(this.counting);
    if (this.decision) clearTimeout(this.decision.rationale.timer);
    this.decision = null;
  }

  painted(shown) {
    this.decision.paint(shown);
  }

  heard(data) {
    if (!data.matrix) return;
    this.counts = data.matrix;
    if (!this.fixed.finished) this.matrix.show(this.counts);
  }

  // Of the field that has the focus, or else of the first that is open.
  clause({ answers }) {
    const { missed } = this.decision;
    const focused = [...missed.keys()].find((field) => missed.get(field).root.contains(this.focused()));
    const open = ["consensus", "estimate"].find((field) => !answers[field]) || (answers.estimate === "fair" ? "estimate" : "categories");
    const field = focused || open;
    return [this.words[`clause_${field}`], this.words[field]];
  }

  taskKeys() {
    const settle = (field, value) => () => this.decision.choose(field, value);
    return {
      accept: settle("consensus", "correct"),
      reject: settle("consensus", "incorrect"),
      over: settle("estimate", "over"),
      under: settle("estimate", "under"),
      fair: settle("estimate", "fair"),
      option: (key) => this.decision.toggleAt(DIGITS.indexOf(key)),
      reason: () => this.decision.rationale.input.focus(),
      prompts: () => openPrompts(this),
      overview: () => this.matrix.focus(),
      group_next: () => this.matrix.step(1),
      group_previous: () => this.matrix.step(-1),
      differences: () => this.toggleMarks(),
      part_next: () => this.provisions.step(1, this.reading),
      part_previous: () => this.provisions.step(-1, this.reading),
      go_on: () => this.provisions.toggle(),
    };
  }

  takes(target, key) {
    return Boolean(this.decision) && this.matrix.takes(target, key);
  }

  focusWork() {
    if (this.focused()) this.focused().blur();
  }

  // What acts say
  nameOf(act) {
    return this.words[act.field] || super.nameOf(act);
  }

  saying(act, value) {
    const named = { consensus: "said", estimate: "estimate" }[act.field];
    if (named && value) return this.words[`${named}_${value}`];
    if (act.field !== "categories" || !value) return super.saying(act, value);
    return value.map((key) => this.words[`option_${key}`] || key).join(", ");
  }

  textOf(act) {
    return act.field === "rationale" ? this.decision?.rationale : super.textOf(act);
  }

  fail(message, act, ...why) {
    if (act.field === "rationale" && act.item === this.moving.item) this.decision?.rationale.refused(act);
    super.fail(message, act, ...why);
  }

  // What an estimate asks for goes with it, and a consensus may make it another.
  missedAt(field) {
    const missed = this.decision.missed.get(field);
    const of = (answers) => [field, "consensus", "estimate"].map((each) => answers[each]);
    return missed ? { missed, of: () => of(this.shown().answers) } : null;
  }

  // The frame's own, which know nothing of the rationale
  unsaved() {
    return Boolean(this.decision?.rationale.dirty) || super.unsaved();
  }

  // Who came by a cell goes on to its next case.
  leave(act) {
    this.decision?.rationale.keep();
    const goesOn = ["submit", "skip", "next"].includes(act.kind);
    const at = this.through.indexOf(this.moving.item);
    const then = goesOn && at >= 0 ? this.through[at + 1] : undefined;
    super.leave(then === undefined ? act : { ...act, then });
  }

  receive(data, send) {
    const { queue, ...rest } = data;
    const asked = queue && this.asked;
    super.receive(asked ? rest : data, send);
    if (!asked) return;
    this.asked = null;
    const place = new Map(asked.items.map((item, index) => [item, index]));
    const cases = queue.filter(([item]) => place.has(item)).sort(([one], [other]) => place.get(one) - place.get(other));
    this.through = cases.filter(([, , , , status]) => status !== "submitted").map(([item]) => item);
    openQueue(this, cases, this.words[`cell_${asked.cell}`]);
  }

  // Ask for the matrix as it is now; a wish of the person goes before.
  count() {
    if (this.leaving || this.unsaved()) this.counting = setTimeout(() => this.count(), COUNT_PAUSE_MS);
    else this.outbox.replace({ kind: "matrix", item: this.moving.item, judge: this.judge });
  }

  // What a person does
  askCases(cell, items) {
    this.asked = { cell, items };
    this.askQueue();
  }

  toggleMarks() {
    this.marked = !this.marked;
    this.panes.classList.toggle("unmarked", !this.marked);
  }

  legend() {
    const { words } = this;
    const sample = (kind) => element("li", {}, element("span", { class: kind }, words[`mark_${kind}`]));
    return element("ul", { class: "legend", "aria-label": words.legend }, ["alone", "moved"].map(sample),
      element("li", { class: "quiet" }, fill(words.shared_words, this.fixed.shared)));
  }
}
