// Beside the question: the search, or the authority that is open. What the last query found, what is
// typed and what is open stay while the same item is drawn anew.

class Finding {
  constructor(viewer) {
    const { id } = viewer.fixed;
    this.viewer = viewer;
    this.held = viewer.finding?.held.id === id ? viewer.finding.held : { id, found: null, reader: null, asked: "" };
    viewer.finding = this;
    viewer.parts.push(this);
    this.search = new SearchPane(this);
    if (this.held.found) this.search.show(this.held.found);
    this.root = element("div", { class: "finding" });
  }

  paint(shown) {
    const { reader } = this.held;
    this.search.paint(shown);
    reader?.paint(shown);
    const side = reader ? reader.root : this.search.root;
    if (this.root.firstChild !== side) this.root.replaceChildren(side);
  }

  heard({ found, authority }) {
    const { item } = this.viewer.moving;
    if (found?.item === item) {
      this.held.found = found;
      this.search.show(found);
    }
    if (authority?.item === item) {
      this.held.reader = new Reader(this, { ...authority, marks: this.wanted?.id === authority.id ? this.wanted.marks : [] });
      this.viewer.paint();
      this.held.reader.reveal();
    }
  }

  // What is submitted is read again without a step of the trail.
  read(collection, id, marks) {
    const { viewer } = this;
    this.wanted = { id, marks };
    if (viewer.submitted()) viewer.outbox.push({ item: viewer.moving.item, kind: "look", collection, id });
    else viewer.act({ kind: "read", collection, id });
  }

  close() {
    this.held.reader = null;
    this.viewer.paint();
    this.search.input.focus();
  }

  failed(act, message) {
    if (act.kind !== "search") return;
    this.search.wait(false);
    this.search.said(message);
  }

  clause({ answers }) {
    const { words } = this.viewer;
    return [answers.outcome === "none" ? words.option_none : words[this.held.reader ? "clause_mark" : "search"]];
  }

  takes(target, key) {
    return target instanceof Element && target.matches(".authority-text") && (key.startsWith("Arrow") || key.startsWith("Page") || key === " ");
  }

  escaped() {
    if (this.held.reader) this.close();
    this.viewer.focusWork();
    return true;
  }

  addPassage(passage) {
    const { viewer } = this;
    const { answers } = viewer.shown();
    const given = answers.passages || [];
    viewer.answer("passages", [...given, passage], { was: given.length ? given : null });
    if (answers.outcome !== "found") viewer.answer("outcome", "found");
    viewer.head.tell(viewer.words.marked, "good");
    viewer.paint();
  }
}

PANE_KINDS.finding = (viewer) => [new Finding(viewer).root];

SCREEN_KEYS.research = (viewer) => ({
  search: () => {
    viewer.finding.close();
    viewer.finding.search.input.select();
  },
  evidence: () => viewer.finding.held.reader?.keep(),
});
