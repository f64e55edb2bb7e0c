// Research of a question in the frame: the question, the rule and the gold passages on the left, the
// search and the authority that is read on the right.

class ResearchViewer extends FormViewer {
  constructor(parent) {
    super(parent, "research-viewer");
    this.found = null; // what the last query of the item found
    this.reading = null; // the authority that is open
    this.of = null; // the item that both are of
  }

  drawn() {
    if (this.of !== this.fixed.id) [this.of, this.found, this.reading, this.asked] = [this.fixed.id, null, null, ""];
    const { words, fixed } = this;
    this.rule = new WordsField(this, "rule", 3, "reason");
    this.terms = new WordsField(this, "terms", 2, "terms");
    this.search = new SearchPane(this);
    this.search.input.value = this.asked || "";
    if (this.found) this.search.show(this.found);
    this.passages = element("ol", { class: "passages", "data-testid": "passages" });
    this.outcomes = ["found", "none"].map((value) => this.outcomeButton(value));
    const marked = element("div", { tabindex: "-1" }, this.passages);
    const answered = element("div", { class: "outcomes", role: "radiogroup", tabindex: "-1", "aria-label": words.outcome }, this.outcomes);
    this.missed = { passages: new Missed(this, marked), outcome: new Missed(this, answered), rule: this.rule.missed };
    this.asking = element(
      "section",
      { class: "asking", "aria-label": words.question, tabindex: "-1" },
      this.head.bars,
      fixed.area ? element("p", { class: "quiet" }, fixed.area) : null,
      element("div", { lang: fixed.language }, this.questionParts()),
      this.rule.root,
      this.terms.root,
      element("h2", { class: "eyebrow" }, words.passages),
      marked,
      answered,
    );
    this.right = element("div", { class: "finding" });
    return element("div", { class: "panes research" }, this.asking, this.right);
  }

  questionParts() {
    const { words, fixed } = this;
    const text = (name, said) => {
      const box = element("div", { class: `told ${name}`, "data-testid": name });
      return [element("h2", { class: "eyebrow" }, words[name]), runningFold(box, [[said, null]], this.folding(name)).nodes];
    };
    const choices = fixed.choices.length
      ? [element("h2", { class: "eyebrow" }, words.choices), element("ol", { class: "choices", "data-testid": "choices" }, fixed.choices.map((each) => element("li", {}, each)))]
      : [];
    return [text("question", fixed.question), choices, text("answer", fixed.answer)].flat(3);
  }

  outcomeButton(value) {
    const action = value === "found" ? "option" : "none";
    return element(
      "button",
      { type: "button", class: "choice", role: "radio", "data-testid": `outcome-${value}`, "data-value": value, "aria-keyshortcuts": ariaKeys(action), title: this.words[`option_${value}`], onclick: () => this.choose(value) },
      element("span", {}, this.words[`option_${value}`]),
      keyCap(capOf(action)),
    );
  }

  kept() {
    this.rule.keep();
    this.terms.keep();
    this.asked = this.search.input.value;
    return { left: this.asking.scrollTop };
  }

  placed(kept, inside) {
    this.asking.scrollTop = kept ? kept.left : 0;
    if (inside) this.focusWork();
  }

  painted(shown) {
    const submitted = shown.status === "submitted";
    this.rule.paint(shown);
    this.terms.paint(shown);
    this.search.paint(shown);
    this.reader?.paint(shown);
    const side = this.reader ? this.reader.root : this.search.root;
    if (this.right.firstChild !== side) this.right.replaceChildren(side);
    for (const button of this.outcomes) {
      button.setAttribute("aria-checked", String(shown.answers.outcome === button.dataset.value));
      button.disabled = submitted;
    }
    this.paintPassages(shown.answers.passages || [], submitted);
  }

  paintPassages(passages, submitted) {
    const now = JSON.stringify([passages, submitted]);
    if (this.passages.dataset.now === now) return;
    this.passages.dataset.now = now;
    const none = element("li", { class: "quiet" }, fill(this.words.no_passages, { key: capOf("evidence") }));
    this.passages.replaceChildren(...(passages.length ? passages.map((each) => this.passageRow(each, submitted)) : [none]));
  }

  passageRow(passage, submitted) {
    const open = () => this.read(passage.collection, passage.id, []);
    const drop = () => this.dropPassage(passage);
    return element(
      "li",
      { class: "passage", "data-testid": "passage" },
      element("button", { type: "button", class: "example", onclick: open }, passage.id),
      submitted ? null : element("button", { type: "button", class: "plain", "data-testid": "drop-passage", "aria-label": this.words.drop_passage, title: this.words.drop_passage, onclick: drop }, icon("cross")),
      element("blockquote", {}, passage.quote),
    );
  }

  // What the server answers
  heard(data) {
    if (data.found && data.found.item === this.moving.item) {
      this.found = data.found;
      this.search.show(data.found);
    }
    if (data.authority && data.authority.item === this.moving.item) {
      this.reader = new Reader(this, { ...data.authority, marks: this.wanted?.id === data.authority.id ? this.wanted.marks : [] });
      this.paint();
      this.reader.reveal();
    }
  }

  get reader() { return this.of === this.fixed.id ? this.reading : null; }
  set reader(reader) { this.reading = reader; }

  // Doing
  read(collection, id, marks) {
    if (this.submitted()) return this.lookAgain(collection, id, marks);
    this.wanted = { id, marks };
    this.act({ kind: "read", collection, id });
  }

  // What is submitted is read again without a step of the trail.
  lookAgain(collection, id, marks) {
    this.wanted = { id, marks };
    this.outbox.push({ item: this.moving.item, kind: "look", collection, id });
  }

  closeReader() {
    this.reader = null;
    this.paint();
    this.search.input.focus();
  }

  // The outcomes in their order.
  digit(number) {
    const button = this.outcomes[number - 1];
    if (button) this.choose(button.dataset.value);
  }

  choose(value) {
    this.answer("outcome", value);
    this.focusWork();
  }

  addPassage(passage) {
    const { answers } = this.shown();
    const given = answers.passages || [];
    this.answer("passages", [...given, passage], { was: given.length ? given : null });
    if (answers.outcome !== "found") this.answer("outcome", "found");
    this.head.tell(this.words.marked, "good");
    this.paint();
  }

  dropPassage(passage) {
    const given = this.shown().answers.passages || [];
    const left = given.filter((each) => JSON.stringify(each) !== JSON.stringify(passage));
    this.answer("passages", left.length ? left : null, { was: given });
    this.focusWork();
  }

  submit() {
    if (this.fixed.finished) return;
    this.rule.keep();
    this.terms.keep();
    super.submit();
  }

  leave(act) {
    if (!this.fixed.finished) {
      this.rule.keep();
      this.terms.keep();
    }
    super.leave(act);
  }

  // What acts say
  nameOf(act) {
    if (act.kind === "search" || act.kind === "read") return this.words[act.kind === "search" ? "search" : "opened"];
    return this.words[act.field] || super.nameOf(act);
  }

  saying(act, value) {
    if (act.field === "outcome" && value) return this.words[`option_${value}`] || value;
    if (act.field === "passages" && value) return value.map(({ id, quote }) => `${id}: “${quote}”`).join("  ");
    if (act.field === "trail" && value) return fill(this.words.history, { count: value.length });
    return super.saying(act, value);
  }

  fieldsSaid(answers) {
    return ["outcome", "rule", "passages"].filter((field) => answers[field] !== undefined);
  }

  differs(field, mine, theirs) {
    return field !== "rule" && super.differs(field, mine, theirs);
  }

  // Each of them hangs on the outcome, too.
  missedAt(field) {
    const missed = this.missed[field];
    const of = ({ outcome, passages, rule }) => (field === "rule" ? [outcome, rule] : [outcome, passages]);
    return missed ? { missed, of: () => of(this.shown().answers) } : null;
  }

  textOf(act) {
    return act.field === "rule" || act.field === "terms" ? this[act.field] : super.textOf(act);
  }

  fail(message, act, ...why) {
    const here = act.item === this.moving.item;
    if (act.kind === "search" && here) {
      this.search.wait(false);
      this.search.said(message);
    }
    if ((act.field === "rule" || act.field === "terms") && here) this[act.field]?.refused(act);
    super.fail(message, act, ...why);
  }

  unsaved() {
    return Boolean(this.rule?.dirty || this.terms?.dirty) || super.unsaved();
  }

  cleared() {
    [this.rule, this.terms] = [null, null];
  }

  // Of the field that has the focus, or else of what is open at the right.
  clause({ answers }) {
    const focused = this.focused();
    if (focused === this.rule.input || focused === this.terms.input) return [this.words.clause_rule];
    if (answers.outcome === "none") return [this.words.option_none];
    return [this.words[this.reader ? "clause_mark" : "search"]];
  }

  taskKeys() {
    return researchKeys(this);
  }

  takes(target, key) {
    return target instanceof Element && target.matches(".authority-text") && (key.startsWith("Arrow") || key.startsWith("Page") || key === " ");
  }

  escaped() {
    if (this.reader) this.closeReader();
    this.focusWork();
    return true;
  }

  focusWork() {
    this.asking.focus({ preventScroll: true });
  }
}
