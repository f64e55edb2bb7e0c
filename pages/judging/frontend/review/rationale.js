// Why, in words.

class Rationale extends Typed {
  constructor(viewer) {
    super(viewer, "rationale");
    const { words } = viewer;
    this.input = element("textarea", {
      rows: "3",
      maxlength: "5000",
      placeholder: words.rationale_hint,
      "aria-label": words.rationale,
      "aria-keyshortcuts": ariaKeys("reason"),
      "data-testid": "rationale",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.name = element("span", { class: "eyebrow" }, words.rationale);
    this.root = element("label", { class: "rationale" }, element("span", {}, this.name, " ", keyCap(capOf("reason"))), this.input);
    this.missed = new Missed(viewer, this.root, this.input);
    this.begin();
  }
}
