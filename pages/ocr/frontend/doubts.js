// The words that the engine was unsure of: going from one to the next, also while writing, and what
// becomes of those that are left when the page is to be submitted. Whoever verifies a page settles a
// word by looking at it and going on; whoever corrects it says that it is right, or changes it. Whoever
// verifies has looked at a block that lay in view for some seconds, with the page's image beside it.

const LOOK_MS = 250; // between two looks at what lies in view
const SEEN_MS = (text) => Math.min(6000, 2000 + 5 * text.length); // that a block lies in view

class Doubts extends Part {
  constructor(viewer) {
    super(viewer);
    this.allowed = null; // the item that may be submitted with doubtful words
    viewer.listen("keydown", (event) => this.keyed(event), true);
    this.inView = new WeakMap(); // for how long each block was, in milliseconds
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  destroy() {
    clearInterval(this.timer);
  }

  // The same by a press, where there is no keyboard.
  button() {
    const named = { "data-testid": "next-doubt", "aria-keyshortcuts": ariaKeys("doubt_next"), "aria-label": this.words.doubts_next, title: this.words.doubts_next };
    const stay = (event) => event.preventDefault(); // a press leaves the caret where it is
    this.next = button({ class: "plain next-doubt", ...named, onmousedown: stay, onclick: () => this.step(1) }, icon("down"), element("span", {}, this.words.doubts_next), keyCap(capOf("doubt_next")));
    return this.next;
  }

  left() {
    return this.viewer.editor.blocks().reduce((sum, block) => sum + doubtsIn(block), 0);
  }

  // Whether looking at a word settles it.
  settles() {
    const { fixed, leaving } = this.viewer;
    return fixed.verifying && !leaving && !this.viewer.submitted();
  }

  // The keys of the next and previous one where a syllable is still being composed: it is written first.
  keyed(event) {
    const { viewer } = this;
    if (this.heldBack(event)) return;
    const by = event.isComposing && doubtStep(event);
    if (!by || !viewer.editor || viewer.fixed.finished || viewer.root.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const go = () => setTimeout(() => viewer.editor && this.step(by));
    const field = viewer.focused();
    field.addEventListener("compositionend", go, { once: true });
    field.blur();
  }

  // A digit straight after a step was mostly meant for the image, not to replace a word that has none: it
  // is written when it is pressed again.
  heldBack(event) {
    const field = this.steppedTo;
    this.steppedTo = null;
    const digit = /^[0-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey && event.key;
    const { box } = field || {};
    const word = digit && box && box === this.viewer.focused() ? box.value.slice(box.selectionStart, box.selectionEnd) : "";
    if (!word || /[0-9]/.test(word)) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.viewer.head.tell(fill(this.words.digit_held, { digit, word }), "note");
    return true;
  }

  // The next doubtful word behind the caret (before it by -1), going on through the other blocks; from
  // the last one to the first.
  step(by) {
    const { viewer } = this;
    if (!viewer.editor.current() || this.reach(by)) return;
    this.settle();
    const around = this.left() > 0;
    if (around) this.edge(by);
    viewer.head.tell(viewer.words[around ? (by > 0 ? "doubts_around" : "doubts_around_back") : "doubts_none"], "note");
  }

  reach(by) {
    const { cards, at } = this.viewer.editor;
    const focused = this.viewer.focused();
    const inside = focused === this.next || (cards[at].root.contains(focused) && focused !== cards[at].root);
    return this.find(by > 0 ? cards.slice(at) : cards.slice(0, at + 1).reverse(), by, !inside);
  }

  edge(by) {
    const { cards } = this.viewer.editor;
    return this.find(by > 0 ? cards : [...cards].reverse(), by, true);
  }

  find(cards, by, fromEdge) {
    const found = cards.find((card, index) => doubtsIn(card.block) && card.doubt(by, fromEdge || index > 0));
    if (!found) return false;
    this.viewer.editor.moveTo(found, true);
    this.viewer.pointAt((this.steppedTo = found.writing()));
    return true;
  }

  // Who verifies has looked at the word at the caret.
  settle() {
    this.viewer.editor.current()?.writing()?.left();
  }

  painted() {
    this.next.disabled = !this.left();
  }

  unseen() {
    return this.settles() && this.viewer.editor ? this.viewer.editor.cards.filter((card) => card.block.unseen) : [];
  }

  // Take the marks off the blocks that were in view for long enough.
  look() {
    const { editor, pane } = this.viewer;
    const cards = document.hidden || (pane && !pane.picture.complete) ? [] : this.unseen();
    if (!cards.length) return;
    const list = editor.list.getBoundingClientRect();
    const view = { top: Math.max(0, list.top), bottom: Math.min(window.innerHeight, list.bottom) };
    const seen = cards.filter((card) => isInView(card.root.getBoundingClientRect(), view) && this.longEnough(card));
    for (const card of seen) card.block = { ...card.block, unseen: false };
    if (seen.length) this.viewer.paint();
  }

  longEnough(card) {
    const time = (this.inView.get(card) || 0) + LOOK_MS;
    this.inView.set(card, time);
    return time >= SEEN_MS(plainText(card.block));
  }

  // Whether those that are left keep the page here: who verifies is led to the first, who corrects is
  // asked once.
  stop() {
    const { viewer } = this;
    if (this.settles()) this.settle();
    const unseen = this.unseen();
    if (unseen.length) {
      viewer.editor.moveTo(unseen[0], true);
      unseen[0].missed.say(fill(viewer.words.blocks_unseen, { count: unseen.length }), () => this.unseen().length);
      return true;
    }
    const count = this.left();
    if (!count || this.allowed === viewer.moving.item) return false;
    if (viewer.fixed.verifying) {
      this.edge(1);
      const said = fill(viewer.words.doubts_unseen, { count: this.left() });
      viewer.editor.current().missed.say(said, () => this.left()); // until there are fewer
    } else this.ask(count);
    return true;
  }

  ask(count) {
    const { viewer } = this;
    const submit = () => {
      this.allowed = viewer.moving.item;
      viewer.submit();
    };
    askToSubmit(viewer, "doubts", fill(this.words.doubts_title, { count }), this.words.doubts_lead, () => this.edge(1), submit);
  }
}

// Whether the end of a block lies in view, and half of it or of the view.
function isInView(block, view) {
  const visible = Math.min(block.bottom, view.bottom) - Math.max(block.top, view.top);
  return block.bottom <= view.bottom + 8 && visible > 0 && visible * 2 >= Math.min(block.bottom - block.top, view.bottom - view.top);
}

// By how many doubtful words a key goes on.
function doubtStep(event) {
  const key = keyPressed(event);
  if (keysOf("doubt_next").includes(key)) return 1;
  return keysOf("doubt_previous").includes(key) ? -1 : 0;
}
