// A field of the form in which words are written.

class WordsField extends Typed {
  constructor(viewer, field, rows, action) {
    super(viewer, field);
    const name = viewer.words[field];
    this.input = element("textarea", {
      rows: String(rows),
      maxlength: "4000",
      placeholder: viewer.words[`${field}_hint`],
      "aria-label": name,
      "aria-keyshortcuts": ariaKeys(action),
      "data-testid": field,
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "words-field" }, element("span", { class: "eyebrow" }, name, " ", keyCap(capOf(action))), this.input);
    this.missed = new Missed(viewer, this.root, this.input);
    this.begin();
  }
}
