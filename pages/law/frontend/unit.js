// A unit's text with its citations, beside what it cites and what cites it.
//
// `told` is {unit, statute, tier, tierName, place, heading, path, facts, lines: [[[text,
// reference or null]]], references: [{status, reason, targets}], sides: [{name, total, groups:
// [{type, name, entries: [{id, statute, label, heading, tier, tierName, places}]}]}], words}.

class UnitView {
  constructor(ask) {
    this.ask = ask;
    this.root = element("article", { class: "unit", "data-testid": "unit-view" });
    this.unfolded = new Set();
    this.tip = element("p", { class: "tip", role: "status", hidden: true });
  }

  show(told) {
    if (!this.told || this.told.unit !== told.unit) this.unfolded.clear();
    this.told = told;
    this.tip.hidden = true;
    this.root.lang = told.language;
    this.root.replaceChildren(
      this.head(),
      element("div", { class: "columns" }, this.text(), this.relations()),
      this.tip,
    );
    this.text_.scrollTop = 0;
  }

  head() {
    const { told } = this;
    return element("header", {},
      element("p", { class: "above" },
        element("b", { class: `digit tier-${told.tier}` }, String(told.tier)),
        element("span", { class: "statute-name" }, told.statute),
        element("span", { class: "quiet" }, told.tierName),
        told.path.map((step) => element("span", { class: "quiet step" }, step)),
      ),
      element("h2", {}, told.place, told.heading ? element("span", { class: "heading" }, ` ${told.heading}`) : null),
      told.facts.length ? element("p", { class: "facts quiet" }, told.facts.join(" · ")) : null,
    );
  }

  text() {
    const { lines, words, missing } = this.told;
    const short = lines.flatMap((line) => (sizeOf(line) > BLOCK ? blocksOf(line) : [line]));
    const options = { name: "text", words: this.told.fold, unfolded: this.unfolded };
    const fold = new Fold(element("div", {}), short, (line) => this.line(line), options);
    this.text_ = element("div", { class: "text", tabindex: "0", role: "region", "aria-label": words.text, "data-testid": "unit-text" },
      missing ? element("p", { class: "quiet" }, missing) : fold.nodes,
    );
    return this.text_;
  }

  line(line) {
    const plain = line.map(([part]) => part).join("");
    return element("p", { class: `line ${levelOf(plain)}` }, line.map((piece) => this.piece(piece)));
  }

  piece([text, index]) {
    if (index === null) return text;
    const { status, reason, targets } = this.told.references[index];
    return element("span", {
      class: `citation ${status}`,
      role: "link",
      tabindex: "0",
      title: reason,
      "data-testid": "citation",
      "data-index": index,
      onclick: () => this.follow(index),
      onkeydown: (event) => event.key === "Enter" && this.follow(index),
      onmouseenter: () => this.mark(targets),
      onmouseleave: () => this.mark([]),
    }, text);
  }

  // One target is gone to; where there are several, or none, it is said.
  follow(index) {
    const { reason, targets } = this.told.references[index];
    const others = targets.filter((target) => target !== this.told.unit);
    if (others.length === 1) this.ask({ kind: "go", unit: others[0] });
    else {
      this.tip.textContent = reason;
      this.tip.hidden = false;
      this.mark(targets);
      const first = this.root.querySelector(".entry.marked");
      if (first) reveal(this.lists, first, 8);
    }
  }

  mark(targets) {
    for (const entry of this.root.querySelectorAll(".entry")) {
      entry.classList.toggle("marked", targets.includes(entry.dataset.unit));
    }
  }

  relations() {
    this.lists = element("div", { class: "relations", "data-testid": "relations" }, this.told.sides.map((side) => this.side(side)));
    return this.lists;
  }

  side({ key, name, total, more, groups }) {
    const head = element("h3", {}, name, element("span", { class: "count" }, total.toLocaleString()));
    const none = element("p", { class: "quiet" }, this.told.words[`none_${key}`]);
    return element("section", { "aria-label": name, "data-testid": `side-${key}` },
      head,
      groups.length ? groups.map((group) => this.group(group)) : none,
      more ? element("p", { class: "quiet" }, more) : null,
    );
  }

  group({ type, name, entries }) {
    return element("div", { class: "group" },
      element("h4", {}, lineSample(type), name),
      element("ul", {}, entries.map((entry) => element("li", {}, this.entry(entry)))),
    );
  }

  entry(entry) {
    const statute = entry.statute ? element("span", { class: "entry-statute" }, entry.statute) : null;
    return button({
      class: "entry",
      "data-unit": entry.id,
      "data-testid": "entry",
      disabled: !entry.open,
      onclick: () => this.ask({ kind: "go", unit: entry.id }),
    },
      element("b", { class: `digit tier-${entry.tier}`, title: entry.tierName }, String(entry.tier)),
      element("span", { class: "words" },
        statute,
        element("span", { class: "label" }, entry.label),
        entry.heading ? ` ${entry.heading}` : null,
        entry.places ? element("span", { class: "places" }, entry.places) : null,
      ),
    );
  }
}

export default showing((ask) => new UnitView(ask));
