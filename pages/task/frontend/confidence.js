// How sure the person is of what they are about to submit: 1 (guessing) to 5 (certain), or nothing.

const SURE = [1, 2, 3, 4, 5];

class Confidence {
  constructor(viewer) {
    this.viewer = viewer;
    this.item = viewer.moving.item;
    this.value = this.remembered();
    const { words } = viewer;
    this.buttons = SURE.map((value) => this.button(value));
    this.root = element("div", { class: "sure", role: "group", "aria-label": words.sure, "data-testid": "confidence" },
      element("span", { class: "quiet" }, words.sure),
      element("div", { class: "scale" }, this.buttons),
    );
  }

  button(value) {
    const words = this.viewer.words[`sure_${value}`];
    return button({
      class: "sure-button",
      title: `${value} ${words}`,
      "aria-label": `${value} ${words}`,
      "aria-pressed": "false",
      "aria-keyshortcuts": ariaKeys("sure", value - 1),
      "data-testid": `sure-${value}`,
      onclick: () => this.choose(value),
    }, String(value));
  }

  // Say it; again takes it back. Of what is submitted it stays as it was said.
  choose(value) {
    if (this.viewer.leaving || this.viewer.refused()) return;
    this.value = this.value === value ? null : value;
    this.remember();
    this.viewer.paint();
  }

  // What was chosen outlives a reload of this tab, and a submission that is taken back.
  get place() {
    return `touchstone-sure-${this.viewer.person}-${this.item}`;
  }

  remember() {
    keepHere(this.place, this.value === null ? "" : String(this.value));
  }

  remembered() {
    const kept = Number(keptHere(this.place));
    return SURE.includes(kept) ? kept : null;
  }

  paint(shown) {
    const submitted = shown.status === "submitted";
    const value = submitted ? shown.confidence : this.value;
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(SURE[index] === value));
      button.disabled = submitted;
    });
  }
}
