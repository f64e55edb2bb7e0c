// The 2×2 matrix of a judge and people. A cell opens its cases; the cell of this case is marked.

const CELLS = [
  ["tp", "fp"],
  ["fn", "tn"],
];
const FOLD_PLACE = "touchstone-matrix";
const BESIDE = ["telling", "differ", "unrated", "unjudged"]; // lists of cases beside the cells

class Matrix {
  constructor(viewer) {
    this.viewer = viewer;
    this.judges = element("div", { class: "judges", role: "group", "aria-label": viewer.words.judge });
    this.folded = keptForGood(FOLD_PLACE) === "folded";
    this.line = element("button", { type: "button", class: "plain fold-line", "data-testid": "matrix-fold", onclick: () => this.fold(!this.folded) });
    this.table = element("table", { "aria-label": viewer.words.matrix });
    this.others = element("p", { class: "others" });
    this.root = element("section", { class: "matrix", "data-testid": "matrix", "aria-label": viewer.words.matrix },
      this.judges, this.line, this.table, this.others);
  }

  // To one line, with κ; as long as it is opened by nobody.
  fold(folded) {
    this.folded = folded;
    keepForGood(FOLD_PLACE, folded ? "folded" : "");
    if (this.told) this.draw();
  }

  // `told` is {judges: [{name, cells: {cell: [items]}}], n}; the choice of judge outlives the item.
  show(told) {
    this.told = told;
    this.draw();
  }

  get judge() {
    const { judges } = this.told;
    return judges.find((each) => each.name === this.viewer.judge) || judges[0];
  }

  // On to the matrix of the next judge, or of the one before; round and round.
  step(by) {
    if (!this.told || !this.told.judges.length) return;
    const { judges } = this.told;
    this.choose(judges[(judges.indexOf(this.judge) + by + judges.length) % judges.length].name);
  }

  choose(name) {
    this.viewer.judge = name;
    this.draw();
    if (this.judge.kappa === undefined) this.viewer.count();
  }

  draw() {
    const { words } = this.viewer;
    if (!this.told || !this.told.judges.length) {
      this.judges.replaceChildren(element("span", { class: "quiet" }, words[this.told ? "no_judges" : "counting"]));
      return;
    }
    const within = this.root.contains(this.viewer.focused()) && this.viewer.focused().dataset.cell;
    this.judges.replaceChildren(...this.told.judges.map((each) => this.pick(each)));
    const named = [words.people_correct, words.people_incorrect].map((text) => element("th", { scope: "col" }, text));
    const head = [element("td", {}), ...named];
    const rows = CELLS.map((row, index) =>
      element("tr", {}, element("th", { scope: "row" }, words[index ? "judge_incorrect" : "judge_correct"]), row.map((cell) => element("td", {}, this.cell(cell)))),
    );
    this.table.replaceChildren(element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
    const counts = this.folded ? CELLS.flat().map((name) => this.items(name).length).join(" · ") : "";
    const { kappa } = this.judge;
    this.line.replaceChildren(icon("down"), [kappa && `κ ${kappa}`, counts].filter(Boolean).join(" · ") || words.matrix);
    this.line.setAttribute("aria-expanded", String(!this.folded));
    this.table.hidden = this.others.hidden = this.folded;
    this.others.replaceChildren(...BESIDE.filter((name) => this.items(name).length).map((name) => this.beside(name)));
    if (within) this.buttons().find((each) => each.dataset.cell === within)?.focus();
  }

  pick({ name }) {
    const pressed = String(name === this.judge.name);
    const label = name || this.viewer.words.majority;
    return element("button", { type: "button", class: "judge", "aria-pressed": pressed, onclick: () => this.choose(name) }, label);
  }

  items(cell) {
    return this.judge.cells[cell] || [];
  }

  // Counts of cases, and shares of those on which judge and people have both said something.
  cell(name) {
    const count = this.items(name).length;
    const all = CELLS.flat().reduce((sum, each) => sum + this.items(each).length, 0);
    const share = all ? `${((100 * count) / all).toFixed(1)} %` : "–";
    return this.opener(name, `cell ${name}`, element("strong", {}, String(count)), element("span", {}, share));
  }

  beside(name) {
    const label = fill(this.viewer.words[`beside_${name}`], { count: this.items(name).length });
    return this.opener(name, "plain", label);
  }

  opener(name, style, ...inside) {
    const here = name !== "telling" && this.items(name).includes(this.viewer.moving.item);
    return element(
      "button",
      {
        type: "button",
        class: style,
        title: this.viewer.words[`cell_${name}`],
        "aria-current": here ? "true" : null,
        "data-cell": name,
        "data-testid": `cell-${name}`,
        onclick: () => this.items(name).length && this.viewer.askCases(name, this.items(name)),
      },
      inside,
    );
  }

  buttons() {
    return [...this.root.querySelectorAll("[data-cell]")];
  }

  // The keyboard: into the matrix, and from cell to cell.
  focus() {
    if (this.folded) this.fold(false);
    const buttons = this.buttons();
    (buttons.find((each) => each.getAttribute("aria-current")) || buttons[0])?.focus();
  }

  takes(target, key) {
    const at = this.buttons().indexOf(target);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 }[key];
    if (at < 0 || !step) return false;
    this.buttons()[at + step]?.focus();
    return true;
  }
}
