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
    const now = JSON.stringify([sub.key, own, closed]);
    if (this.drawn === now) return;
    const before = this.root.children.length;
    this.drawn = now;
    this.root.replaceChildren(...own.map((each) => this.piece(sub, each, closed)));
    if (own.length > before) this.root.scrollTop = this.root.scrollHeight;
  }

  piece(sub, each, closed) {
    const { viewer } = this;
    const { words } = viewer;
    const remove = () => viewer.drop(each);
    const quote = element(
      "button",
      {
        type: "button",
        class: "quote",
        dir: "auto",
        title: words.show_evidence,
        "data-testid": "evidence",
        onclick: () => viewer.judgment.show(viewer.judgment.offsets.toUnit(each.start)),
        onkeydown: (event) => ["Delete", "Backspace"].includes(event.key) && !closed && remove(),
      },
      each.quote,
    );
    const named = { title: words.drop_evidence, "aria-label": words.drop_evidence, "data-testid": "drop-evidence" };
    const cross = element("button", { type: "button", class: "close", ...named, onclick: remove }, icon("cross"));
    const label = sub.exclusive ? null : element("span", { class: "of-option", dir: "auto" }, viewer.labelOf(sub, each.option));
    return element("li", {}, label, quote, closed ? null : cross);
  }
}
