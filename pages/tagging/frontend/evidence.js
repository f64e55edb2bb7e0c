// Evidence for the sub-factor in hand: what is pointed at or marked with the mouse. It goes to the
// option in hand; where there is none yet it waits beside the sub-factor until one is chosen.

class Evidence extends InHand {
  constructor(parent, name) {
    super(parent, name);
    this.waiting = new Map(); // stretches by sub-factor, each marked and for no option yet
  }

  waitingOf(key = this.subKey) {
    return this.waiting.get(key) || [];
  }

  // What the next option that is chosen is attached to.
  stretch() {
    return this.pointing.on ? this.pointing.stretch : this.waitingOf().at(-1);
  }

  stretches() {
    return this.pointing.on ? [...this.waitingOf(), this.pointing.stretch] : this.waitingOf();
  }

  // Somebody marked words: one drag makes them evidence of the sub-factor in hand.
  selected(stretch) {
    if (this.moving.status === "submitted" || !this.sub()) return;
    this.pointing.end();
    this.wait(stretch);
    unselect(this.judgment.box);
    if (this.optionInHand()) this.attach(this.optionInHand());
    else this.head.say(this.words.choose_for_evidence, "calm-note");
    this.paint();
  }

  wait(stretch) {
    const others = this.waitingOf().filter(([start, end]) => start !== stretch[0] || end !== stretch[1]);
    this.waiting.set(this.subKey, [...others, stretch]);
  }

  unwait(stretch) {
    const left = this.waitingOf().filter((each) => each !== stretch);
    if (left.length) this.waiting.set(this.subKey, left);
    else this.waiting.delete(this.subKey);
    this.calm();
    this.focusWork();
    this.paint();
  }

  // Where the judgment is said to be silent, nothing shows it.
  answer(field, value, made) {
    const sub = this.subs.find((each) => each.key === field);
    if (sub && value?.options[0] === this.silent(sub)) this.waiting.delete(field);
    super.answer(field, value, made);
  }

  attach(key) {
    const shown = this.shown();
    const sub = this.sub(shown);
    const stretches = this.stretches();
    if (!sub || !stretches.length || !key) {
      this.head.say(this.words.choose_for_evidence, "calm-note");
      return;
    }
    this.optionKey = key;
    const told = stretches.map((stretch) => this.judgment.told(stretch));
    this.answer(sub.key, told.reduce((given, each) => withEvidence(sub, given, key, each), shown.answers[sub.key] || null));
    this.waiting.delete(sub.key);
    this.pointing.end();
    unselect(this.judgment.box);
    this.calm();
    this.paint();
  }

  // What was said of evidence that is not in hand any more.
  calm() {
    if (this.head.message.classList.contains("calm-note")) this.head.say("", "");
  }

  drop(evidence) {
    const shown = this.shown();
    const sub = this.sub(shown);
    if (!sub || this.refused()) return;
    this.answer(sub.key, withoutEvidence(sub, shown.answers[sub.key], evidence));
    this.focusWork();
  }

  // From one piece of evidence of the sub-factor in hand to the next.
  nextEvidence() {
    const shown = this.shown();
    const own = shown.answers[this.subKey]?.evidence || [];
    const quoted = (this.suggestions[this.subKey] || []).filter((each) => each.state === "quoted");
    const all = own.length ? own : quoted;
    if (!all.length) return;
    this.evidenceAt = this.evidenceOf === this.subKey ? (this.evidenceAt + 1) % all.length : 0;
    this.evidenceOf = this.subKey;
    this.judgment.show(this.judgment.offsets.toUnit(all[this.evidenceAt].start));
  }

  // Where the sentences begin that its terms make likely for the sub-factor in hand, the likeliest
  // first; not those that are evidence of it already.
  likely() {
    const own = (this.shown().answers[this.subKey]?.evidence || []).map((each) => this.judgment.unitsOf(each));
    const places = (this.fixed.likely[this.subKey] || []).map((point) => this.judgment.offsets.toUnit(point));
    const all = this.pointing.all();
    const at = places.map((place) => all.findIndex(([start, end]) => start <= place && place < end)).filter((index) => index >= 0);
    return at.filter((index) => !own.some(({ start, end }) => start < all[index][1] && end > all[index][0]));
  }
}
