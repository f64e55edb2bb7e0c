// A text whose place may be too small for it. It is whole, or it ends in a fade above a button that
// shows all of it; which of the two is measured whenever the place or the text changes its size.
//
// `box` is the text's element; its style may bound it with --fold, in pixels. `lines` are lists of
// pieces [text, what], which `draw` makes a node of; a text of more than HEAD characters is drawn
// from the line at `first` on until all of it is asked for. `unfolded` is a Set of the names of texts
// that are open, by which one that is drawn anew stays so. `aim(box)` says how far down the place is
// that a folded text shows; `changed()` is called after it was opened or folded.

class Fold {
  constructor(box, lines, draw, { words, name, unfolded, first = 0, aim = null, changed = null }) {
    Object.assign(this, { box, lines, draw, words, name, unfolded, first, aim, changed });
    this.head = headOf(lines, first);
    this.long = this.head.length < lines.length;
    this.inner = element("div", { class: "fold-inner" });
    this.more = button({ class: "fold-more", hidden: true, "data-testid": "expand", onclick: () => this.toggle() });
    box.classList.add("foldable");
    box.append(this.inner);
    box.addEventListener("scroll", () => this.fade(), { passive: true });
    this.fill();
    FOLDS.set(box, this);
    FOLDS.set(this.inner, this);
    SIZES.observe(box);
    SIZES.observe(this.inner);
  }

  get open() {
    return this.unfolded.has(this.name);
  }

  // What to put on the page, the text and its button.
  get nodes() {
    return [this.box, this.more];
  }

  fill() {
    const { open, long } = this;
    this.inner.replaceChildren(...(open && long ? stretches(this.lines, this.draw) : this.head.map(this.draw)));
    this.box.classList.toggle("fold-open", open);
    this.more.textContent = this.words[open ? "collapse" : "expand"];
    this.more.setAttribute("aria-expanded", String(open));
    if (open) this.box.scrollTop = 0;
  }

  // Nothing is lost of an open text; its button stays while folding it would hide something.
  measure() {
    const { box, inner, open, long } = this;
    const place = parseFloat(getComputedStyle(box).getPropertyValue("--fold"));
    const over = open ? inner.offsetHeight > place : box.scrollHeight > box.clientHeight;
    this.over = long || over;
  }

  settle() {
    this.more.hidden = !this.over;
    this.box.classList.toggle("fold-cut", this.over && !this.open);
    if (this.over && !this.open && this.aim) this.box.scrollTop = this.aim(this.box);
    this.fade();
  }

  // Where the text goes on, above and below what is seen.
  fade() {
    const cut = this.over && !this.open;
    const { box } = this;
    const end = this.first + this.head.length;
    const above = cut && (this.first > 0 || box.scrollTop > 0);
    const below = cut && (end < this.lines.length || box.scrollTop + box.clientHeight < box.scrollHeight);
    box.classList.toggle("fold-above", above);
    box.classList.toggle("fold-below", below);
  }

  toggle() {
    if (!this.over) return;
    if (!this.unfolded.delete(this.name)) this.unfolded.add(this.name);
    this.fill();
    settled([this]);
    if (!this.open) this.more.scrollIntoView({ block: "nearest" });
    if (this.changed) this.changed();
  }
}

// All reading of sizes comes before all writing.
function settled(folds) {
  folds.forEach((fold) => fold.measure());
  folds.forEach((fold) => fold.settle());
}

const FOLDS = new WeakMap(); // the fold of an element that is observed
const SIZES = new ResizeObserver((entries) => {
  settled([...new Set(entries.map(({ target }) => FOLDS.get(target)))].filter((fold) => fold.box.isConnected));
});

// Running text in a box, as a fold; `make` makes a node, or a string, of a piece.
function runningFold(box, pieces, options, make = ([text]) => text) {
  return new Fold(box, blocksOf(pieces), (block) => element("div", { class: "fold-block" }, block.map(make)), options);
}
