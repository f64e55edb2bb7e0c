// Rows of a stage beside the question with one answer (see ask.js): several answers, and words.

class AskSeveral extends Ask {
  constructor(viewer, field, choices, label) {
    super(viewer, field, choices, label);
    this.root.setAttribute("role", "group");
    this.buttons.forEach((button) => button.setAttribute("role", "checkbox"));
  }

  chosen(value, given) {
    return (given || []).includes(value);
  }
}

// Words or a number, written: a line, or the rows of a longer text.
class WrittenRow extends Typed {
  constructor(viewer, name, field) {
    super(viewer, name);
    this.number = field.kind === "number";
    const { label, hint, rows } = field;
    const tag = rows ? ["textarea", { rows }] : ["input", { type: this.number ? "number" : "text", step: this.number ? "any" : null }];
    this.input = element(tag[0], {
      ...tag[1],
      maxlength: "4000",
      placeholder: hint,
      "aria-label": label,
      "aria-keyshortcuts": ariaKeys("reason"),
      "data-testid": name,
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "ask words" }, element("span", { class: "what" }, label), this.input, keyCap(capOf("reason")));
    this.missed = new Missed(viewer, this.root, this.input);
    this.begin();
  }

  read() {
    const text = super.read();
    return this.number && text !== null ? Number(text) : text;
  }

  // A digit is no text before the cursor is in the field.
  pick() {
    return false;
  }

  paint(shown, active) {
    this.root.classList.toggle("active", active);
    super.paint(shown);
  }
}

function rowOf(viewer, name, field) {
  if (field.kind === "edit") return new EditRow(viewer, name, field);
  if (field.kind === "spans") return new SpansRow(viewer, name, field);
  if (field.kind === "choices") return new AskSeveral(viewer, name, field.options, field.label);
  if (field.kind === "text" || field.kind === "number") return new WrittenRow(viewer, name, field);
  const hints = viewer.fixed.hints?.[name]; // of options that are the item's own
  const options = hints ? field.options.map(([value, words], at) => [value, words, hints[at] ?? null]) : field.options;
  const row = new Ask(viewer, name, options.slice(0, hints?.length), field.label);
  if (field.long) row.root.classList.add("many", "long");
  return row;
}
