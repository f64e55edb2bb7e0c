// Rows of a stage beside the question with one answer (see ask.js): several answers, and words.

class AskSeveral extends Ask {
  constructor(viewer, name, field) {
    super(viewer, name, field.options, field.label, field);
    this.root.setAttribute("role", "group");
    if (!field.again) this.buttons.forEach((button) => button.setAttribute("role", "checkbox"));
  }

  chosen(value, given) {
    return (given || []).includes(value);
  }

  // One that was chosen before the codebook dropped it is there, to be taken back.
  paint(shown, active, closed) {
    const gone = (shown.answers[this.field] || []).filter((each) => !this.choices.some(([value]) => value === each));
    for (const each of gone) {
      this.choices = [...this.choices, [each, each, this.viewer.words.no_option]];
      this.buttons.push(this.button(this.choices.at(-1), this.buttons.length));
      this.answers.append(this.buttons.at(-1));
    }
    super.paint(shown, active, closed);
  }
}

// Words or a number, written: a line, or the rows of a longer text.
class WrittenRow extends Typed {
  constructor(viewer, name, field) {
    super(viewer, name);
    this.number = field.kind === "number";
    const { label, hint, rows, max = 4000, action = "reason" } = field;
    const tag = rows ? ["textarea", { rows }] : ["input", { type: this.number ? "number" : "text", step: this.number ? "any" : null }];
    this.input = element(tag[0], {
      ...tag[1],
      maxlength: max,
      placeholder: hint,
      "aria-label": label,
      "aria-keyshortcuts": ariaKeys(action),
      "data-testid": name,
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "ask words", "data-testid": `ask-${name}` }, element("span", { class: "what" }, label), this.input, keyCap(capOf(action)));
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

const ROW_KINDS = { edit: EditRow, spans: SpansRow, choices: AskSeveral, text: WrittenRow, number: WrittenRow };

function rowOf(viewer, name, field) {
  if (field.kind in ROW_KINDS) return new ROW_KINDS[field.kind](viewer, name, field);
  const hints = viewer.fixed.hints?.[name]; // of options that are the item's own
  const options = hints ? field.options.map(([value, words], at) => [value, words, hints[at] ?? null]) : field.options;
  const row = new Ask(viewer, name, options.slice(0, hints?.length), field.label, field);
  if (field.long) row.root.classList.add("many", "long");
  return row;
}
