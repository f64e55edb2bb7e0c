// A form in the frame: answers to fields, each sent as it is given, and shown before it is saved.

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
