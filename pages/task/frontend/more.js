// Where a pane scrolls: a fade with an arrow at the edge beyond which there is more. Where the page
// scrolls instead: nothing that has the focus is left below what stays at the bottom of the window.

const PANES = [
  ".scrolls", ".law", ".panes:not(.rating) > .work-pane", ".rating .asked", ".court-text", ".factor-list", ".proofs", ".suggested",
  ".answer-pane", ".blocks", ".finding", ".results", ".authority-text", ".messages",
].join(", ");
const LEAST = 3; // pixels that count as more

class Edges {
  constructor(root) {
    this.root = root;
    this.roving = new Roving(root);
    this.shown = new Map(); // by pane: its marks above and below
    this.waiting = false;
    this.soon = () => {
      if (!this.waiting) requestAnimationFrame(() => this.measure());
      this.waiting = true;
    };
    this.changes = new MutationObserver(this.soon);
    this.changes.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "hidden", "open", "disabled"] });
    this.sizes = new ResizeObserver(this.soon);
    this.sizes.observe(root);
    root.addEventListener("scroll", this.soon, { capture: true, passive: true });
    root.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => this.uncover(target)));
  }

  destroy() {
    this.changes.disconnect();
    this.sizes.disconnect();
    this.root.removeEventListener("scroll", this.soon, { capture: true });
  }

  // A field is scrolled to by its caret alone: the whole of it comes above a bottom bar that stays.
  uncover(field) {
    const bar = this.root.querySelector(".notes");
    if (!bar || bar.contains(field) || !field.matches("input, textarea") || field.closest("dialog, .guide, .thread")) return;
    const edge = bar.getBoundingClientRect().top - this.sheet();
    if (field.getBoundingClientRect().bottom > edge) field.scrollIntoView({ block: "nearest" });
  }

  // How high the guideline or the thread is where it lies over the bottom of the page.
  sheet() {
    const over = [...this.root.querySelectorAll(".guide, .thread")].filter((each) => getComputedStyle(each).position === "sticky");
    return Math.max(0, ...over.map((each) => each.offsetHeight));
  }

  // All is read before anything is written.
  measure() {
    this.waiting = false;
    this.roving.settle();
    const home = this.root.getBoundingClientRect();
    const panes = [...this.root.querySelectorAll(PANES)].filter((pane) => !pane.closest("dialog") && !pane.parentElement.closest(PANES));
    const found = panes.map((pane) => [pane, pane.clientHeight ? this.read(pane, home) : null]);
    const heights = { "--bar": this.root.querySelector(".notes")?.offsetHeight || 0, "--sheet": this.sheet() };
    for (const [pane, marks] of this.shown) {
      if (!panes.includes(pane)) {
        marks.forEach((mark) => mark.remove());
        this.shown.delete(pane);
      }
    }
    found.forEach(([pane, place]) => this.mark(pane, place));
    for (const [name, pixels] of Object.entries(heights)) this.root.style.setProperty(name, `${pixels}px`);
  }

  read(pane, home) {
    const box = pane.getBoundingClientRect();
    const [left, top] = [box.left - home.left + pane.clientLeft, box.top - home.top + pane.clientTop];
    const end = pane.scrollHeight - parseFloat(getComputedStyle(pane).paddingBottom); // of what there is to see
    const below = end - pane.clientHeight - pane.scrollTop > LEAST;
    return { left, top, width: pane.clientWidth, bottom: top + pane.clientHeight, above: pane.scrollTop > LEAST, below };
  }

  mark(pane, place) {
    if (!this.shown.has(pane)) {
      if (!place || !(place.above || place.below)) return;
      this.shown.set(pane, ["above", "below"].map((edge) => element("span", { class: `more ${edge}`, "aria-hidden": "true" }, icon("down"))));
    }
    const [above, below] = this.shown.get(pane);
    this.put(above, place?.above && { left: place.left, top: place.top, width: place.width });
    this.put(below, place?.below && { left: place.left, top: place.bottom, width: place.width });
  }

  put(mark, place) {
    if (!place) {
      mark.remove();
      return;
    }
    for (const [name, pixels] of Object.entries(place)) {
      const now = `${Math.round(pixels)}px`;
      if (mark.style[name] !== now) mark.style[name] = now;
    }
    if (mark.parentNode !== this.root) this.root.append(mark);
  }
}
