// A field of the form in which words are written: sent when the person pauses or leaves it.

const WORDS_PAUSE_MS = 900;

class WordsField {
  constructor(viewer, field, rows, action) {
    this.viewer = viewer;
    this.field = field;
    this.dirty = false;
    this.unkept = false;
    this.timer = null;
    const name = viewer.words[field];
    this.input = element("textarea", {
      rows: String(rows),
      maxlength: "4000",
      placeholder: viewer.words[`${field}_hint`],
      "aria-label": name,
      "aria-keyshortcuts": ariaKeys(action),
      "data-testid": field,
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.from = new Written(viewer, () => viewer.shown().answers[field] ?? null);
    this.root = element("label", { class: "words-field" }, element("span", { class: "eyebrow" }, name, " ", keyCap(capOf(action))), this.input);
  }

  typed() {
    this.dirty = true;
    this.unkept = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), WORDS_PAUSE_MS);
    this.viewer.paint();
  }

  keep() {
    clearTimeout(this.timer);
    if (!this.dirty) return;
    this.dirty = false;
    const text = this.input.value.trim() || null;
    const { was } = this.from;
    this.from.was = text;
    this.viewer.answer(this.field, text, { was });
  }

  // Words that the server did not take stay to be changed.
  refused({ value, was }) {
    if (was !== undefined) this.from.was = was;
    if (this.dirty) return;
    this.input.value = value || "";
    this.unkept = true;
  }

  // Of two wordings, keep that in the field or, else, the one of the other window, which is `now`.
  choose(mine, now) {
    [this.unkept, this.dirty, this.from.was] = [false, mine, now];
    if (mine) this.keep();
    else this.input.value = now || "";
  }

  paint({ answers, status }) {
    const said = answers[this.field] || "";
    this.input.readOnly = status === "submitted";
    const free = !this.dirty && !this.unkept && this.viewer.focused() !== this.input;
    if (free && this.input.value !== said) this.input.value = said;
    this.from.follow(free);
  }
}
