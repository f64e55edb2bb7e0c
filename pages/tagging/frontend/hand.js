// What is asked of the open case, and which sub-factor and option of it are in hand.

class InHand extends FormViewer {
  constructor(parent, name) {
    super(parent, name);
    this.subKey = null; // the sub-factor in hand
    this.optionKey = null; // the option in hand: what is selected is evidence for it
  }

  asked(shown = this.shown()) {
    return askedOf(this.subs, shown.answers);
  }

  sub(shown = this.shown()) {
    return this.asked(shown).find((sub) => sub.key === this.subKey) || null;
  }

  digits(sub) {
    return digitsOf(sub.options.map((option) => option.key), this.fixed.counts[sub.key] || {});
  }

  // What is said where the judgment says nothing.
  silent(sub) {
    return sub.claim ? "not_mentioned" : NOT_STATED;
  }

  labelOf(sub, key) {
    const found = sub.options.find((option) => option.key === key);
    if (found) return found.label;
    return key === NOT_STATED ? this.words.not_stated : fill(this.words.option_gone, { option: key });
  }

  // The option that evidence is attached to: the one taken last, else the only one given. What says
  // that the judgment is silent has none.
  optionInHand(shown = this.shown()) {
    const given = shown.answers[this.subKey];
    const sub = this.sub(shown);
    if (!sub || !given || given.options[0] === this.silent(sub)) return null;
    const gone = goneOptions(sub, given);
    const held = given.options.filter((key) => !gone.includes(key));
    if (held.includes(this.optionKey)) return this.optionKey;
    return held.length === 1 ? held[0] : null;
  }

  // What a voice of a discussion says: each sub-factor leads to itself, each passage to the judgment.
  fieldsSaid(answers) {
    return this.subs.map((sub) => sub.key).filter((key) => answers[key]);
  }

  differs(_field, mine, theirs) {
    return !mine || !theirs || JSON.stringify([...mine.options].sort()) !== JSON.stringify([...theirs.options].sort());
  }

  saidName(field) {
    const go = () => this.take(field);
    return button({ class: "name", onclick: go }, super.saidName(field));
  }

  saidParts(field, value) {
    const sub = this.subs.find((each) => each.key === field);
    if (!value) return this.words.met_nothing;
    const show = (each) => () => this.judgment.show(this.judgment.offsets.toUnit(each.start));
    const quotes = value.evidence.map((each) =>
      button({ class: "quote", dir: "auto", title: this.words.show_evidence, onclick: show(each) }, each.quote));
    return [value.options.map((key) => this.labelOf(sub, key)).join(", "), ...quotes];
  }

  // What the guideline and the codebook say of it, and that nothing is answered
  clause(shown) {
    return [this.sub(shown)?.label];
  }

  codebook() {
    const told = (sub) => [sub.help, ...sub.options.map(({ label, help }) => `${label}: ${help}`)].filter(Boolean).join("\n");
    return this.fixed.subs.map((sub) => [sub.label, told(sub)]);
  }

  missedAt(_field, { code }) {
    return code === "tag_nothing" && this.card.missed ? { missed: this.card.missed, of: () => this.shown().answers } : null;
  }

  // Moving
  hold(sub, shown) {
    this.subKey = sub ? sub.key : null;
    this.optionKey = null;
    if (sub && shown.answers[sub.key]) this.optionKey = shown.answers[sub.key].options.at(-1);
  }

  take(key, option) {
    const shown = this.shown();
    const sub = this.asked(shown).find((each) => each.key === key);
    if (!sub) return;
    if (sub.key !== this.subKey) this.hold(sub, shown);
    if (option) this.optionKey = option;
    this.focusWork(); // or else the next Enter would press the row that was clicked
    this.paint();
  }

  move(by) {
    const asked = this.asked();
    const at = asked.findIndex((sub) => sub.key === this.subKey) + by;
    if (!asked.length) return;
    this.take(asked[Math.max(0, Math.min(asked.length - 1, at))].key);
    this.card.root.scrollIntoView({ block: "nearest" }); // where the page scrolls
  }

  moveFactor(by) {
    const asked = this.asked();
    const here = asked.find((sub) => sub.key === this.subKey);
    if (!here) return;
    const factors = [...new Set(asked.map((sub) => sub.factorKey))];
    const to = factors[Math.max(0, Math.min(factors.length - 1, factors.indexOf(here.factorKey) + by))];
    this.take(asked.find((sub) => sub.factorKey === to).key);
    this.card.root.scrollIntoView({ block: "nearest" });
  }

  // What an undo has changed is taken in hand, so that it is seen.
  undone({ answers }, shown) {
    const other = ({ key }) => JSON.stringify(shown.answers[key]) !== JSON.stringify(answers[key]);
    const changed = this.asked(shown).find(other);
    if (changed) this.take(changed.key);
  }
}
