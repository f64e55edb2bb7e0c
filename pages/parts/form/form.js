// A form in the frame: answers to fields, each sent as it is given, and shown before it is saved.

class FormViewer extends Frame {
  // Answer a field; null takes the answer back. What is answered already is not sent again. With the
  // `revision` that it was made from, it is refused where another window has said something since;
  // with what the field `was` then, where another window has answered that field.
  answer(field, value, revision, was) {
    const given = this.shown().answers[field];
    if (JSON.stringify(given ?? null) === JSON.stringify(value)) return;
    if (this.unfit) this.head.say("", ""); // what was missing may be there now
    this.unfit = false;
    this.act({ kind: "answer", field, value, ...(revision === undefined ? {} : { revision }), ...(was === undefined ? {} : { was }) });
  }

  fail(message, act, code) {
    this.unfit = act.kind === "submit" || act.kind === "answer";
    super.fail(message, act, code);
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
