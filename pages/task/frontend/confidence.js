// How sure the person is of what they are about to submit: 1 (guessing) to 5 (certain), or nothing.

const SURE = [1, 2, 3, 4, 5];

class Confidence extends Part {
  constructor(viewer) {
    super(viewer);
    this.place = unsentPlace(viewer.person, viewer.moving.item, "sure");
    const kept = Number(keptHere(this.place)); // outlives a reload of this tab, and a submission that is taken back
    this.value = SURE.includes(kept) ? kept : null;
    this.buttons = SURE.map((value) => this.button(value));
    this.root = element("div", { class: "sure", role: "group", "aria-label": this.words.sure, "data-testid": "confidence" },
      element("span", { class: "quiet" }, this.words.sure),
      element("div", { class: "scale" }, this.buttons),
    );
  }

  button(value) {
    const words = this.words[`sure_${value}`];
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
    keepHere(this.place, this.value === null ? "" : String(this.value));
    this.viewer.paint();
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
