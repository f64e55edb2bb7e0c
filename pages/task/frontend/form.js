// A form in the frame: answers to fields, each sent as it is given, and shown before it is saved.

const SAID_ROWS = 12; // of a voice in a discussion that are told without folding

class FormViewer extends Frame {
  // Answer a field; null takes the answer back. What is answered already is not sent again. It was
  // `made` from what the field says, unless that names what it `was`, or the `revision` of the draft.
  answer(field, value, made = {}) {
    const given = this.shown().answers[field];
    if (JSON.stringify(given ?? null) === JSON.stringify(value)) return;
    if (this.unfit) this.head.say("", ""); // what was missing may be there now
    this.unfit = false;
    const act = { kind: "answer", field, value };
    this.act({ ...act, ...made, ...(made.was === undefined ? {} : this.madeFrom(act, made.was)) });
  }

  fail(message, act, ...why) {
    this.unfit = act.kind === "submit" || act.kind === "answer";
    super.fail(message, act, ...why);
  }

  subjectOf(act) {
    return act.kind === "answer" ? `answer ${act.field}` : super.subjectOf(act);
  }

  saidNow(act, shown) {
    return act.kind === "answer" ? shown.answers[act.field] ?? null : super.saidNow(act, shown);
  }

  // Escape goes from the law, which the arrows scroll, back to the work.
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

  // In a discussion: each field that one of the others or the person has answered, marked where they
  // differ. Of many, those that are alike are folded.
  saidBesides(shown) {
    return shown.answers;
  }

  voiceParts({ person, answers }, shown) {
    const fields = this.fieldsSaid({ ...shown.answers, ...answers });
    const rows = fields.flatMap((field) => {
      const theirs = answers[field] ?? null;
      const differs = this.differs(field, shown.answers[field] ?? null, theirs);
      return theirs !== null || differs ? [{ differs, row: this.saidRow(field, theirs, differs) }] : [];
    });
    const alike = rows.length > SAID_ROWS ? rows.filter(({ differs }) => !differs) : [];
    const told = rows.filter((each) => !alike.includes(each)).map(({ row }) => row);
    return alike.length ? [...told, this.discuss.folded(person, alike.map(({ row }) => row))] : told;
  }

  saidRow(field, value, differs) {
    const mark = differs ? element("span", { class: "unlike", title: this.words.discuss_differs, "aria-label": this.words.discuss_differs }, "≠") : null;
    const name = element("span", { class: "quiet" }, this.saidName(field));
    return element("div", { class: `said-row ${differs ? "differs" : ""}`, "data-testid": "said", "data-field": field }, mark, name, " ", this.saidParts(field, value));
  }

  // What a task may say of its own
  saidName(field) { return this.nameOf({ kind: "answer", field }); }
  fieldsSaid(answers) { return Object.keys(answers); } // which are told, in their order
  differs(_field, mine, theirs) { return JSON.stringify(mine) !== JSON.stringify(theirs); }
  saidParts(field, value) { return this.saying({ kind: "answer", field }, value); }

  copied(shown) {
    return { ...shown, answers: { ...shown.answers }, saving: new Set() };
  }

  pend(shown, act) {
    if (act.kind !== "answer") return;
    if (act.value === null) delete shown.answers[act.field];
    else shown.answers[act.field] = act.value;
    shown.saving.add(act.field);
  }
}
