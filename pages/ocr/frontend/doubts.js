// The words that the engine was unsure of: going from one to the next, also while writing, and what
// becomes of those that are left when the page is to be submitted. Whoever verifies a page settles a
// word by looking at it and going on; whoever corrects it says that it is right, or changes it.

class Doubts {
  constructor(viewer) {
    this.viewer = viewer;
    this.allowed = null; // the item that may be submitted with doubtful words
    this.listener = (event) => this.keyed(event);
    window.addEventListener("keydown", this.listener, true);
  }

  destroy() {
    window.removeEventListener("keydown", this.listener, true);
  }

  // The same by a press, where there is no keyboard.
  button() {
    const { words } = this.viewer;
    const named = { "data-testid": "next-doubt", "aria-keyshortcuts": ariaKeys("doubt_next"), "aria-label": words.doubts_next, title: words.doubts_next };
    const stay = (event) => event.preventDefault(); // a press leaves the caret where it is
    this.next = element("button", { type: "button", class: "plain next-doubt", ...named, onmousedown: stay, onclick: () => this.step(1) }, icon("down"), element("span", {}, words.doubts_next), keyCap(capOf("doubt_next")));
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
    const by = event.isComposing && doubtStep(event);
    if (!by || !viewer.editor || viewer.fixed.finished || viewer.root.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const go = () => setTimeout(() => viewer.editor && this.step(by));
    const field = viewer.focused();
    field.addEventListener("compositionend", go, { once: true });
    field.blur();
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
    this.viewer.pointAt(found.writing());
    return true;
  }

  // Who verifies has looked at the word at the caret.
  settle() {
    this.viewer.editor.current()?.writing()?.left();
  }

  painted() {
    this.next.disabled = !this.left();
  }

  // Whether those that are left keep the page here: who verifies is led to the first, who corrects is
  // asked once.
  stop() {
    const { viewer } = this;
    if (this.settles()) this.settle();
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
    const { words } = viewer;
    const submit = () => {
      this.allowed = viewer.moving.item;
      viewer.submit();
    };
    askToSubmit(viewer, "doubts", fill(words.doubts_title, { count }), words.doubts_lead, () => this.edge(1), submit);
  }
}
