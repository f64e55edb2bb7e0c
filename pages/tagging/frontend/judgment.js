// The judgment on the left: its sections, each of which folds, with what is marked in them.

const FONTS = [13, 14, 15, 16, 17.5, 19, 21, 24];
const FONT_PLACE = "touchstone-judgment-font";

class Judgment extends Part {
  constructor(viewer) {
    super(viewer);
    const { fixed, words } = viewer;
    this.text = fixed.text;
    this.offsets = new Offsets(this.text);
    this.lines = [];
    this.drawn = new WeakMap();
    this.parts = fixed.parts.map((part) => this.part(part));
    this.box = element(
      "div",
      { class: "court-text", tabindex: "0", lang: fixed.language, dir: "auto", "aria-label": words.judgment, "data-testid": "court-text" },
      this.parts.map(({ root }) => root),
    );
    this.finder = new Finder(viewer, this);
    this.chips = this.parts.map((part) => this.chip(part));
    const nav = element("nav", { class: "sections", "aria-label": words.sections }, this.chips);
    this.root = element("section", { class: "judgment", "aria-label": words.judgment },
      element("div", { class: "case-top" }, this.heading(), element("div", { class: "find-tools" }, this.finder.root, this.sizes())),
      nav,
      this.box,
    );
    this.box.addEventListener("scroll", () => this.follow(), { passive: true });
    this.box.addEventListener("mousedown", (event) => event.button === 0 && this.drag());
    this.size(this.font());
  }

  heading() {
    const { fixed, words } = this.viewer;
    const facts = [fixed.court, fixed.date, ...fixed.charges].filter(Boolean).join(" · ");
    const lines = fixed.groups.map((group) => [["", group]]);
    const group = ([[, [key, label]]]) => element("span", { class: "group", title: key }, label);
    const title = element("h2", { dir: "auto" });
    const said = element("div", { class: "quiet", title: fixed.provisions.join(", ") });
    const box = element("div", { class: "groups", "aria-label": words.groups });
    return element("header", { class: "case-head" },
      runningFold(title, [[fixed.title || fixed.externalId, null]], this.viewer.folding("title")).nodes,
      runningFold(said, [[facts, null]], this.viewer.folding("facts")).nodes,
      fixed.joined.length ? this.joined() : null,
      fixed.groups.length ? new Fold(box, lines, group, this.viewer.folding("groups")).nodes : null,
    );
  }

  // The typology put the case into more groups since the person submitted it.
  joined() {
    const { fixed, words } = this.viewer;
    const named = fixed.groups.filter(([key]) => fixed.joined.includes(key)).map(([, label]) => label);
    return element("p", { class: "outrun", role: "status", "data-testid": "joined" }, fill(words.joined, { groups: named.join(", ") }));
  }

  part([section, start, end]) {
    const [from, to] = [this.offsets.toUnit(start), this.offsets.toUnit(end)];
    const spans = lineSpans(this.text, from, to).flatMap(([low, high]) => shortSpans(this.text, low, high));
    const own = spans.map(([low, high]) => this.line(low, high));
    this.lines.push(...own);
    const body = element("div", { class: "part-text" }, own.map(({ root }) => root));
    const fold = button({ class: "fold", "aria-expanded": "true", "data-testid": `part-${section}`, onclick: () => this.toggle(made) },
      icon("down"),
      this.words[`section_${section}`],
    );
    const made = { section, from, to, body, fold, root: element("section", { class: "part", "data-section": section }, element("h3", {}, fold), body) };
    if (this.viewer.folded.has(section)) this.toggle(made, true);
    return made;
  }

  line(start, end) {
    return { start, end, root: element("p", { class: start === end ? "line empty" : "line" }, this.text.slice(start, end)) };
  }

  // Of several sections of a name, each with its number.
  chip(part) {
    const named = (each) => this.words[`section_${each.section}`] === this.words[`section_${part.section}`];
    const same = this.parts.filter(named);
    const number = same.length > 1 ? ` ${same.indexOf(part) + 1}` : "";
    return button({ class: "section-chip", tabindex: "-1", "data-testid": `to-${part.section}`, onclick: () => this.goTo(part) },
      `${this.words[`section_${part.section}`]}${number}`,
    );
  }

  sizes() {
    const named = (label, by, shape) => button(
      { title: label, "aria-label": label, "data-testid": by > 0 ? "larger" : "smaller", onclick: () => this.resize(by) },
      element("span", { class: shape, "aria-hidden": "true" }, "A"),
    );
    return element("div", { class: "sizes" }, named(this.words.smaller, -1, "small"), named(this.words.larger, 1, "large"));
  }

  // The size of the letters is this browser's from then on.
  font() {
    const kept = Number(keptForGood(FONT_PLACE));
    return FONTS.includes(kept) ? kept : FONTS[2];
  }

  size(points) {
    this.box.style.setProperty("--letters", `${points}px`);
  }

  // The line in view stays in view.
  resize(by) {
    const at = FONTS.indexOf(this.font()) + by;
    if (at < 0 || at >= FONTS.length) return;
    const place = this.placeInView();
    keepForGood(FONT_PLACE, String(FONTS[at]));
    this.size(FONTS[at]);
    this.returnTo(place);
  }

  // Folding
  toggle(part, folded = !part.body.hidden) {
    part.body.hidden = folded;
    part.fold.setAttribute("aria-expanded", String(!folded));
    if (folded) this.viewer.folded.add(part.section);
    else this.viewer.folded.delete(part.section);
  }

  toggleHere() {
    const part = this.here();
    if (!part) return;
    this.toggle(part);
    reveal(this.box, part.fold, 8);
  }

  // Sections: the one that was gone to, until somebody scrolls, else the one at the top.
  here() {
    if (this.gone && this.gone.top === this.box.scrollTop) return this.gone.part;
    const top = this.box.getBoundingClientRect().top + 24;
    return this.parts.findLast(({ root }) => root.getBoundingClientRect().top <= top) || this.parts[0];
  }

  follow() {
    const here = this.here();
    this.parts.forEach((part, index) => markCurrent(this.chips[index], part === here));
  }

  go(part) {
    this.toggle(part, false);
    this.bringUp(part);
  }

  // The last sections may be too short to come to the top.
  bringUp(part) {
    this.box.scrollTop += part.root.getBoundingClientRect().top - this.box.getBoundingClientRect().top;
    this.gone = { part, top: this.box.scrollTop };
    this.follow();
  }

  // The section that was read in the case before, where this one has it.
  resume(section) {
    const part = this.parts.find((each) => each.section === section);
    if (part && part !== this.parts[0]) this.bringUp(part);
  }

  goTo(part) {
    this.go(part);
    this.viewer.focusWork();
  }

  step(by) {
    const at = this.parts.indexOf(this.here()) + by;
    this.go(this.parts[Math.max(0, Math.min(at, this.parts.length - 1))]);
  }

  scroll(by) {
    this.box.scrollBy({ top: by * (this.box.clientHeight - 3 * this.font()) });
  }

  // The line at the top of what is seen, and how far above it begins.
  placeInView() {
    const top = this.box.getBoundingClientRect().top;
    const line = this.lines.find(({ root }) => root.getBoundingClientRect().bottom > top + 1);
    return line ? { start: line.start, above: line.root.getBoundingClientRect().top - top } : null;
  }

  returnTo(place) {
    const line = place && this.lines.find(({ start }) => start === place.start);
    if (!line) return;
    this.box.scrollTop += line.root.getBoundingClientRect().top - this.box.getBoundingClientRect().top - place.above;
    this.follow();
  }

  // Shows a stretch, wherever it is; what is seen already does not move.
  show(start) {
    const part = this.parts.find(({ from, to }) => from <= start && start < to);
    if (part) this.toggle(part, false);
    const line = this.lines.findLast((each) => each.start <= start);
    if (!line) return;
    const piece = [...line.root.childNodes].find((node) => node.nodeType === 1 && Number(node.dataset.start) === start) || line.root;
    const [outer, inner] = [this.box.getBoundingClientRect(), piece.getBoundingClientRect()];
    const margin = Math.min(90, outer.height / 4);
    if (inner.top >= outer.top + 8 && inner.bottom <= outer.bottom - 8) return;
    this.box.scrollTop += inner.top - outer.top - margin;
    this.follow();
  }

  firstInView() {
    const box = this.box.getBoundingClientRect();
    const line = this.lines.find(({ root, start, end }) => end > start && root.getBoundingClientRect().bottom > box.top + 6);
    return line ? line.start : 0;
  }

  // Whether the line of a place is seen.
  inView(start) {
    const line = this.lines.findLast((each) => each.start <= start);
    const [outer, inner] = [this.box.getBoundingClientRect(), line?.root.getBoundingClientRect()];
    return Boolean(inner?.height) && inner.bottom > outer.top + 6 && inner.top < outer.bottom - 6;
  }

  // Marks are {start, end, kind, title, pick}; a line is drawn anew only when its marks changed.
  paint(marks) {
    for (const line of this.lines) {
      const pieces = piecesOf(line.start, line.end, marks);
      const now = pieces.map(([from, , of]) => `${from}:${of.map(({ kind, id }) => kind + id).join()}`).join("|");
      if ((this.drawn.get(line) ?? `${line.start}:`) === now) continue;
      this.drawn.set(line, now);
      line.root.replaceChildren(...pieces.map((piece) => this.piece(piece)));
    }
  }

  piece([from, to, marks]) {
    const words = this.text.slice(from, to);
    if (!marks.length) return words;
    const picked = marks.find((mark) => mark.pick);
    const kinds = [...new Set(marks.map(({ kind }) => kind))].join(" ");
    const told = marks.map(({ title }) => title).filter(Boolean).join("\n");
    const run = () => !rangeWithin(this.box) && picked && picked.pick();
    return element("mark", { class: kinds, title: told || null, "data-start": from, onclick: run }, words);
  }

  // One drag marks evidence, wherever the mouse lets go: outside of the judgment what counts is what
  // was selected when it left.
  drag() {
    let last = null;
    const left = () => { last = selectedStretch(this.box, this.lines, this.text); };
    const done = (event) => {
      this.box.removeEventListener("mouseleave", left);
      const inside = event.composedPath().includes(this.box);
      setTimeout(() => this.selected(inside ? selectedStretch(this.box, this.lines, this.text) : last));
    };
    this.box.addEventListener("mouseleave", left);
    window.addEventListener("mouseup", done, { once: true, capture: true });
  }

  selected(stretch) {
    if (stretch) this.viewer.selected(stretch);
  }

  // A stretch as it goes to the server.
  told([start, end]) {
    const points = { start: this.offsets.toPoint(start), end: this.offsets.toPoint(end) };
    return { ...points, quote: this.text.slice(start, end) };
  }

  unitsOf({ start, end }) {
    return { start: this.offsets.toUnit(start), end: this.offsets.toUnit(end) };
  }
}
