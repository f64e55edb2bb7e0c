// The ways on through a case: an answer leads to what is asked next, what is left is answered at once,
// and who submits case after case in which nothing is stated is asked whether that is meant.

const GO_ON_PLACE = "touchstone-tagging-stay";
const QUICK_CASES = 3;
const QUICK_MS = 90000; // in which nobody reads that many cases
const QUICK_ASKED = 3; // sub-factors of a case of which it says something that all are not stated

class Onward extends Evidence {
  constructor(parent, name) {
    super(parent, name);
    this.goesOn = keptForGood(GO_ON_PLACE) !== "stay"; // whether an answer leads to the next sub-factor
    this.quiet = []; // when each case was opened that was submitted with nothing stated, one after the other
  }

  // Another case is open.
  begun() {
    this.openedAt = Date.now();
    this.wentOn = null;
    this.restCount = 0;
  }

  toggleGoOn() {
    this.goesOn = !this.goesOn;
    keepForGood(GO_ON_PLACE, this.goesOn ? "" : "stay");
    this.paint();
  }

  // From an only answer, given for the first time. What a model says of it is to be read first.
  goOn(sub, before) {
    const shown = this.shown();
    const coming = this.fixed.suggestions === "after" && this.fixed.suggestedAtAll;
    const only = sub.exclusive || shown.answers[sub.key]?.options[0] === this.silent(sub);
    if (!this.goesOn || this.wise || before || coming || !only || this.suggestions[sub.key]?.length) return;
    const next = nextOpen(this.asked(shown), shown.answers, sub.key);
    if (next) this.take(next.key);
    this.wentOn = next && next.key;
  }

  // Whoever presses Enter after each answer is there already; once.
  wentOnFrom() {
    const there = this.wentOn !== null && this.wentOn === this.subKey;
    this.wentOn = null;
    return there;
  }

  move(by) {
    this.wentOn = null;
    super.move(by);
  }

  // What is asked and has no answer; answering may ask more.
  open(shown = this.shown()) {
    return this.asked(shown).filter((sub) => !shown.answers[sub.key]);
  }

  askRest() {
    const open = this.open();
    if (!open.length || this.refused()) return;
    const { words } = this;
    const lead = open.map(({ label }) => label).join(" · ");
    askToSubmit(this, "rest", fill(words.rest_title, { count: open.length }), lead, () => this.focusWork(), () => this.answerRest(), words.rest_submit);
  }

  answerRest() {
    let count = 0;
    for (let [sub] = this.open(); sub; [sub] = this.open()) {
      this.answer(sub.key, answerOf(sub, [this.silent(sub)], []));
      count += 1;
    }
    this.restCount = count;
    this.focusWork();
    this.head.tell((this.restSaid = fill(this.words.rest_done, { count, key: capOf("undo") })), "note");
  }

  // It was one act, and is taken back as one.
  undo() {
    const count = this.restCount || 1;
    if (this.restCount) this.head.unsay(this.restSaid);
    this.restCount = 0;
    for (let at = 0; at < count; at += 1) super.undo();
  }

  act(act) {
    if (act.kind !== "undo") this.restCount = 0;
    super.act(act);
  }

  // Asks, once in a row of such cases; where it is meant, whoever leads the work sees it.
  tooQuick(asked, shown) {
    const silent = asked.length >= QUICK_ASKED && asked.every((sub) => shown.answers[sub.key]?.options[0] === this.silent(sub));
    this.quiet = silent ? [...this.quiet, this.openedAt].slice(-QUICK_CASES) : [];
    const seconds = Math.round((Date.now() - this.quiet[0]) / 1000);
    if (this.quiet.length < QUICK_CASES || seconds * 1000 > QUICK_MS) return false;
    const said = { count: QUICK_CASES, seconds };
    const { words } = this;
    this.quiet.pop();
    askToSubmit(this, "quick", fill(words.quick_title, said), words.quick_lead, () => this.focusWork(), () => {
      this.quiet = [];
      if (!this.shown().flag) this.act({ kind: "flag", reason: fill(words.quick_flag, said) });
      super.submit();
    });
    return true;
  }
}
