// One question of a step: its answers in a row, of which a digit chooses one.

class Ask {
  // `choices` are [value, words, hint].
  constructor(viewer, field, choices, label = viewer.words[`ask_${field}`]) {
    this.viewer = viewer;
    this.field = field;
    this.choices = choices;
    this.buttons = choices.map((choice, index) => this.button(choice, index));
    this.root = element(
      "div",
      { class: `ask ${choices.length > 5 ? "many" : ""}`, role: "radiogroup", tabindex: "-1", "aria-label": label, "data-testid": `ask-${field}` },
      element("span", { class: "what" }, label),
      element("div", { class: "answers" }, this.buttons),
    );
    this.missed = new Missed(viewer, this.root);
  }

  button([value, words, hint], index) {
    return element(
      "button",
      {
        type: "button",
        role: "radio",
        class: "choice",
        "aria-checked": "false",
        title: hint || null,
        "data-testid": `${this.field}-${value}`,
        onclick: () => this.viewer.choose(this.field, value),
      },
      keyCap(capOf("option", index)),
      words === String(index + 1) ? null : element("span", {}, words),
    );
  }

  pick(index) {
    if (index < this.choices.length) this.viewer.choose(this.field, this.choices[index][0]);
  }

  says(answers) {
    const found = this.choices.find(([value]) => value === answers[this.field]);
    return found ? found[1] : null;
  }

  paint({ answers }, active, closed) {
    this.root.classList.toggle("active", active);
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-checked", String(this.choices[index][0] === answers[this.field]));
      button.disabled = closed;
    });
  }
}

// A key that is held down presses a button that cannot be undone no second time, nor one that the
// same key has just brought to focus.
function onceOnly(event) {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

// A line of words that says why.
class Reason extends Typed {
  constructor(viewer) {
    super(viewer, "reason");
    const { words } = viewer;
    this.input = element("input", {
      type: "text",
      maxlength: "4000",
      placeholder: words.reason_hint,
      "aria-label": words.ask_reason,
      "aria-keyshortcuts": ariaKeys("reason"),
      "data-testid": "reason",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "ask words" }, element("span", { class: "what" }, words.ask_reason), this.input, keyCap(capOf("reason")));
    this.missed = new Missed(viewer, this.root, this.input);
    this.begin();
  }

  paint(shown, active) {
    this.root.classList.toggle("active", active);
    super.paint(shown);
  }
}
