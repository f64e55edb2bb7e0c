// A text to correct: a plain text box over a mirror of its words, which marks the doubtful ones and
// gives the box its height.

class Field {
  // `changed(text, doubt)` is told of every edit, `keyed(event, field)` of every key; where `settles()`,
  // a doubtful word that the caret was at is settled when it goes on.
  constructor({ label, name, code, changed, keyed, focused, moved, settles }) {
    this.text = "";
    this.doubt = [];
    this.changed = changed;
    this.settles = settles;
    this.looked = null; // the doubtful word at the caret
    this.mirror = element("div", { class: "mirror", "aria-hidden": "true" });
    this.box = element("textarea", {
      rows: "1",
      cols: "1", // its width is the mirror's
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": label,
      "data-testid": name,
      oninput: () => this.edited(),
      onkeydown: (event) => keyed && keyed(event, this),
      onfocus: () => focused && focused(),
      onkeyup: () => this.moved(moved),
      onclick: () => this.moved(moved),
      onblur: () => this.left(),
    });
    this.root = element("div", { class: code ? "field code" : "field" }, this.mirror, this.box);
  }

  set(text, doubt) {
    this.text = text;
    this.doubt = doubt;
    if (this.box.value !== text) this.box.value = text;
    this.draw();
  }

  edited() {
    const text = this.box.value;
    this.doubt = movedSpans(this.doubt, this.text, text);
    this.text = text;
    this.draw();
    this.changed(text, this.doubt);
  }

  draw() {
    this.mirror.replaceChildren(...doubtNodes(this.text, this.doubt), "\u200b"); // so that a last empty line has its height
  }

  moved(told) {
    this.look(this.doubtHere());
    if (told) told(this);
  }

  // The doubtful word that begins at the caret, or else that it is in or behind.
  doubtHere() {
    const at = this.box.selectionStart;
    return this.doubt.find(([start, end]) => start <= at && at < end) || this.doubt.find(([, end]) => end === at) || null;
  }

  // The caret is at this doubtful word now, or at none: the one before has been looked at.
  look(here) {
    const before = this.looked;
    this.looked = here;
    if (!before || (here && here[0] === before[0]) || !this.settles() || this.box.readOnly) return;
    this.keepDoubt(([start, end]) => start !== before[0] || end !== before[1]);
  }

  // Settles the doubtful words for which `holds` does not; returns whether there were any.
  keepDoubt(holds) {
    const rest = this.doubt.filter(holds);
    if (rest.length === this.doubt.length) return false;
    this.doubt = rest;
    this.draw();
    this.changed(this.text, this.doubt);
    return true;
  }

  left() {
    this.look(null);
  }

  // The word at the caret is right as it stands; returns whether it was doubtful.
  confirm() {
    const at = this.box.selectionStart;
    return this.keepDoubt(([start, end]) => at < start || at > end);
  }

  // Select the next doubtful word behind the caret (or before it, by -1); whether there is one.
  step(by, from) {
    const at = from ?? (by > 0 ? this.box.selectionEnd : this.box.selectionStart);
    const spans = by > 0 ? this.doubt.filter(([start]) => start >= at) : this.doubt.filter(([, end]) => end <= at).reverse();
    if (!spans.length) return false;
    this.focus(...spans[0]);
    this.look(spans[0]);
    return true;
  }

  focus(start, end) {
    this.box.focus({ preventScroll: true });
    if (start !== undefined) this.box.setSelectionRange(start, end ?? start);
  }

  lock(locked) {
    this.box.readOnly = locked;
  }

  // The word at the caret and which of its like in the text it is, from 0.
  word() {
    const at = this.box.selectionStart;
    const before = this.text.slice(0, at).match(/\S*$/)[0];
    const start = at - before.length;
    const word = this.text.slice(start).match(/^\S*/)[0];
    const like = this.text.slice(0, start).split(/\s+/).filter((each) => each === word).length;
    return { word, like };
  }
}
