// The provisions of a case, and a cursor that goes over them. Long ones are folded until opened.

const LINE = 22; // pixels

class Provision {
  constructor({ label, text }, at, list) {
    this.fold = text.trim() ? statuteFold([[text, 0]], list.viewer.folding(`provision-${at}`)) : null;
    this.list = list;
    this.root = element(
      "article",
      { class: "provision", tabindex: "-1", "aria-label": label, "data-testid": "provision", onfocusin: () => list.at(this) },
      element("h3", {}, label),
      this.fold ? this.fold.nodes : element("p", { class: "quiet" }, list.viewer.words.text_missing),
    );
  }
}

class Provisions {
  // `lines` of a text are shown before it is opened.
  constructor(viewer, lines) {
    const { words } = viewer;
    this.viewer = viewer;
    this.here = null;
    this.rows = viewer.fixed.provisions.map((each, at) => new Provision(each, at, this));
    this.root = element(
      "section",
      { class: "provisions", "aria-label": words.provisions, "data-testid": "provisions", style: `--fold: ${lines * LINE}px` },
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
    bringTo(box, row.root, 8);
  }

  toggle() {
    if (this.here && this.here.fold) this.here.fold.toggle();
  }

  // Once they are on the page: so that it has its height before anything scrolls to its place.
  settle() {
    settled(this.rows.flatMap(({ fold }) => fold || []));
  }
}
