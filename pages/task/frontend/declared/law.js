// The left side: provisions {unit, head, pieces, letter, title, roles, missing, added, language}. They
// scroll together, below `panes`, or `apart`, each in its own place; a `curtain` says what is shown
// later. Where the form asks about units, a search box adds more of them; else a cursor goes over them. Of
// a subject in parts, they are those of the part in hand, with a note; panes may stand `below`.

class LawPane {
  constructor(viewer) {
    this.viewer = viewer;
    this.parts = new Map(); // of each unit its section
    const { words, fixed } = viewer;
    const { title, apart, search, curtain, none, panes, below } = fixed.law;
    this.search = search ? new SearchBox(viewer) : null;
    if (search) viewer.asks.add("search");
    this.apart = apart;
    this.here = null; // the provision under the cursor
    this.folds = new Map(); // of each unit the fold of its text
    this.curtain = curtain ? element("section", { class: "provision curtain", "data-testid": "curtain" }, element("p", {}, curtain)) : null;
    this.list = element("div", apart ? { class: "provisions", lang: fixed.language } : { class: "law", tabindex: "0", lang: fixed.language, "data-testid": "law" });
    this.title = element("h2", { class: "eyebrow" }, title);
    this.note = element("p", { class: "quiet", "data-testid": "note" });
    const head = apart ? null : element("div", { class: "list-head" }, this.title, this.search?.root);
    const before = paneNodes(viewer, panes);
    this.above = [...before, ...(before.length ? [head] : []), ...(none ? [element("p", { class: "quiet" }, none)] : [])];
    this.below = paneNodes(viewer, below);
    this.root = apart ? this.list : element("section", { class: "law-pane", "aria-label": title || words.work }, before.length ? null : head, this.list);
  }

  paint(shown, active) {
    const { viewer } = this;
    const number = partInHand(viewer, active);
    const part = viewer.fixed.parts?.[number - 1];
    const told = part?.units || viewer.unitsOf(shown);
    if (part?.title) this.title.textContent = part.title;
    this.note.textContent = part?.note ?? "";
    const above = [...this.above, ...(part?.note ? [this.note] : [])];
    const sections = [...above, ...told.map((each) => this.section(each)), ...(this.curtain ? [this.curtain] : []), ...this.below];
    if (sections.length !== this.list.children.length || sections.some((each, at) => this.list.children[at] !== each)) this.list.replaceChildren(...sections);
    const judged = viewer.unitField ? shown.answers[viewer.unitField] || {} : {};
    told.forEach(({ unit }) => {
      const root = this.parts.get(unit);
      root.classList.toggle("active", active !== null && placeOfRow(active)[1] === unit);
      root.classList.toggle("belongs", judged[unit] === "yes");
      root.classList.toggle("outside", judged[unit] === "no");
    });
    if (this.part && this.part !== number) this.list.scrollTop = 0;
    this.part = number;
    if (this.search) this.search.root.hidden = !viewer.mayAdd(shown);
  }

  section(told) {
    if (!this.parts.has(told.unit)) this.parts.set(told.unit, this.made(told));
    return this.parts.get(told.unit);
  }

  made({ unit, head, pieces, letter, title, roles = [], missing, added, language }) {
    const { viewer, apart } = this;
    const chips = [...roles, added ? viewer.words.added : null].filter(Boolean).map((each) => element("span", { class: "chip" }, each));
    const place = element("h3", { class: "place" }, head);
    const named = letter ? [element("span", { class: "letter", "aria-hidden": "true" }, letter), element("h2", { class: "eyebrow" }, title)] : [];
    const fold = missing ? null : statuteFold(pieces, { ...viewer.folding(`law-${unit}`), ...(apart ? { aim: null } : {}) });
    this.folds.set(unit, fold);
    const text = fold ? fold.nodes : element("p", { class: "quiet" }, missing === true ? viewer.words.not_there : missing);
    const body = apart ? element("div", { class: "law", tabindex: "0" }, text) : text;
    const label = title ? `${title}: ${head}` : null;
    const testid = apart ? `provision-${unit}` : "provision";
    const reached = viewer.unitField || apart ? {} : { tabindex: "-1", onfocusin: () => this.at(unit) };
    return element("section", { class: `provision ${letter ? "lettered" : ""}`, lang: language, "aria-label": label, "data-testid": testid, "data-unit": unit, ...reached }, element("header", {}, named, place, chips), body);
  }

  at(unit) {
    this.here = unit;
    this.parts.forEach((root, each) => root.classList.toggle("cursor", each === unit));
  }

  // To the next provision (1) or the one before (-1).
  step(by) {
    const units = [...this.parts.keys()];
    const unit = units[(this.here === null ? (by > 0 ? -1 : units.length) : units.indexOf(this.here)) + by];
    if (unit === undefined) return;
    this.parts.get(unit).focus({ preventScroll: true });
    bringTo(this.list, this.parts.get(unit), 8);
  }

  toggle() {
    this.folds.get(this.here)?.toggle();
  }

  // The places that scroll.
  get places() {
    return this.apart ? [...this.list.querySelectorAll(".law")] : [this.list];
  }

  // Scrolls with the arrows from then on.
  read(at) {
    this.places[at]?.focus({ preventScroll: true });
  }

  reveal(unit) {
    const root = this.parts.get(unit);
    if (root) reveal(this.list, root, 6);
  }
}
