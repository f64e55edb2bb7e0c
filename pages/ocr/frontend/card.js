// A block of the page as it is corrected: its kind, its text, table or formula, and what changed.

class BlockCard {
  constructor(block, viewer) {
    this.viewer = viewer;
    this.block = block;
    this.number = element("span", { class: "number", "aria-hidden": "true" });
    this.was = element("span", { class: "quiet was", "data-testid": "kind-was", hidden: true });
    this.kind = element("select", {
      class: "kind",
      tabindex: "-1",
      "data-testid": "kind",
      "aria-label": viewer.words.kind,
      "aria-keyshortcuts": ariaKeys("kind"),
      onchange: () => this.editor.setKind(this, this.kind.value),
    },
      ...KINDS.map((kind) => element("option", { value: kind, title: viewer.guideline.meanings[kind] }, viewer.kindName(kind))),
    );
    this.tools = blockTools(this);
    this.body = element("div", { class: "body" });
    this.diff = element("div", { class: "diff", hidden: true, "data-testid": "diff" });
    this.root = element("div", {
      class: "block",
      role: "listitem",
      tabindex: "-1",
      "data-testid": "block",
      onfocusin: () => this.editor.moveTo(this, false),
      onclick: (event) => event.target === this.root && this.editor.moveTo(this, true),
    }, element("header", {}, this.number, this.kind, this.was, this.tools), this.body, this.diff);
    this.missed = new Missed(viewer, this.root, null); // the caret goes to the place itself
    this.fill();
  }

  get editor() {
    return this.viewer.editor;
  }

  // The part that edits a block of this kind.
  fill() {
    const { block, viewer } = this;
    this.field = this.table = this.preview = null;
    this.root.dataset.kind = block.kind;
    this.kind.value = block.kind;
    if (block.kind === "table") this.fillTable();
    else this.fillText();
    const parts = [this.preview, (this.field || this.table).root];
    this.body.replaceChildren(...parts.filter(Boolean));
  }

  fillTable() {
    this.table = new TableEditor(this.viewer, this.block.table, {
      changed: (table, now) => this.changed({ ...this.block, table }, now),
      focused: () => this.editor.moveTo(this, false),
      leave: (by, writing) => this.editor.step(by, writing),
    });
  }

  fillText() {
    const { block, viewer } = this;
    this.field = new Field({
      label: viewer.kindName(block.kind),
      name: "block-text",
      code: block.kind === "formula",
      changed: (text, doubt) => this.changed({ ...this.block, text, doubt }),
      keyed: (event, field) => this.keyed(event, field),
      moved: (field) => viewer.pointAt(field),
      settles: () => viewer.doubts.settles(),
    });
    this.field.set(block.text, block.doubt);
    if (block.kind !== "formula") return;
    this.preview = element("div", { class: "preview", "data-testid": "preview" });
    this.drawPreview();
  }

  drawPreview() {
    if (this.preview) this.drawn = drawFormula(this.preview, this.block.text, this.viewer.words);
  }

  changed(block, now) {
    this.block = { ...block, unseen: false };
    this.drawPreview();
    this.editor.edited(this, now);
  }

  // Enter parts a paragraph at the caret, Backspace at its start joins it to the one before.
  keyed(event, field) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || this.block.kind === "formula" && event.key === "Enter") return;
    const { selectionStart: start, selectionEnd: end } = field.box;
    const runs = {
      Enter: () => !event.shiftKey && this.editor.cut(this, start, end),
      Backspace: () => start === 0 && end === 0 && this.editor.join(this),
      ArrowUp: () => start === 0 && end === 0 && this.editor.step(-1, true),
      ArrowDown: () => start === field.text.length && !event.shiftKey && this.editor.step(1, true),
    };
    if (!runs[event.key] || runs[event.key]() === false) return;
    event.preventDefault();
  }

  // Go into the text: of a table, to its cell.
  write(start, end) {
    if (this.table) this.table.focus();
    else this.field.focus(start, end);
  }

  // Go to a doubtful word behind the caret; from the edge of the block with `fromEdge`.
  doubt(by, fromEdge) {
    if (this.table) return this.table.doubt(by, fromEdge);
    const edge = by > 0 ? 0 : this.block.text.length;
    return this.field.step(by, fromEdge ? edge : undefined);
  }

  writing() {
    return this.table ? this.table.field : this.field;
  }

  // Open the menu of kinds; where a browser opens none by a key, the arrows choose.
  chooseKind() {
    this.kind.focus();
    try {
      this.kind.showPicker();
    } catch {
      // a browser that opens a menu by a press alone
    }
  }

  // `before` is the block of the draft that this one goes back to.
  paint({ number, current, locked, base, before, compare, changed }) {
    this.number.textContent = String(number);
    const name = `${number}. ${this.viewer.kindName(this.block.kind)}`;
    this.root.setAttribute("aria-label", name);
    this.root.classList.toggle("cursor", current);
    this.root.tabIndex = current ? 0 : -1;
    markCurrent(this.root, current);
    this.root.classList.toggle("changed", changed);
    this.root.classList.toggle("unseen", Boolean(this.block.unseen));
    (this.field || this.table).lock(locked);
    this.kind.disabled = locked;
    const other = before && before.kind !== this.block.kind;
    this.was.hidden = !other;
    this.was.textContent = other ? fill(this.viewer.words.kind_was, { kind: this.viewer.kindName(before.kind) }) : "";
    if (this.preview && !this.drawn) this.drawPreview();
    this.paintDiff(base, compare);
  }

  // What it was before, where its kind or its words differ.
  paintDiff(base, compare) {
    const grid = this.table && base && base.kind === "table" && base.table.rows === this.block.table.rows && base.table.columns === this.block.table.columns;
    if (this.table) this.table.compare(compare && grid ? base.table : null);
    const before = compare ? plainText(base) : null;
    const now = compare ? plainText(this.block) : null;
    const kinds = compare && base && base.kind !== this.block.kind ? [base.kind, this.block.kind] : null;
    const shown = kinds || (compare && !grid && before !== now);
    if (!isNew(this, [shown, before, now])) return;
    this.diff.hidden = !shown;
    const names = (kinds || []).map((kind, place) => element(place ? "ins" : "del", {}, this.viewer.kindName(kind)));
    const line = kinds ? [element("p", { "data-testid": "kind-diff" }, names[0], " → ", names[1])] : [];
    this.diff.replaceChildren(...line, ...(shown && before !== now ? diffNodes(before, now) : []));
  }
}

function plainText(block) {
  if (!block) return "";
  return block.kind === "table" ? textOfTable(block.table) : block.text;
}

// The ways to change a block as a whole; they show on the one at the cursor.
function blockTools(card) {
  const { words } = card.viewer;
  const tool = (name, action, run) =>
    button({ class: "tool", tabindex: "-1", title: words[`key_${name}`], "data-testid": name, action, onclick: run }, words[name]);
  return element("span", { class: "block-tools" },
    tool("insert", "add_below", () => card.editor.insert(card, 1)),
    tool("remove", "remove", () => card.editor.remove(card)),
  );
}
