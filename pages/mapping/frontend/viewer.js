// Citation mapping in the frame: question and answer on the left, candidate cards on the right, and
// a cursor that goes over the cards.

class MappingViewer extends MappingFrame {
  constructor(parent) {
    super(parent, "mapping-viewer");
    ["search", "graph"].forEach((kind) => this.asks.add(kind));
    this.cards = [];
    this.at = 0;
  }

  // The pane in which words are chosen
  get pane() {
    return this.list;
  }

  // What the frame asks of a task
  drawn() {
    this.cards = this.fixed.candidates.map((each, index) => new Card(each, index + 1, this));
    this.search = new SearchBox(this);
    this.looking = closedGraph(this);
    this.graph = new GraphPane(this);
    this.list = cardList(this);
    this.answer = answerPane(this.fixed, this);
    this.counts = element("h2", { class: "eyebrow", "aria-live": "polite", "data-testid": "counts" });
    return element("div", { class: "panes" },
      this.answer,
      this.graph.root,
      element("section", { class: "list-pane", "aria-label": this.words.candidates },
        element("div", { class: "list-head" }, this.counts, this.search.root),
        this.head.bars,
        this.list,
      ),
    );
  }

  kept() {
    return this.current() ? { unit: this.current().unit, scroll: this.list.scrollTop } : null;
  }

  placed(kept, inside) {
    if (this.looking) this.graph.toggle();
    settled(this.folds());
    this.at = Math.max(0, this.cards.findIndex((card) => kept && card.unit === kept.unit));
    this.trail = new Trail(this);
    if (this.current()) this.current().setCursor(true);
    this.trail.link(this.cursorCitations());
    this.list.scrollTop = kept ? kept.scroll : 0;
    if (inside && this.current()) this.current().root.focus({ preventScroll: true });
  }

  cleared() {
    closedGraph(this);
    this.cards = [];
    this.graph = null;
  }

  copied(shown) {
    return { ...shown, decisions: { ...shown.decisions }, evidence: { ...shown.evidence }, saving: new Set() };
  }

  pend(shown, act) {
    if (act.kind === "no_provision") shown.noProvision = act.value;
    if (act.kind === "evidence") [shown.decisions[act.unit], shown.evidence[act.unit]] = ["accept", act.spans];
    if (!["label", "evidence"].includes(act.kind)) return;
    if (act.kind === "label" && act.decision) shown.decisions[act.unit] = act.decision;
    if (act.kind === "label" && !act.decision) delete shown.decisions[act.unit];
    if (shown.decisions[act.unit] !== "accept") delete shown.evidence[act.unit];
    shown.saving.add(act.unit);
  }

  painted(shown) {
    this.cards.forEach((card) => card.paint(shown));
    this.none.setAttribute("aria-pressed", String(shown.noProvision));
    announce(this.counts, countWords(this, shown));
  }

  undone(before, { decisions }) {
    const changed = this.cards.find(({ unit }) => decisions[unit] !== before.decisions[unit]);
    if (changed) this.moveTo(changed, true);
  }

  heard(data) {
    if (data.found) this.search.show(data.found);
    if (data.graph && this.graph) this.graph.show(data.graph);
    if (this.adding) this.jumpTo(this.adding);
  }

  clause({ decisions, noProvision }) {
    const card = this.current();
    if (noProvision || !card) return [this.words.key_none];
    return [this.words[decisions[card.unit] || "accept"]];
  }

  taskKeys() {
    return mappingKeys(this);
  }

  tools(notes) {
    this.none = notes.button("no-provision", "none", "no_provision", "none", () => this.toggleNoProvision());
    this.noneMissed = new Missed(this, element("span", { class: "beside-none" }, this.none), this.none);
    return [this.noneMissed.root];
  }

  // Nothing is decided: at the card in hand, or else where one says that there is none.
  missedAt(_field, { code }) {
    const card = code === "nothing_decided" && this.current();
    const said = ({ decisions, noProvision }) => [noProvision, Object.values(decisions).some((each) => each !== "reject"), code === "accept_beside_none" && this.accepted()];
    if (card) this.moveTo(card, true);
    else if (!["nothing_decided", "accept_beside_none"].includes(code)) return null;
    return { missed: card ? card.missed : this.noneMissed, of: () => said(this.shown()) };
  }

  takes(target, key) {
    return this.graph && this.graph.takes(target, key);
  }

  escaped() {
    const open = Boolean(this.graph && this.graph.open);
    if (open) this.graph.toggle();
    return open;
  }

  focusWork() {
    if (this.current()) this.moveTo(this.current(), true);
    else if (this.focused()) this.focused().blur();
  }

  // What the answer cites was passed over: lead to the first of them, or submit all the same.
  fail(message, act, code, why = {}) {
    this.adding = null;
    const asks = ["cited_undecided", "cited_beside_none"].includes(code) && act.item === this.moving.item;
    if (!asks || why.after) return super.fail(message, act, code, why);
    this.leaving = 0;
    const [title, lead] = why.parts;
    askToSubmit(this, "overlooked", title, lead, () => this.jumpTo(why.unit), () => this.submit({ anyway: true }));
  }

  // What a person does
  decide(card, decision) {
    if (this.leaving || this.refused()) return;
    const { decisions, noProvision } = this.shown();
    const now = decisions[card.unit];
    const habit = card.unit === this.justAdded && decision === "accept" && now === "accept";
    this.justAdded = null;
    if (habit) return; // adding accepted it already; pressing accept after it must not clear that
    if (noProvision && decision === "accept") this.act({ kind: "no_provision", value: false });
    this.act({ kind: "label", unit: card.unit, decision: now === decision ? null : decision });
  }

  toggleNoProvision() {
    const names = this.accepted();
    const { noProvision } = this.shown();
    if (names && !noProvision && !this.refused()) this.noneMissed.say(fill(this.words.none_beside, { names }), () => this.accepted());
    else this.act({ kind: "no_provision", value: !noProvision });
  }

  add(unit) {
    this.adding = unit;
    if (this.cardOf(unit)) this.jumpTo(unit);
    else {
      this.justAdded = unit;
      this.act({ kind: "add", unit });
    }
  }

  // In a discussion: the provisions that one of the others accepts or is unsure of. Each leads to its
  // card, or puts it on the list.
  voiceParts(voice) {
    const none = voice.noProvision ? element("span", { class: "chip" }, this.words.no_provision) : null;
    return [none, ...voice.units.map((each) => this.unitSaid(each))];
  }

  unitSaid({ unit, name, decision }) {
    const here = Boolean(unit && this.cardOf(unit));
    const open = unit && (here || this.moving.status !== "submitted");
    const shown = `${this.words[decision]}: ${name}`;
    const go = () => (here ? this.jumpTo(unit) : this.add(unit));
    if (!open) return element("span", { class: `chip said-${decision}` }, shown);
    return button({ class: `chip said-${decision}`, onclick: go }, here ? shown : `+ ${shown}`);
  }

  discussed(voices) {
    this.cards.forEach((card) => card.besides(voices));
  }

  // Where the person is
  current() {
    return this.cards[this.at];
  }

  cardOf(unit) {
    return this.cards.find((card) => card.unit === unit);
  }

  cursorCitations() {
    return this.current() ? this.current().candidate.citations : [];
  }

  step(by) {
    const next = this.cards[this.at + by];
    this.trail.ring(null);
    if (next) this.moveTo(next, true);
    else this.focusWork();
  }

  moveTo(card, scroll) {
    if (card !== this.current()) {
      if (this.current()) this.current().setCursor(false);
      this.at = this.cards.indexOf(card);
      card.setCursor(true);
      this.trail.link(card.candidate.citations);
      this.graph.follow(card);
    }
    if (!scroll) return;
    card.root.focus({ preventScroll: true });
    bringTo(this.list, card.root, 8);
  }

  jumpTo(unit) {
    const card = this.cardOf(unit);
    if (!card) return;
    this.adding = null;
    this.moveTo(card, true);
  }

  folds() {
    return this.cards.flatMap(({ fold }) => fold || []);
  }
}
