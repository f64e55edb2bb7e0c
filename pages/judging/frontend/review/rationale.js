// Why: a text that is saved in pauses of writing, and before anything that leaves the item.

const RATIONALE_PAUSE_MS = 700;

class Rationale {
  constructor(viewer) {
    this.viewer = viewer;
    this.dirty = false;
    this.from = new Written(viewer, () => viewer.shown().answers.rationale ?? null);
    const { words } = viewer;
    this.box = element("textarea", {
      rows: "3",
      maxlength: "5000",
      placeholder: words.rationale_hint,
      "aria-label": words.rationale,
      "aria-keyshortcuts": ariaKeys("reason"),
      "data-testid": "rationale",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "rationale" }, element("span", { class: "eyebrow" }, words.rationale, " ", keyCap(capOf("reason"))), this.box);
  }

  typed() {
    this.dirty = true;
    this.unkept = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), RATIONALE_PAUSE_MS);
    this.viewer.paint();
  }

  keep() {
    clearTimeout(this.timer);
    if (!this.dirty || this.viewer.leaving) return;
    this.dirty = false;
    const text = this.box.value.trim() ? this.box.value : null;
    const { was } = this.from;
    this.from.was = text;
    this.viewer.answer("rationale", text, { was });
    this.viewer.paint();
  }

  // Of two texts, keep that in the box or, else, the one of the other window, which is `now`.
  choose(mine, now) {
    [this.unkept, this.dirty, this.from.was] = [false, mine, now];
    if (mine) this.keep();
    else this.box.value = now || "";
  }

  // A text that the server did not take stays to be changed.
  refused({ value, was }) {
    if (was !== undefined) this.from.was = was;
    if (this.dirty) return;
    this.box.value = value || "";
    this.unkept = true;
  }

  // What is typed and not sent yet, before the same item is drawn anew; and typing it again.
  get typing() {
    return this.dirty ? this.box.value : null;
  }

  typeAgain(text) {
    if (text === null) return;
    this.box.value = text;
    this.typed();
  }

  paint(shown) {
    const said = shown.answers.rationale || "";
    const free = !this.dirty && !this.unkept && this.viewer.focused() !== this.box;
    if (free && this.box.value !== said) this.box.value = said;
    this.from.follow(free);
    this.box.readOnly = shown.status === "submitted";
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
