// What acts say and what they were made from: of one that says something anew, what the screen said
// before it; so it never takes the place of what another window of the person has said meanwhile. And
// what becomes of one that was not taken.

const SAID_CHARS = 160; // of a text that is told of

class Saying {
  held = []; // what keys do once an undo that is on its way has come back

  // An undo on its way leaves what is not known here: then it is told which draft was shown.
  madeFrom(act, was = this.saidNow(act, this.shown())) {
    if (act.kind === "undo") return { revision: this.moving.revision };
    if (was === undefined || act.was !== undefined || act.revision !== undefined) return {};
    return this.undoing() ? { revision: this.moving.revision } : { was };
  }

  undoing() {
    return this.outbox.has((act) => act.kind === "undo");
  }

  // Do it once an undo that is on its way has shown what it leaves.
  afterUndo(run) {
    if (this.undoing()) this.held.push(run);
    else run();
  }

  undoLeft() {
    if (this.undoing()) return;
    const { before } = this;
    this.before = null;
    if (before && before.item === this.moving.item && !this.fixed.finished) this.undone(before, this.shown());
    for (const run of this.held.splice(0)) run();
  }

  // What the screen says now of that which an act changes; undefined where it changes no answer.
  saidNow(act, shown) {
    if (act.kind === "flag") return shown.flag;
    return act.kind === "skip" ? shown.skipReason ?? null : undefined;
  }

  // What an act changes: two acts that change the same say so alike; null for one that says nothing.
  subjectOf(act) {
    return ["comment", "flag", "skip"].includes(act.kind) ? act.kind : null;
  }

  // Whether an act changes what is to be chosen of `asked`, or speaks against it.
  bearOn(asked, act) {
    return this.subjectOf(act) !== null && this.subjectOf(act) === this.subjectOf(asked);
  }

  // What an act says of it; one from the log of acts has a text where the screen's has a reason.
  saidBy(act) {
    return act.text ?? act.reason ?? act.value;
  }

  // What an act changes, in words.
  nameOf(act) {
    return this.words[act.kind] || this.words.met_something;
  }

  // What is said of it, in words.
  saying(_act, value) {
    if (value === null || value === undefined || value === "") return this.words.met_nothing;
    if (typeof value === "boolean") return this.words[value ? "met_yes" : "met_no"];
    return shortened(String(value), SAID_CHARS);
  }

  // What became of the item before.
  notice(told) {
    const count = told.what === "submitted" && this.moving.total ? fill(this.words.notice_done, this.moving) : null;
    const said = [fill(this.words[`notice_${told.what}`], { id: told.externalId }), told.kept, count];
    this.head.tell(said.filter(Boolean).join(" "), "good", this.back.way(told));
  }

  // What is on the screen and not with the server, before the same item is drawn anew.
  said() {
    const typed = this.notes.comment.dirty ? this.notes.comment.input.value : null;
    return { typed, sure: this.notes.confidence.value, talking: this.thread.open };
  }

  sayAgain({ typed, sure, talking }) {
    this.notes.confidence.value = sure;
    if (talking) this.thread.toggle(false);
    if (typed === null) return;
    this.notes.comment.input.value = typed;
    this.notes.comment.typed();
  }

  // The field in which an act was written, if any: it is chosen as it stands when it is chosen.
  textOf(act) {
    return act.kind === "comment" ? this.notes.comment : null;
  }

  // What was written in an act that was not taken stays to be changed.
  fail(message, act, _code, why = {}) {
    this.leaving = 0;
    this.back.asking = false;
    if (why.after && this.met) return this.meeting.later(act);
    this.met = Boolean(why.met) && !this.fixed.finished && act.item === this.moving.item;
    if (act.kind === "say" && act.item === this.thread?.item) this.thread.refused(act);
    if (act.kind === "comment") this.commentRefused(act);
    if (["flag", "skip", "ask_back", "send_back"].includes(act.kind)) keepUnsent(this.person, { item: act.item, field: act.kind, text: act.reason });
    if (this.met) meet(this, act, why.met);
    else this.tellWhy(message, act, why);
  }

  // Of a submission at the field that is missing, or at odds with another, if it is about one.
  tellWhy(message, act, why) {
    const here = act.kind === "submit" && !this.fixed.finished && act.item === this.moving.item;
    const at = here ? this.missedAt(why.field || why.code, why) : null;
    if (!at) return this.head.say(message, "bad");
    this.unfit = false; // it holds until its own cause is gone
    at.missed.say(message, at.of);
  }

  // The server may have moved on to another item, or to none, in the answer that refused.
  commentRefused(act) {
    if (act.item === this.moving.item && this.notes?.comment.item === act.item) this.notes.comment.refused(act);
    else keepUnsent(this.person, act);
  }
}

// What a text that is being written was made from: what the screen said when it last said it. `now()`
// tells that; an undo of this window changes it, though the text is not drawn anew.
class Written {
  constructor(viewer, now) {
    this.viewer = viewer;
    this.now = now;
    this.was = now();
    this.undone = false;
  }

  // Call it when painting; `free` is whether the field shows what is said.
  follow(free) {
    if (this.viewer.undoing()) this.undone = true;
    else if (free || this.undone) {
      this.was = this.now();
      this.undone = false;
    }
  }
}
