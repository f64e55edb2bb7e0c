// Tagging the factors of a court case in the frame: the judgment on the left, what is asked on the
// right. Suggestions that must not be seen yet are not here: the server tells them when it may.

const HELP_PLACE = "touchstone-option-help";

class TaggingViewer extends Onward {
  constructor(parent) {
    super(parent, "tagging-viewer");
    this.asks.add("progress");
    this.folded = new Set(); // sections that are folded, in every case
    this.looked = ""; // what is looked for, in every case
    this.wise = false; // whether the sub-factor in hand stays from case to case
    this.fullHelp = keptForGood(HELP_PLACE) === "full"; // whether the help of options is told whole
  }

  // What the frame asks of a task
  drawn() {
    this.subs = this.fixed.subs;
    this.suggestions = this.fixed.suggested;
    this.waiting.clear();
    this.judgment = new Judgment(this);
    this.pointing = new Pointing(this, this.judgment);
    this.card = new Card(this);
    this.factors = new Factors(this);
    this.pane = element("div", { class: "tag-pane" }, this.head.bars, this.factors.head, this.card.root, this.factors.list);
    return element("div", { class: "panes tagging" }, this.judgment.root, this.pane);
  }

  kept() {
    return { place: this.judgment.placeInView(), list: this.factors.list.scrollTop };
  }

  placed(kept, inside) {
    const shown = this.shown();
    const asked = this.asked(shown);
    const stays = (kept || this.wise) && asked.some((sub) => sub.key === this.subKey);
    if (!stays) this.hold(nextOpen(asked, shown.answers, null) || asked[0] || null, shown);
    else if (!kept) this.hold(asked.find((sub) => sub.key === this.subKey), shown);
    if (kept) this.judgment.returnTo(kept.place);
    if (kept) this.factors.list.scrollTop = kept.list;
    this.judgment.follow();
    if (!kept) this.judgment.resume((this.wise && this.reading) || "facts");
    if (!kept) this.begun();
    if (inside) this.focusWork();
  }

  cleared() {
    this.judgment = null;
  }

  painted(shown) {
    const asked = this.asked(shown);
    if (!asked.some((sub) => sub.key === this.subKey)) this.hold(asked[0] || null, shown);
    this.factors.paint(shown);
    this.card.paint(shown);
    this.judgment.paint(this.marks(shown));
    this.root.classList.toggle("pointing", this.pointing.on);
    this.root.classList.toggle("wise", this.wise);
    this.root.classList.toggle("full-help", this.fullHelp);
    if (this.atEnd && this.atEnd !== this.allAnswered(shown)) this.head.unsay(this.atEnd);
  }

  receive(data, send) {
    if (data.moving) data.moving.outrun = false; // a draft stays as it is: nothing is to be begun anew
    super.receive(data, send);
  }

  heard(data) {
    if (data.suggested && data.suggested.item === this.fixed.id) {
      this.suggestions = data.suggested.by;
      this.paint();
    }
    if (data.progress) openProgress(this, data.progress);
  }

  taskKeys() {
    return taggingKeys(this);
  }

  takes(target, key) {
    if (this.fixed.finished) return false;
    const choosing = target instanceof Element && target.matches(".quote");
    return choosing && (key === "Delete" || key === "Backspace");
  }

  escaped() {
    if (this.fixed.finished) return false;
    const had = this.pointing.leave() || this.waiting.delete(this.subKey);
    if (had) unselect(this.judgment.box);
    this.paint();
    return had;
  }

  focusWork() {
    this.judgment?.box.focus({ preventScroll: true });
  }

  marks(shown) {
    const here = (field) => (field === this.subKey ? "evidence here" : "evidence");
    const found = [];
    for (const sub of this.asked(shown)) {
      for (const each of shown.answers[sub.key]?.evidence || []) {
        const title = `${sub.label}: ${this.labelOf(sub, each.option)}`;
        found.push({ ...this.judgment.unitsOf(each), kind: here(sub.key), id: `${sub.key}/${each.option}`, title, pick: () => this.take(sub.key, each.option) });
      }
    }
    for (const each of this.suggestions[this.subKey] || []) {
      if (each.state === "quoted") found.push({ ...this.judgment.unitsOf(each), kind: "proposed", id: each.model, title: fill(this.words.suggested_by, { model: each.model }) });
    }
    const waiting = this.waitingOf().map(([start, end]) => ({ start, end, kind: "pointed waits", id: "" }));
    return [...found, ...this.judgment.finder.marks(), ...waiting, ...this.pointing.marks()];
  }

  // Answering. An answer is made from the one before it, with its other options and its evidence.
  nameOf(act) {
    return this.subs.find((sub) => sub.key === act.field)?.label || super.nameOf(act);
  }

  saying(act, value) {
    const sub = this.subs.find((each) => each.key === act.field);
    if (!sub || !value) return super.saying(act, value);
    const options = value.options.map((key) => this.labelOf(sub, key)).join(", ");
    return value.evidence.length ? fill(this.words.met_evidence, { options, count: value.evidence.length }) : options;
  }

  choose(key) {
    const shown = this.shown();
    const sub = this.sub(shown);
    if (!sub || this.refused()) return;
    const given = shown.answers[sub.key] || null;
    const stretch = key === this.silent(sub) ? null : this.stretch();
    if (stretch) {
      this.attach(key);
      return;
    }
    const fromModel = this.taken === sub.key; // what a model said is confirmed, not taken back
    this.taken = null;
    const held = given && given.options.includes(key) && (fromModel || (this.optionInHand(shown) !== key && key !== this.silent(sub)));
    this.optionKey = key;
    if (!held) this.answer(sub.key, toggled(sub, given, key));
    this.focusWork();
    if (!held) this.goOn(sub, given);
    this.paint();
  }

  digit(character) {
    const sub = this.sub();
    if (!sub) return;
    const found = [...this.digits(sub)].find(([, digit]) => digit === character);
    if (found) this.choose(found[0]);
  }

  chooseSilent() {
    const sub = this.sub();
    if (sub) this.choose(this.silent(sub));
  }

  takeSuggestion(index) {
    const sub = this.sub();
    const each = sub && (this.suggestions[sub.key] || [])[index];
    if (!each || this.refused() || !usableOptions(sub, each).length) return;
    const answer = suggestedAnswer(sub, each);
    this.optionKey = answer.options.at(-1);
    this.taken = sub.key;
    this.answer(sub.key, answer);
    this.focusWork();
    this.paint();
  }

  // Onward
  onward() {
    if (this.wentOnFrom()) return;
    if (this.pointing.on) {
      this.attach(this.optionInHand());
      return;
    }
    if (this.wise) {
      this.along(1);
      return;
    }
    const shown = this.shown();
    const next = shown.status === "submitted" ? null : nextOpen(this.asked(shown), shown.answers, this.subKey);
    if (next) this.take(next.key);
    else if (shown.status === "submitted") this.submit(); // on to the next case
    else this.head.tell((this.atEnd = this.allAnswered(shown)), "note");
  }

  // Who goes on by Enter from factor to factor does not submit by it.
  allAnswered({ answers }) {
    const { words } = this;
    const said = fill(words.answered_of, progressOf(this.asked(), answers));
    return `${said} · ${fill(words.to_submit, { key: capOf("submit") })}`;
  }

  // What is not asked any more is taken back first; what is missing, or was answered by an option
  // that is gone, is taken in hand.
  submit() {
    if (this.fixed.finished) return;
    const shown = this.shown();
    if (shown.status !== "submitted") {
      const asked = this.asked(shown);
      const [missing] = progressOf(asked, shown.answers).required;
      if (missing) {
        this.missed(missing, this.words.still);
        return;
      }
      const gone = asked.find((sub) => goneOptions(sub, shown.answers[sub.key]).length);
      if (gone) {
        this.missed(gone, this.words.answer_again);
        return;
      }
      const waits = asked.find((sub) => this.waitingOf(sub.key).length);
      if (waits) {
        this.missed(waits, this.words.evidence_first);
        return;
      }
      for (const key of idleOf(asked, shown.answers)) this.answer(key, null);
      if (this.tooQuick(asked, shown)) return;
    }
    super.submit();
  }

  // Says what is to be answered first, until it is.
  missed(sub, why) {
    this.take(sub.key);
    this.card.missed?.say(fill(why, { what: sub.label }), () => this.shown().answers[sub.key]);
  }

  toggleHelp() {
    this.fullHelp = !this.fullHelp;
    keepForGood(HELP_PLACE, this.fullHelp ? "full" : "short");
    this.paint();
  }

  // One sub-factor through all cases
  toggleWise() {
    this.wise = !this.wise;
    this.paint();
  }

  beginWise(key) {
    this.wise = true;
    const here = this.asked().find((sub) => sub.key === key);
    if (here) this.take(key);
    else this.along(1, key);
  }

  along(by, key = this.subKey) {
    if (!key || this.fixed.finished) return;
    this.subKey = key;
    this.reading = this.judgment.here()?.section; // one sub-factor is read in one section, mostly
    this.leave({ kind: "along", field: key, by });
  }

  askProgress() {
    this.outbox.replace({ kind: "progress", item: this.moving.item, language: this.words.language });
  }
}
