// One question of a step: its answers in a row, of which a digit chooses one.

class Ask {
  // `choices` are [value, words, hint, said, key]: the key is one of its own beside the digit, or an
  // action of the map of keys. Of a field, `again` is whether an answer is taken back by saying it again,
  // `tones` are the [icon, class] of answers, `meanings` whether they stand below them.
  constructor(viewer, field, choices, label = viewer.words[`ask_${field}`], { again = false, tones = {}, meanings = false } = {}) {
    Object.assign(this, { viewer, field, choices, tones, meanings });
    this.state = again ? "aria-pressed" : "aria-checked";
    this.buttons = choices.map((choice, index) => this.button(choice, index));
    this.answers = element("div", { class: "answers" }, this.buttons);
    this.root = element(
      "div",
      { class: `ask ${choices.length > 5 ? "many" : ""}`, role: again ? "group" : "radiogroup", tabindex: "-1", "aria-label": label, "data-testid": `ask-${field}` },
      element("span", { class: "what" }, label),
      this.answers,
    );
    this.missed = new Missed(viewer, this.root);
  }

  button([value, words, hint, , own], index) {
    const [shape, tone] = this.tones[value] || [];
    const action = own in KEY_MAP ? own : null;
    const cap = action ? capOf(action) : own ? capText(own) : capOf("option", index);
    return button({
      role: this.state === "aria-checked" ? "radio" : null,
      class: `choice ${tone || ""}`,
      [this.state]: "false",
      title: (!this.meanings && hint) || null,
      "aria-keyshortcuts": action && ariaKeys(action),
      "data-testid": `${this.field}-${value}`,
      onclick: () => this.viewer.choose(this.field, value),
    },
      cap && keyCap(cap),
      shape && icon(shape),
      words === String(own || index + 1) ? null : element("span", {}, words),
      this.meanings && element("span", { class: "meaning" }, hint),
    );
  }

  // The answer of the digit behind `digit`, of which the tenth is 0; returns whether there is one.
  pick(digit) {
    const own = this.choices.findIndex((choice) => choice[4] === String(digit + 1)); // as a scale from 0 has
    const place = (digit + 10) % 10;
    const index = own < 0 && !/^[0-9]$/.test(this.choices[place]?.[4]) ? place : own;
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
      button.setAttribute(this.state, String(this.chosen(this.choices[index][0], answers[this.field])));
      button.disabled = closed;
    });
  }
}

// A key that is held down presses a button that cannot be undone no second time, nor one that the
// same key has just brought to focus.
function onceOnly(event) {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}
