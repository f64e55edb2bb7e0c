// A field in which words are written: kept in this tab from the first letter, and sent when the person
// pauses, leaves the field or goes on. A field extends it, makes its `input`, and begins. These words are
// an answer to the field, unless it says otherwise.

const WORDS_PAUSE_MS = 700;

class Typed {
  constructor(viewer, field) {
    Object.assign(this, { viewer, field, item: viewer.moving.item, dirty: false, unkept: false, timer: null });
    this.from = new Written(viewer, () => this.said(viewer.shown()));
  }

  said({ answers }) {
    return answers[this.field] ?? null;
  }

  send(text, was) {
    const { viewer, item, field } = this;
    if (text === this.said(viewer.moving)) dropUnsent(viewer.person, item, field);
    viewer.answer(field, text, { was });
  }

  rests() {
    return this.viewer.leaving || this.item !== this.viewer.moving.item;
  }

  // Words that the server does not have, since the page went away first, are written again.
  begin() {
    const { person, moving } = this.viewer;
    const { text, was } = unsentOf(person, this.item, this.field);
    if (!text || moving.status === "submitted") return dropUnsent(person, this.item, this.field);
    if (was !== undefined) this.from.was = was;
    this.input.value = text;
    this.wait();
  }

  wait() {
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), WORDS_PAUSE_MS);
  }

  typed() {
    this.unkept = false;
    this.wait();
    keepUnsent(this.viewer.person, { item: this.item, field: this.field, text: this.input.value, was: this.from.was });
    this.viewer.paint();
  }

  // What is written, as it is answered; null for nothing.
  read() {
    return this.input.value.trim() || null;
  }

  keep() {
    clearTimeout(this.timer);
    if (!this.dirty || this.rests()) return;
    this.dirty = false;
    const text = this.read();
    const { was } = this.from;
    this.from.was = text;
    this.send(text, was);
  }

  // Words that the server did not take stay to be changed.
  refused({ text, value = text, was }) {
    if (was !== undefined) this.from.was = was;
    if (this.dirty) return;
    this.input.value = value ?? "";
    this.unkept = true;
  }

  // Of two wordings, keep that in the field or, else, the one of the other window, which is `now`.
  choose(mine, now) {
    [this.unkept, this.dirty, this.from.was] = [false, mine, now];
    if (mine) return this.keep();
    this.input.value = now || "";
    dropUnsent(this.viewer.person, this.item, this.field);
  }

  paint(shown) {
    const said = String(this.said(shown) ?? "");
    this.input.readOnly = shown.status === "submitted";
    const free = !this.dirty && !this.unkept && this.viewer.focused() !== this.input;
    if (free && this.input.value !== said) this.input.value = said;
    this.from.follow(free);
  }
}

// A form in a dialog, answered as a whole once it is confirmed: until then what is typed is kept in this
// tab from the first letter, and there again when the dialog is opened the next time. Of what was typed
// on another answer than the one that stands now, nothing is kept.
class TypedForm {
  // `first` is what the form says where nothing is answered.
  constructor(viewer, field, first) {
    const said = viewer.shown().answers[field] ?? null;
    Object.assign(this, { viewer, field, item: viewer.moving.item, was: JSON.stringify(said), now: said ?? first });
    const { text, was } = unsentOf(viewer.person, this.item, field);
    this.kept = text && was === this.was ? JSON.parse(text) : null;
  }

  // What it says when it is opened.
  get begun() {
    return this.kept ?? this.now;
  }

  // What to say of it where it stays closed.
  get note() {
    return this.kept ? this.viewer.words.form_begun : null;
  }

  keep(value) {
    const text = JSON.stringify(value);
    const same = text === JSON.stringify(this.now);
    keepUnsent(this.viewer.person, { item: this.item, field: this.field, text: same ? "" : text, was: this.was });
  }
}
