// The 2×2 matrix of a judge and people. A cell opens its cases, through which one goes on by submitting;
// the cell of this case is marked.

const COUNT_PAUSE_MS = 1200; // somebody who goes on faster does not wait for the counts
const CELLS = [
  ["tp", "fp"],
  ["fn", "tn"],
];
const FOLD_PLACE = "touchstone-matrix";
const BESIDE = ["telling", "differ", "unrated", "unjudged"]; // lists of cases beside the cells

class Matrix extends Part {
  // What outlives the item is the viewer's: the counts, the `judge`, and `through`, the open cases of a cell.
  constructor(viewer) {
    super(viewer);
    this.held = viewer.matrix?.held || { counts: null, judge: undefined, through: [] };
    viewer.matrix = this;
    viewer.parts.push(this);
    viewer.asks.add("matrix");
    this.judges = element("div", { class: "judges", role: "group", "aria-label": viewer.words.judge });
    this.folded = keptForGood(FOLD_PLACE) === "folded";
    this.line = button({ class: "plain fold-line", "data-testid": "matrix-fold", onclick: () => this.fold(!this.folded) });
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

  placed() {
    this.draw();
    clearTimeout(this.held.timer);
    this.held.timer = setTimeout(() => this.count(), this.told ? COUNT_PAUSE_MS : 0);
  }

  cleared() {
    clearTimeout(this.held.timer);
  }

  // Ask for the matrix as it is now; a wish of the person goes before.
  count() {
    const { viewer } = this;
    if (viewer.leaving || viewer.unsaved()) this.held.timer = setTimeout(() => this.count(), COUNT_PAUSE_MS);
    else viewer.outbox.replace({ kind: "matrix", item: viewer.moving.item, judge: this.held.judge });
  }

  // {judges: [{name, cells: {cell: [items]}}]}
  heard({ matrix }) {
    if (!matrix) return;
    this.held.counts = matrix;
    this.draw();
  }

  get told() {
    return this.held.counts;
  }

  // The queue that was asked for, of the cases of a cell.
  listed(queue) {
    const { asked } = this.held;
    if (!asked) return false;
    this.held.asked = null;
    const place = new Map(asked.items.map((item, index) => [item, index]));
    const cases = queue.filter(([item]) => place.has(item)).sort(([one], [other]) => place.get(one) - place.get(other));
    this.held.through = cases.filter(([, , , , status]) => status !== "submitted").map(([item]) => item);
    openQueue(this.viewer, cases, this.words[`cell_${asked.cell}`]);
    return true;
  }

  // Who came by a cell goes on to its next case.
  went(act) {
    const at = this.held.through.indexOf(this.viewer.moving.item);
    const then = ["submit", "skip", "next"].includes(act.kind) && at >= 0 ? this.held.through[at + 1] : undefined;
    return then === undefined ? act : { ...act, then };
  }

  get judge() {
    const { judges } = this.told;
    return judges.find((each) => each.name === this.held.judge) || judges[0];
  }

  // On to the matrix of the next judge, or of the one before; round and round.
  step(by) {
    if (!this.told || !this.told.judges.length) return;
    const { judges } = this.told;
    this.choose(judges[(judges.indexOf(this.judge) + by + judges.length) % judges.length].name);
  }

  choose(name) {
    this.held.judge = name;
    this.draw();
    if (this.judge.kappa === undefined) this.count();
  }

  draw() {
    if (!this.told || !this.told.judges.length) {
      this.judges.replaceChildren(element("span", { class: "quiet" }, this.words[this.told ? "no_judges" : "counting"]));
      return;
    }
    const within = this.root.contains(this.viewer.focused()) && this.viewer.focused().dataset.cell;
    this.judges.replaceChildren(...this.told.judges.map((each) => this.pick(each)));
    const named = [this.words.people_correct, this.words.people_incorrect].map((text) => element("th", { scope: "col" }, text));
    const head = [element("td", {}), ...named];
    const rows = CELLS.map((row, index) =>
      element("tr", {}, element("th", { scope: "row" }, this.words[index ? "judge_incorrect" : "judge_correct"]), row.map((cell) => element("td", {}, this.cell(cell)))),
    );
    this.table.replaceChildren(element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
    const counts = this.folded ? CELLS.flat().map((name) => this.items(name).length).join(" · ") : "";
    const { kappa } = this.judge;
    this.line.replaceChildren(icon("down"), [kappa && `κ ${kappa}`, counts].filter(Boolean).join(" · ") || this.words.matrix);
    this.line.setAttribute("aria-expanded", String(!this.folded));
    this.table.hidden = this.others.hidden = this.folded;
    this.others.replaceChildren(...BESIDE.filter((name) => this.items(name).length).map((name) => this.beside(name)));
    if (within) this.buttons().find((each) => each.dataset.cell === within)?.focus();
  }

  pick({ name }) {
    const pressed = String(name === this.judge.name);
    const label = name || this.words.majority;
    return button({ class: "judge", "aria-pressed": pressed, onclick: () => this.choose(name) }, label);
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
    const label = fill(this.words[`beside_${name}`], { count: this.items(name).length });
    return this.opener(name, "plain", label);
  }

  opener(name, style, ...inside) {
    const here = name !== "telling" && this.items(name).includes(this.viewer.moving.item);
    return button({
      class: style,
      title: this.words[`cell_${name}`],
      "aria-current": here ? "true" : null,
      "data-cell": name,
      "data-testid": `cell-${name}`,
      onclick: () => this.open(name, this.items(name)),
    }, inside);
  }

  open(cell, items) {
    if (!items.length) return;
    this.held.asked = { cell, items };
    this.viewer.askQueue();
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

PANE_KINDS.matrix = (viewer) => [new Matrix(viewer).root];

SCREEN_KEYS.review = (viewer) => ({
  ...SCREEN_KEYS.rating(viewer),
  prompts: () => openPrompts(viewer),
  overview: () => viewer.matrix.focus(),
  group_next: () => viewer.matrix.step(1),
  group_previous: () => viewer.matrix.step(-1),
  differences: () => viewer.root.classList.toggle("unmarked"),
});
