// Attribution review in the frame: the provisions that a claim cites on the left, the claims with
// what is asked of them on the right.

class AttributionViewer extends FormViewer {
  constructor(parent) {
    super(parent, "attribution-viewer");
    this.at = null; // the field that was moved to; else the first that is not answered
    this.followed = null;
  }

  drawn() {
    const { words, fixed } = this;
    this.cards = fixed.claims.map((claim, at) => new ClaimCard(this, claim, at + 1));
    const question = element("div", { class: "question", dir: "auto", lang: fixed.language, "data-testid": "question" });
    this.law = new CitedPane(this);
    this.pane = element(
      "section",
      { class: "work-pane", "aria-label": words.claims, tabindex: "-1" },
      this.head.bars,
      element("div", {}, element("h2", { class: "eyebrow" }, words.question), runningFold(question, [[fixed.question, null]], this.folding("question")).nodes),
      element("h2", { class: "eyebrow" }, words.claims),
      element("div", { class: "steps" }, this.cards.map(({ root }) => root)),
    );
    return element("div", { class: "panes attribution" }, this.law.root, this.pane);
  }

  kept() {
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
    this.cards.forEach((card) => card.paint(shown, active, shown.status === "submitted"));
    this.law.paint(placeOf(active)[1]);
    if (!shown.discussion?.canKeep) this.follow(active); // what is to be discussed stands above
  }

  // What is asked now comes into view, once.
  follow(active) {
    if (active === this.followed) return;
    const show = this.followed === null ? reveal : bringTo; // a page that opens stays at its top
    this.followed = active;
    const card = this.cards[placeOf(active)[1] - 1];
    show(this.pane, card.root, 6);
    const row = card.root.querySelector(".ask.active");
    if (row) show(this.pane, row, 6);
    row?.querySelector('[aria-checked="true"]')?.scrollIntoView({ block: "nearest" });
  }

  clause(shown) {
    return [this.words[`ask_${placeOf(this.active(shown))[0]}`]];
  }

  taskKeys() {
    return attributionKeys(this);
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

  cleared() {
    this.cards = [];
  }

  // Which field is in hand: the one moved to, else the first without an answer, else the last.
  active(shown = this.shown()) {
    const claims = this.fixed.claims.length;
    if (this.at && askedOf(shown.answers, placeOf(this.at)[1]).includes(this.at)) return this.at;
    return missingIn(shown.answers, claims) || fieldOf("supported", claims);
  }

  choose(field, value) {
    const shown = this.shown();
    const [criterion, claim] = placeOf(field);
    if (shown.status === "submitted" || !askedOf(shown.answers, claim).includes(field)) return;
    const support = supportOf(this.fixed.claims[claim - 1]);
    if (criterion === "supported" && value !== null && !support.includes(value)) return;
    const last = askedOf(shown.answers, claim).at(-1) === field;
    this.at = null;
    if (criterion === "label" && value === "none") this.answer(fieldOf("gold", claim), null);
    this.answer(field, value);
    if (support.length === 1 && shown.answers[fieldOf("supported", claim)] === undefined) this.answer(fieldOf("supported", claim), support[0]);
    if (!last && missingIn(this.shown().answers, this.fixed.claims.length) === null) this.at = field;
    this.focusWork();
    this.paint();
  }

  digit(number) {
    const [criterion, claim] = placeOf(this.active());
    this.cards[claim - 1].asks.get(criterion).pick(number - 1);
  }

  // The next answer of the question in hand, or the one before; round and round.
  step(by) {
    const field = this.active();
    const [criterion, claim] = placeOf(field);
    const { choices } = this.cards[claim - 1].asks.get(criterion);
    const from = choices.findIndex(([value]) => value === this.shown().answers[field]);
    const to = from < 0 ? (by > 0 ? 0 : choices.length - 1) : (from + by + choices.length) % choices.length;
    this.choose(field, choices[to][0]);
    this.at = field;
    this.followed = ""; // what is chosen now comes into view
    this.paint();
  }

  chooseNone() {
    this.choose(fieldOf("label", placeOf(this.active())[1]), "none");
  }

  takeSuggestion(claim = placeOf(this.active())[1]) {
    const told = this.moving.suggested?.[claim];
    if (!told || this.shown().status === "submitted") return;
    for (const criterion of CRITERIA) {
      const value = told[criterion] ?? null;
      if (value !== null) this.choose(fieldOf(criterion, claim), value);
    }
  }

  open(claim) {
    if (placeOf(this.active())[1] === claim) return;
    const asked = askedOf(this.shown().answers, claim);
    this.at = asked.find((each) => this.shown().answers[each] === undefined) || asked[0];
    this.paint();
  }

  // From the first question back is the last, from the last on the first.
  move(by) {
    const { answers } = this.shown();
    const fields = this.fixed.claims.flatMap((_, at) => askedOf(answers, at + 1));
    const to = fields.indexOf(this.active()) + by;
    this.at = fields[(to + fields.length) % fields.length];
    this.paint();
  }

  moveClaim(by) {
    const claims = this.fixed.claims.length;
    this.open(((placeOf(this.active())[1] - 1 + by + claims) % claims) + 1);
  }

  submit() {
    if (this.fixed.finished) return;
    const shown = this.shown();
    const missing = shown.status === "submitted" ? null : missingIn(shown.answers, this.fixed.claims.length);
    if (!missing) return super.submit();
    this.at = missing;
    const said = fill(this.words.still, { what: this.nameOf({ kind: "answer", field: missing }) });
    const [criterion, claim] = placeOf(missing);
    this.paint();
    this.cards[claim - 1].asks.get(criterion).missed.say(said, () => this.shown().answers[missing]);
  }

  // What acts say
  nameOf(act) {
    if (act.kind !== "answer") return super.nameOf(act);
    const [criterion, claim] = placeOf(act.field);
    return fill(this.words.of_claim, { number: claim, what: this.words[`ask_${criterion}`] });
  }

  saying(act, value) {
    if (act.kind !== "answer" || value === null || value === undefined) return super.saying(act, value);
    return typeof value === "number" ? fill(this.words.gold_number, { number: value }) : this.words[`option_${value}`];
  }

  // What a voice of a discussion says: claim by claim, in the order of the questions.
  fieldsSaid(answers) {
    const place = (field) => { const [criterion, claim] = placeOf(field); return claim * 10 + CRITERIA.indexOf(criterion); };
    return Object.keys(answers).sort((one, other) => place(one) - place(other));
  }

  saidParts(field, value) {
    return value === null ? this.words.met_nothing : this.saying({ kind: "answer", field }, value);
  }
}
