// What is wrong with a field, said below it until it holds no longer; it lies over what is there, so
// that nothing moves. The line at the top says it to who listens.
class Missed {
  constructor(root, focused = root) {
    Object.assign(this, { root, focused });
    this.line = element("p", { class: "missed-line", hidden: true, "aria-hidden": "true", "data-testid": "missed" });
    root.append(this.line);
  }

  say(text) {
    this.line.textContent = text;
    this.line.hidden = false;
    this.focused.setAttribute("aria-invalid", "true");
    this.focused.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  unsay() {
    this.line.hidden = true;
    this.focused.removeAttribute("aria-invalid");
  }
}

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
    this.missed = new Missed(this.root);
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
      element("kbd", { "aria-hidden": "true" }, String(index + 1)),
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
    if (closed || answers[this.field] !== undefined) this.missed.unsay();
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-checked", String(this.choices[index][0] === answers[this.field]));
      button.disabled = closed;
    });
  }
}

// A line of words that is kept when it rests, when it is left and before anything leaves the item.
class Reason {
  constructor(viewer) {
    this.viewer = viewer;
    this.dirty = false;
    this.from = new Written(viewer, () => viewer.shown().answers.reason ?? null);
    const { words } = viewer;
    this.input = element("input", {
      type: "text",
      maxlength: "4000",
      placeholder: words.reason_hint,
      "aria-label": words.ask_reason,
      "aria-keyshortcuts": "r",
      "data-testid": "reason",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.root = element("label", { class: "ask words" }, element("span", { class: "what" }, words.ask_reason), this.input, keyCap("r"));
    this.missed = new Missed(this.root, this.input);
  }

  typed() {
    this.dirty = true;
    this.unkept = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), COMMENT_PAUSE_MS);
    this.viewer.paint();
  }

  keep() {
    clearTimeout(this.timer);
    if (!this.dirty) return;
    this.dirty = false;
    const text = this.input.value.trim() || null;
    const { was } = this.from;
    this.from.was = text;
    this.viewer.answer("reason", text, { was });
  }

  // A reason that the server did not take stays to be changed.
  refused({ value, was }) {
    if (was !== undefined) this.from.was = was;
    if (this.dirty) return;
    this.input.value = value || "";
    this.unkept = true;
  }

  // Of two reasons, keep that in the field or, else, the one of the other window, which is `now`.
  choose(mine, now) {
    [this.unkept, this.dirty, this.from.was] = [false, mine, now];
    if (mine) this.keep();
    else this.input.value = now || "";
  }

  paint({ answers, status }, active) {
    const said = answers.reason || "";
    this.root.classList.toggle("active", active);
    this.input.readOnly = status === "submitted";
    if (this.input.value.trim()) this.missed.unsay();
    const free = !this.dirty && !this.unkept && this.viewer.focused() !== this.input;
    if (free && this.input.value !== said) this.input.value = said;
    this.from.follow(free);
  }
}
