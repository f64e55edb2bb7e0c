// An authority to read: its text with the matches of the query and the gold passages marked, and the
// words that are selected to be marked.

class Reader {
  constructor(finding, told) {
    const { viewer } = finding;
    Object.assign(this, { viewer, finding, told });
    this.offsets = new Offsets(told.text);
    this.stretch = null;
    const { words } = viewer;
    this.back = this.button("back", "read_back", "escape", () => finding.close());
    this.mark = this.button("mark", "mark", "evidence", () => this.keep());
    this.box = element("div", { class: "authority-text", tabindex: "0", lang: told.language, "data-testid": "authority" });
    this.box.addEventListener("mouseup", () => setTimeout(() => this.look()));
    this.box.addEventListener("keyup", () => this.look());
    this.root = element("section", { class: "reader", "aria-label": told.title },
      element("header", {}, this.back, element("h2", { class: "place" }, told.title), this.mark),
      this.box,
    );
  }

  button(name, words, action, run) {
    return button({ class: `plain ${name}`, "data-testid": name, action, onclick: run }, element("span", {}, this.viewer.words[words]));
  }

  same({ collection, id }) {
    return collection === this.told.collection && id === this.told.id;
  }

  look() {
    this.stretch = selectedStretch(this.box, this.lines, this.told.text);
    this.mark.disabled = this.stretch === null;
  }

  // The selected words become a gold passage.
  keep() {
    this.look();
    if (!this.stretch) return this.viewer.head.say(this.viewer.words.select_first, "bad");
    const [from, to] = this.stretch;
    const { collection, id, text } = this.told;
    const passage = { collection, id, start: this.offsets.toPoint(from), end: this.offsets.toPoint(to), quote: text.slice(from, to) };
    unselect(this.box);
    this.stretch = null;
    this.finding.addPassage(passage);
  }

  units({ start, end }, kind) {
    return { start: this.offsets.toUnit(start), end: this.offsets.toUnit(end), kind };
  }

  paint({ answers, status }) {
    const gold = (answers.passages || []).filter((each) => this.same(each));
    this.mark.hidden = status === "submitted";
    this.mark.disabled = this.stretch === null;
    if (!isNew(this, gold)) return;
    const found = this.told.marks.map(([start, end]) => this.units({ start, end }, "match"));
    const marks = [...found, ...gold.map((each) => this.units(each, "gold"))];
    const { text } = this.told;
    const { scrollTop } = this.box;
    this.lines = lineSpans(text, 0, text.length).map(([start, end]) => ({ start, end, root: this.line(start, end, marks) }));
    this.box.replaceChildren(...this.lines.map(({ root }) => root));
    this.box.scrollTop = scrollTop;
  }

  line(start, end, marks) {
    const pieces = start === end ? [[start, end, []]] : piecesOf(start, end, marks);
    const drawn = pieces.map(([from, to, here]) => {
      const kinds = [...new Set(here.map(({ kind }) => kind))];
      const words = this.told.text.slice(from, to);
      return kinds.length ? element("mark", { class: kinds.join(" ") }, words) : words;
    });
    return element("div", { class: "text-line" }, drawn);
  }

  // The first gold passage of it, or else the first match.
  reveal() {
    const first = this.box.querySelector("mark.gold") || this.box.querySelector("mark");
    if (first) reveal(this.box, first, 60);
    this.box.focus({ preventScroll: true });
  }
}
