// The search in a judgment: what is found is marked as it is typed, Enter goes from one to the next.

class Finder extends Part {
  constructor(viewer, judgment) {
    super(viewer);
    this.judgment = judgment;
    this.matches = [];
    this.at = -1;
    this.fresh = false; // whether the match was gone to since evidence was last begun
    this.input = element("input", {
      type: "search",
      placeholder: this.words.find,
      "aria-label": this.words.find,
      "aria-keyshortcuts": ariaKeys("search"),
      "data-testid": "find",
      oninput: () => this.look(),
      onkeydown: (event) => this.key(event),
    });
    this.count = element("span", { class: "count", role: "status", "data-testid": "found" });
    this.root = element("label", { class: "finder" }, icon("search"), this.input, this.count, keyCap(capOf("search")));
    this.again(viewer.looked);
  }

  // What was looked for in the case before is looked for here, without going there.
  again(wanted) {
    if (!wanted) return;
    this.input.value = wanted;
    this.matches = matchesOf(this.judgment.text, wanted);
    this.tell();
  }

  look() {
    this.viewer.looked = this.input.value;
    const from = this.judgment.firstInView();
    this.matches = matchesOf(this.judgment.text, this.input.value);
    this.at = matchFrom(this.matches, from, 1);
    this.fresh = this.at >= 0;
    this.viewer.paint();
    this.tell();
    if (this.at >= 0) this.judgment.show(this.matches[this.at][0]);
  }

  step(by) {
    if (!this.matches.length) return;
    const { length } = this.matches;
    this.at = this.at < 0 ? matchFrom(this.matches, this.judgment.firstInView(), by) : (this.at + by + length) % length;
    this.fresh = true;
    this.viewer.paint();
    this.tell();
    this.judgment.show(this.matches[this.at][0]);
  }

  // Where the match that was just gone to begins, once.
  just() {
    const match = this.fresh ? this.matches[this.at] : undefined;
    this.fresh = false;
    return match ? match[0] : null;
  }

  tell() {
    const looked = this.input.value.trim();
    const told = this.matches.length ? fill(this.words.found, { at: this.at < 0 ? "–" : this.at + 1, of: this.matches.length }) : this.words.found_none;
    this.count.textContent = looked ? told : "";
    this.root.classList.toggle("none", Boolean(looked) && !this.matches.length);
  }

  key(event) {
    if (event.isComposing || event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(event.shiftKey ? -1 : 1);
  }

  marks() {
    return this.matches.map(([start, end], index) => ({ start, end, kind: index === this.at ? "match current" : "match", id: "" }));
  }
}
