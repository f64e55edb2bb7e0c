// The text of the page as a list of blocks under a cursor. What is written is sent after a pause,
// and before anything that leaves the block; what adds, moves or removes a block is sent at once.

const WRITING_PAUSE_MS = 700;

class Editor extends Part {
  constructor(viewer) {
    super(viewer);
    this.cards = [];
    this.at = 0;
    this.dirty = false;
    this.synced = null;
    this.timer = null;
    this.basis = undefined; // the revision that the blocks on the screen were made from
    this.meeting = false; // another window wrote meanwhile, and the person has not chosen yet
    this.counts = element("h2", { class: "eyebrow", "aria-live": "polite", "data-testid": "counts" });
    this.list = element("div", { class: "blocks", role: "list", "aria-label": this.words.blocks });
    this.gone = element("div", { class: "gone-blocks", hidden: true });
    this.root = element("section", { class: "text-pane", lang: viewer.fixed.language || null, "aria-label": this.words.blocks }, this.list);
  }

  // Draw these blocks of the server, unless they are what is drawn already.
  receive(blocks) {
    if (this.dirty || this.unkept || this.meeting) return;
    this.basis = this.viewer.moving.revision;
    const held = blocks.map(heldBlock);
    const told = fingerprint(held);
    if (told === this.synced) return;
    this.synced = told;
    const focused = this.list.contains(this.viewer.focused());
    this.draw(held);
    if (focused) this.focus();
  }

  draw(blocks) {
    this.cards = blocks.map((block) => new BlockCard(block, this.viewer));
    this.at = Math.max(0, Math.min(this.at, this.cards.length - 1));
    this.place();
  }

  place() {
    const empty = element("p", { class: "quiet none" }, this.words.no_blocks);
    const add = button({ "data-testid": "insert-first", onclick: () => this.insert(null, 1) }, this.words.insert, keyCap(capOf("add_below")));
    const nodes = this.cards.length ? this.cards.map((card) => card.root) : [empty, add];
    this.list.replaceChildren(...nodes, this.gone);
  }

  blocks() {
    return this.cards.map((card) => card.block);
  }

  kept() {
    return this.blocks().map(keptBlock);
  }

  current() {
    return this.cards[this.at];
  }

  // What a person does
  locked() {
    return this.viewer.leaving > 0 || this.viewer.refused();
  }

  edited(card, now) {
    this.dirty = true;
    this.unkept = false;
    clearTimeout(this.timer);
    if (now) this.save();
    else this.timer = setTimeout(() => this.save(), WRITING_PAUSE_MS);
    this.viewer.paint();
  }

  // Send what was changed.
  save() {
    clearTimeout(this.timer);
    if (!this.dirty) return;
    this.dirty = false;
    this.synced = fingerprint(this.blocks());
    this.send();
  }

  send() {
    this.viewer.answer("blocks", this.kept(), { revision: this.basis });
  }

  // The blocks were not taken: they stay on the screen, to be changed or chosen between.
  refused(meeting) {
    this.unkept = true;
    this.meeting = this.meeting || meeting;
  }

  // Of two texts, keep that on the screen (true) or take that of the other window.
  choose(mine) {
    [this.meeting, this.unkept, this.dirty] = [false, false, mine];
    this.basis = this.viewer.moving.revision;
    if (mine) this.save();
    this.viewer.paint();
    this.focus();
  }

  put(cards, at) {
    this.cards = cards;
    this.at = Math.max(0, Math.min(at, cards.length - 1));
    this.place();
    this.edited(null, true);
  }

  insert(card, after) {
    if (this.locked()) return;
    const at = card ? this.cards.indexOf(card) + after : 0;
    const made = new BlockCard(newBlock("paragraph", null), this.viewer);
    this.put([...this.cards.slice(0, at), made, ...this.cards.slice(at)], at);
    made.write();
  }

  remove(card) {
    if (!card || this.locked()) return;
    const at = this.cards.indexOf(card);
    this.put(this.cards.filter((each) => each !== card), at);
    this.focus();
  }

  move(card, by) {
    const at = card ? this.cards.indexOf(card) : -1;
    if (at < 0 || !this.cards[at + by] || this.locked()) return;
    const cards = this.cards.filter((each) => each !== card);
    cards.splice(at + by, 0, card);
    this.put(cards, at + by);
    this.focus();
  }

  setKind(card, kind) {
    if (!card || this.locked()) return;
    card.block = asKind(card.block, kind);
    card.fill();
    this.edited(card, true);
    this.focus();
  }

  // Part a block at the caret; what was selected goes.
  cut(card, start, end) {
    if (this.locked()) return;
    const text = card.block.text.slice(0, start) + card.block.text.slice(end);
    const doubt = movedSpans(card.block.doubt, card.block.text, text);
    const [first, second] = cutBlock({ ...card.block, text, doubt }, start);
    const at = this.cards.indexOf(card);
    card.block = first;
    card.field.set(first.text, first.doubt);
    const made = new BlockCard(second, this.viewer);
    this.put([...this.cards.slice(0, at + 1), made, ...this.cards.slice(at + 1)], at + 1);
    made.write(0);
  }

  // Join a block to the text before it; false where that is none.
  join(card) {
    const at = this.cards.indexOf(card);
    const before = this.cards[at - 1];
    if (!before || !before.field || this.locked()) return false;
    const place = before.block.text.length;
    before.block = joinedBlocks(before.block, card.block);
    before.field.set(before.block.text, before.block.doubt);
    this.put(this.cards.filter((each) => each !== card), at - 1);
    before.write(place);
    return true;
  }

  // Put blocks that were read again in the place of one, or behind it.
  take(read, key, replace) {
    if (this.locked() || !read.length) return;
    const at = this.cards.findIndex((card) => card.block.key === key);
    const blocks = read.map(heldBlock).map((block) => ({ ...block, from: null }));
    if (replace && at >= 0) blocks[0].from = this.cards[at].block.from;
    const made = blocks.map((block) => new BlockCard(block, this.viewer));
    const before = replace ? Math.max(at, 0) : at + 1;
    this.put([...this.cards.slice(0, before), ...made, ...this.cards.slice(replace && at >= 0 ? at + 1 : before)], before);
    this.focus();
  }

  confirm(card) {
    if (!card || !doubtsIn(card.block) || this.locked()) return;
    card.block = withoutDoubt(card.block);
    if (card.table) card.table.set(card.block.table);
    else card.field.set(card.block.text, []);
    this.edited(card, true);
  }

  // The word at the caret is right: on to the next doubtful one.
  right() {
    const field = this.current()?.writing();
    const here = field && this.viewer.focused() === field.box;
    if (here && !this.locked()) field.confirm();
    this.viewer.doubts.step(1);
  }

  // Where the person is
  focus() {
    const card = this.current();
    if (!card) return;
    this.moveTo(card, true);
    card.root.focus({ preventScroll: true });
  }

  step(by, writing) {
    const next = this.cards[this.at + by];
    if (!next) return false;
    this.moveTo(next, true);
    if (writing) next.write(by > 0 ? 0 : next.block.text?.length);
    else next.root.focus({ preventScroll: true });
    return true;
  }

  goToKey(key) {
    const card = this.cards.find((each) => each.block.key === key);
    if (!card) return;
    this.moveTo(card, true);
    this.focus();
  }

  moveTo(card, scroll) {
    const moved = this.cards.indexOf(card) !== this.at || !this.shown;
    this.at = this.cards.indexOf(card);
    this.shown = true;
    if (moved) {
      this.save();
      this.viewer.movedTo(card);
    }
    if (!scroll) return;
    bringTo(this.list, card.root, 12);
  }

  paint(shown) {
    const { viewer } = this;
    const base = viewer.bases[viewer.comparing];
    const matched = matchedBlocks(viewer.bases[0].blocks, this.blocks());
    const compared = base === viewer.bases[0] || !base ? matched : matchedBlocks(base.blocks, this.blocks());
    this.cards.forEach((card, index) => {
      card.paint({
        number: index + 1,
        current: index === this.at,
        locked: shown.status === "submitted",
        base: compared[index],
        before: matched[index],
        compare: Boolean(base),
        changed: !sameHeld(matched[index], card.block),
      });
    });
    this.paintGone(base, compared);
    const changed = this.cards.filter((card) => card.root.classList.contains("changed")).length;
    announce(this.counts, fill(viewer.words.counts, { blocks: this.cards.length, doubts: viewer.doubts.left(), changed }));
    viewer.doubts.painted();
  }

  // In the diff, the blocks that are no longer there.
  paintGone(base, compared) {
    const gone = base ? base.blocks.filter((block) => !compared.includes(block)) : [];
    this.gone.hidden = !gone.length;
    const lines = gone.map((block) => element("p", {}, element("del", {}, plainText(block))));
    this.gone.replaceChildren(element("h3", { class: "eyebrow" }, this.words.gone), ...lines);
  }
}
