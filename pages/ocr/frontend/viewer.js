// A page beside its text, to correct it or to verify what somebody corrected.

const READING_MS = 30_000; // that reading a part of an image again may take
const FIT_PLACE = "touchstone-page-fit";

class OcrViewer extends FormViewer {
  constructor(parent) {
    super(parent, "ocr-viewer");
    this.asks.add("region");
    this.comparing = -1;
    this.fitting = rememberedFit(); // how a page lies on the stage at first
    this.bases = [];
    this.doubts = new Doubts(this);
    this.listen("touchstone-formulas", () => this.paint()); // what draws formulas may come after this
  }

  destroy() {
    this.doubts.destroy();
    super.destroy();
  }

  // What the frame asks of a task
  drawn() {
    const place = (name, block, index) => (name === "draft" ? index : block.from ?? null); // a correction's blocks say theirs
    const held = (name) => (block, index) => ({ ...heldBlock(block), from: place(name, block, index) });
    this.bases = this.fixed.bases.map(({ name, blocks }) => ({ name, blocks: blocks.map(held(name)) }));
    this.comparing = this.fixed.compare ? 0 : -1;
    this.editor = new Editor(this);
    this.pane?.destroy();
    this.pane = this.fixed.image ? new ImagePane(this, this.fixed.image) : null;
    this.compared = button({ "aria-pressed": "false", "data-testid": "compare", "aria-keyshortcuts": ariaKeys("differences"), onclick: () => this.compare() });
    const head = element("div", { class: "text-head" }, this.editor.counts, element("div", { class: "ways" }, this.doubts.button(), this.compared));
    const source = element("p", { class: "quiet source", "data-testid": "source" }, this.fixed.source);
    this.editor.root.prepend(head, source, this.head.bars);
    const missing = element("p", { class: "quiet none" }, this.fixed.problem || "");
    return element("div", { class: "panes" }, this.pane ? this.pane.root : missing, this.editor.root);
  }

  kept() {
    const { pane, editor } = this;
    editor.save(); // before the same item is drawn anew
    return { at: editor.at, scroll: editor.list.scrollTop, view: pane && { angle: pane.angle, scale: pane.scale, x: pane.x, y: pane.y, fitted: pane.fitted } };
  }

  placed(kept, inside) {
    this.paint();
    if (kept) this.editor.at = Math.min(kept.at, Math.max(0, this.editor.cards.length - 1));
    if (this.pane) this.pane.fit(this.fitting);
    if (this.pane && kept?.view && !kept.view.fitted) {
      Object.assign(this.pane, kept.view);
      this.pane.draw();
    }
    this.editor.shown = false;
    if (inside) this.editor.focus();
    else if (this.editor.current()) this.movedTo(this.editor.current());
    this.editor.list.scrollTop = kept ? kept.scroll : 0;
    this.paint();
  }

  cleared() {
    if (this.pane) this.pane.destroy();
    this.pane = null;
    this.editor = null;
  }

  painted(shown) {
    if (!this.editor) return; // a field that is left while the item goes
    this.editor.receive(shown.answers.blocks || this.fixed.blocks);
    this.editor.paint(shown);
    const base = this.bases[this.comparing];
    this.compared.setAttribute("aria-pressed", String(Boolean(base)));
    const against = base ? [element("span", { class: "quiet" }, this.words[`diff_${base.name}`])] : [];
    this.compared.replaceChildren(this.words.diff, ...against, keyCap(capOf("differences")));
    this.markBlocks();
  }

  heard(data) {
    if (!data.region || !this.editor) return;
    this.head.say("", "");
    openRead(this, data.region, this.reading);
  }

  clause() {
    const card = this.editor?.current();
    return card ? [this.kindName(card.block.kind)] : [];
  }

  taskKeys() {
    return ocrKeys(this);
  }

  tools(notes) {
    return this.fixed.verifying ? notes.button("send-back", "back", "send_back", "send_back", () => this.askSendBack()) : [];
  }

  keysBesides() {
    return WRITING_ROWS;
  }

  takes(target, key) {
    if (!(target instanceof Element) || !this.editor) return false;
    if (this.pane && target === this.pane.stage) return key.startsWith("Arrow") || (key === "Enter" && this.pane.region.open);
    const heard = GRID_KEYS.includes(key) || Object.keys(GRID_ACTIONS).some((action) => keysOf(action).includes(key));
    return target.matches("td") && this.root.contains(target) && heard;
  }

  escaped() {
    if (this.pane?.region.open) {
      this.pane.region.close();
      return true;
    }
    if (!this.editor || !this.root.contains(this.focused())) return false;
    this.editor.focus();
    return true;
  }

  focusWork() {
    const cell = this.editor?.current()?.table?.field;
    if (cell) {
      this.editor.current().table.stop();
      this.editor.current().table.focus();
    } else this.editor?.focus();
  }

  unsaved() {
    return Boolean(this.editor?.dirty || this.editor?.meeting) || super.unsaved();
  }

  fail(message, act, code, why = {}) {
    super.fail(message, act, code, why);
    if (act.kind !== "answer" || act.item !== this.moving.item || !this.editor || why.after) return;
    this.editor.refused(code === "draft_changed");
    if (code === "draft_changed") this.twoTexts(act);
  }

  // The block that says nothing yet; the caret goes there.
  missedAt(_field, { block }) {
    const card = this.editor?.cards[block - 1];
    if (!card) return null;
    this.editor.moveTo(card, true);
    card.write();
    return { missed: card.missed, of: () => [this.editor.cards.includes(card), plainText(card.block), doubtsIn(card.block)] };
  }

  // Another window wrote meanwhile: the line above the text asks which of the two it is to be.
  twoTexts(act) {
    const way = (name, mine) => [this.words[name], () => this.editor?.choose(mine)];
    this.head.say("", "");
    this.met = true;
    this.meeting.add(act, { text: this.words.met_page, theirs: way("met_take", false), mine: way("met_keep", true), whole: true });
  }

  // What is submitted is the text on the screen, whether or not anything in it was changed.
  submit() {
    if (this.editor && !this.leaving && !this.editor.meeting && this.moving.status !== "submitted") {
      if (!this.meeting.open.length && this.doubts.stop()) return;
      this.editor.save();
      const { blocks } = this.shown().answers;
      if (!blocks || blocks.some((block) => block.unseen) || this.editor.unkept) this.editor.send();
      this.editor.unkept = false;
    }
    super.submit();
  }

  // Not to be approved as it stands: back to the corrector.
  askSendBack() {
    if (!this.fixed.verifying || this.leaving || this.refused() || this.meeting.waits()) return;
    const send = (reason) => this.leave({ kind: "send_back", reason, revision: this.moving.revision });
    askReason(this, "send_back", this.words.send_back_title, "", send);
  }

  undo() {
    this.editor?.save();
    super.undo();
  }

  leave(act) {
    this.editor?.save();
    super.leave(act);
  }

  // What a person does
  compare() {
    this.comparing = this.comparing + 1 < this.bases.length ? this.comparing + 1 : -1;
    this.paint();
  }

  readRegion(box) {
    if (this.leaving || this.refused()) return;
    this.editor.save();
    this.reading = this.editor.current()?.block.key ?? null;
    this.outbox.replace({ kind: "region", item: this.moving.item, box, patience: READING_MS });
    this.head.say(this.words.region_reading, "note");
  }

  // Where the person is
  movedTo(card) {
    this.pane?.point(null);
    this.pane?.show(card.block.box);
    this.paint();
  }

  markBlocks() {
    const boxes = this.editor.blocks().map((block) => [block.key, block.box]);
    const key = this.editor.current()?.block.key;
    if (this.pane && isNew(this.pane, [boxes, key])) this.pane.mark(boxes, key);
  }

  // Show on the image the word at the caret, where the engine said where its words stand.
  pointAt(field) {
    const card = this.editor.current();
    if (!this.pane || !field || !card) return;
    const { word, like } = field.word();
    const inside = this.fixed.places.filter(([text, box]) => text === word && within(box, card.block.box));
    this.pane.point((inside[like] || inside[0] || [])[1] || null);
  }

  kindName(kind) {
    return this.words[`option_${kind}`] || this.words[`kind_${kind}`];
  }
}

// How the person last chose to see pages, kept by their browser.
function rememberedFit() {
  const kept = keptForGood(FIT_PLACE);
  return FITS.includes(kept) ? kept : "block";
}

function within([x0, y0, x1, y1], box) {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return !box || (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
}
