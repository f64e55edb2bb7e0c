// One question of a step: its answers in a row, of which a digit chooses one.

class Ask {
  // `choices` are [value, words, hint, said, key]: the key is one of its own beside the digit.
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

  button([value, words, hint, , own], index) {
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
      keyCap(own ? capText(own) : capOf("option", index)),
      words === String(own || index + 1) ? null : element("span", {}, words),
    );
  }

  // The answer of the digit behind `digit`; returns whether there is one.
  pick(digit) {
    const own = this.choices.findIndex((choice) => choice[4] === String(digit + 1)); // as a scale from 0 has
    const index = own < 0 && !/^[0-9]$/.test(this.choices[digit]?.[4]) ? digit : own;
    const there = index >= 0 && index < this.choices.length;
    if (there) this.viewer.choose(this.field, this.choices[index][0]);
    return there;
  }

  chosen(value, given) {
    return value === given;
  }

  paint({ answers }, active, closed) {
    this.root.classList.toggle("active", active);
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-checked", String(this.chosen(this.choices[index][0], answers[this.field])));
      button.disabled = closed;
    });
  }
}

// A key that is held down presses a button that cannot be undone no second time, nor one that the
// same key has just brought to focus.
function onceOnly(event) {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}
