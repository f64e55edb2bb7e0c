// The evidence of the sub-factor in hand. It stands below the options, which do not move for it.

class Proofs {
  constructor(viewer) {
    this.viewer = viewer;
    this.root = element("ul", { class: "proofs", "aria-label": viewer.words.evidence });
  }

  paint(shown, sub) {
    const given = shown.answers[sub.key];
    const own = given ? given.evidence : [];
    const closed = shown.status === "submitted";
    const waiting = this.viewer.waitingOf();
    if (!isNew(this, [sub.key, own, waiting, closed])) return;
    const before = this.root.children.length;
    this.root.replaceChildren(...own.map((each) => this.piece(sub, each, closed)), ...waiting.map((each) => this.waits(each)));
    if (own.length + waiting.length > before) this.root.scrollTop = this.root.scrollHeight;
  }

  piece(sub, each, closed) {
    const { viewer } = this;
    const label = sub.exclusive ? null : element("span", { class: "of-option", dir: "auto" }, viewer.labelOf(sub, each.option));
    return this.row(label, each.quote, viewer.judgment.offsets.toUnit(each.start), closed ? null : () => viewer.drop(each), "evidence");
  }

  // Marked, and for an option that is still to be chosen.
  waits(stretch) {
    const { viewer } = this;
    const label = element("span", { class: "of-option" }, viewer.words.evidence_waits);
    return this.row(label, viewer.judgment.told(stretch).quote, stretch[0], () => viewer.unwait(stretch), "waiting-evidence");
  }

  // A quotation that leads to its place and, with `remove`, can be taken away.
  row(label, words, start, remove, name) {
    const { viewer } = this;
    const quote = button({
      class: "quote",
      dir: "auto",
      title: viewer.words.show_evidence,
      "data-testid": name,
      onclick: () => viewer.judgment.show(start),
      onkeydown: (event) => ["Delete", "Backspace"].includes(event.key) && remove?.(),
    }, words);
    const named = { title: viewer.words.drop_evidence, "aria-label": viewer.words.drop_evidence, "data-testid": `drop-${name}` };
    const cross = button({ class: "close", ...named, onclick: remove }, icon("cross"));
    return element("li", { class: name }, label, quote, remove ? cross : null);
  }
}
