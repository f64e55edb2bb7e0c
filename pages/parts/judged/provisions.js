// The provisions of a case, and a cursor that goes over them. Long ones are clipped until opened.

const LINE = 22; // pixels
const SPARE = 3; // lines that are not worth clipping

class Provision {
  constructor({ label, text }, list) {
    this.text = text.trim() ? statuteText([[text, 0]]) : element("p", { class: "quiet" }, list.words.text_missing);
    this.more = element(
      "button",
      { type: "button", class: "more", hidden: true, "aria-expanded": "false", onclick: () => this.toggle() },
      list.words.expand,
    );
    this.list = list;
    this.open = false;
    this.root = element(
      "article",
      { class: "provision", tabindex: "-1", "aria-label": label, "data-testid": "provision", onfocusin: () => list.at(this) },
      element("h3", {}, label),
      this.text,
      this.more,
    );
  }

  // Call when the text is on the page, as its height is not known before.
  measure() {
    this.long = this.text.scrollHeight > (this.list.lines + SPARE) * LINE;
  }

  clip() {
    this.more.hidden = !this.long;
    this.text.classList.toggle("clipped", Boolean(this.long) && !this.open);
    this.more.textContent = this.list.words[this.open ? "collapse" : "expand"];
    this.more.setAttribute("aria-expanded", String(this.open));
  }

  toggle() {
    if (!this.long) return;
    this.open = !this.open;
    this.clip();
  }
}

class Provisions {
  // `lines` of a text are shown before it is opened.
  constructor(provisions, words, lines) {
    this.words = words;
    this.lines = lines;
    this.here = null;
    this.rows = provisions.map((each) => new Provision(each, this));
    this.root = element(
      "section",
      { class: "provisions", "aria-label": words.provisions, "data-testid": "provisions", style: `--clip: ${lines * LINE}px` },
      element("h2", { class: "eyebrow" }, words.provisions),
      this.rows.map((row) => row.root),
      this.rows.length ? null : element("p", { class: "quiet" }, words.no_provisions),
    );
  }

  at(row) {
    this.here = row;
    this.rows.forEach((each) => each.root.classList.toggle("cursor", each === row));
  }

  // To the next provision (1) or the one before (-1); `box` is what scrolls.
  step(by, box) {
    const from = this.here ? this.rows.indexOf(this.here) : by > 0 ? -1 : this.rows.length;
    const row = this.rows[from + by];
    if (!row) return;
    row.root.focus({ preventScroll: true });
    reveal(box, row.root, 8);
  }

  toggle() {
    if (this.here) this.here.toggle();
  }

  remeasure() {
    this.rows.forEach((row) => row.measure());
    this.rows.forEach((row) => row.clip());
  }
}
