// The gold passages: a row of the form, and the choices of a question above it.

class PassagesRow {
  constructor(viewer, name, { label }) {
    Object.assign(this, { viewer, name });
    this.list = element("ol", { class: "passages", "data-testid": "passages" });
    this.root = element("div", { class: "ask", tabindex: "-1", "data-testid": `ask-${name}` }, element("span", { class: "what" }, label), this.list);
    this.missed = new Missed(viewer, this.root);
  }

  pick() {
    return false;
  }

  paint({ answers }, _active, closed) {
    const passages = answers[this.name] || [];
    if (!isNew(this, [passages, closed])) return;
    const none = element("li", { class: "quiet" }, fill(this.viewer.words.no_passages, { key: capOf("evidence") }));
    this.list.replaceChildren(...(passages.length ? passages.map((each) => this.row(each, closed)) : [none]));
  }

  row(passage, closed) {
    const { words, finding } = this.viewer;
    const open = () => finding.read(passage.collection, passage.id, []);
    const named = { "data-testid": "drop-passage", "aria-label": words.drop_passage, title: words.drop_passage };
    return element("li", { class: "passage", "data-testid": "passage" },
      button({ class: "example", onclick: open }, passage.id),
      closed ? null : button({ ...named, onclick: () => this.drop(passage) }, icon("cross")),
      element("blockquote", {}, passage.quote),
    );
  }

  drop(passage) {
    const given = this.viewer.shown().answers[this.name] || [];
    const left = given.filter((each) => JSON.stringify(each) !== JSON.stringify(passage));
    this.viewer.answer(this.name, left.length ? left : null, { was: given });
    this.viewer.focusWork();
  }
}

ROW_KINDS.passages = PassagesRow;
SAID.passages = (value) => value.map(({ id, quote }) => `${id}: “${quote}”`).join("  ");
SAID.trail = (value, _field, { words }) => fill(words.history, { count: value.length });

PANE_KINDS.choices = ({ words }, choices) => [
  element("h2", { class: "eyebrow" }, words.choices),
  element("ol", { class: "choices", "data-testid": "choices" }, choices.map((each) => element("li", {}, each))),
];
