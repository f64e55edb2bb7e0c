// The left side: the provisions that the question came with, what matters in them marked, and those
// that the person added; from the second step on a search box to add more.

class LawPane {
  constructor(viewer) {
    this.viewer = viewer;
    this.parts = new Map(); // of each unit its section
    this.search = new SearchBox(viewer);
    const { words, fixed } = viewer;
    this.list = element("div", { class: "law", tabindex: "0", lang: fixed.language });
    this.root = element(
      "section",
      { class: "law-pane", "aria-label": words.provisions },
      element("div", { class: "list-head" }, element("h2", { class: "eyebrow" }, words.provisions), this.search.root),
      this.list,
    );
  }

  paint(shown, active) {
    const told = provisionsOf(this.viewer, shown);
    const sections = told.map((each) => this.section(each));
    if (sections.some((each, at) => this.list.children[at] !== each) || this.list.children.length !== sections.length) {
      this.list.replaceChildren(...sections);
    }
    const gold = shown.answers.gold || {};
    told.forEach(({ unit }) => {
      const root = this.parts.get(unit);
      root.classList.toggle("active", active === `gold:${unit}`);
      root.classList.toggle("belongs", gold[unit] === "yes");
      root.classList.toggle("outside", gold[unit] === "no");
    });
    this.search.root.hidden = stageOf(shown) !== "told";
  }

  section(told) {
    if (!this.parts.has(told.unit)) this.parts.set(told.unit, this.made(told));
    return this.parts.get(told.unit);
  }

  made({ unit, head, pieces, roles, missing, added, language }) {
    const { words } = this.viewer;
    const chips = [...roles, added ? words.added : null].filter(Boolean);
    const title = element(
      "header",
      {},
      element("h3", { class: "place" }, head),
      chips.map((each) => element("span", { class: "chip" }, each)),
    );
    const body = missing
      ? element("p", { class: "quiet" }, words.not_there)
      : statuteFold(pieces, this.viewer.folding(`law-${unit}`)).nodes;
    return element("section", { class: "provision", lang: language, "data-testid": "provision", "data-unit": unit }, title, body);
  }

  // Scrolls with the arrows from then on.
  read() {
    this.list.focus({ preventScroll: true });
  }

  reveal(unit) {
    const root = this.parts.get(unit);
    if (root) reveal(this.list, root, 6);
  }
}

// The provisions shown: those listed, then those that the person has added and not taken out again.
function provisionsOf({ fixed }, { answers, added }) {
  const gold = answers.gold || {};
  return [...fixed.provisions, ...(added || []).filter(({ unit }) => gold[unit])];
}
