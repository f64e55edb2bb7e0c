// Rating an answer in the frame: question and answers at the left, the provisions at the right.

const RATINGS = [
  ["correct", "accept", "check", "good"],
  ["incorrect", "reject", "cross", "bad"],
];

const PROVISION_LINES = 20;

class RatingViewer extends FormViewer {
  constructor(parent) {
    super(parent, "rating-viewer");
  }

  // What the frame asks of a task
  drawn() {
    this.provisions = new Provisions(this, PROVISION_LINES);
    this.reading = element("div", { class: "reading" }, casePane(this));
    this.beside = element("div", { class: "beside", role: "group", tabindex: "0", "aria-label": this.words.provisions }, this.provisions.root);
    this.buttons = RATINGS.map((each) => this.button(...each));
    const rate = { class: "rate", role: "group", tabindex: "-1", "aria-label": this.words.rate };
    this.missed = new Missed(this, element("div", rate, this.buttons));
    return element(
      "div",
      { class: "panes rating" },
      element("div", { class: "left" }, this.head.bars, this.reading, this.missed.root),
      this.beside,
    );
  }

  placed() {
    this.provisions.settle();
  }

  painted(shown) {
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(shown.answers.rating === RATINGS[index][0]));
    });
  }

  clause({ answers }) {
    return [this.words[`option_${answers.rating || RATINGS[0][0]}`]];
  }

  missedAt(field) {
    return field === "rating" ? { missed: this.missed, of: () => this.shown().answers.rating } : null;
  }

  taskKeys() {
    return {
      accept: () => this.rate("correct"),
      reject: () => this.rate("incorrect"),
      part_next: () => this.provisions.step(1, this.beside),
      part_previous: () => this.provisions.step(-1, this.beside),
      go_on: () => this.provisions.toggle(),
    };
  }

  focusWork() {
    if (this.focused()) this.focused().blur();
  }

  // What acts say
  nameOf(act) {
    return act.kind === "answer" ? this.words.rate : super.nameOf(act);
  }

  saying(act, value) {
    return act.kind === "answer" && value ? this.words[`option_${value}`] : super.saying(act, value);
  }

  // What a person does
  rate(rating) {
    this.answer("rating", this.shown().answers.rating === rating ? null : rating);
  }

  button(rating, action, shape, tone) {
    const named = { "data-testid": rating, "aria-keyshortcuts": ariaKeys(action), "aria-pressed": "false" };
    return element(
      "button",
      { type: "button", class: `choice ${tone}`, ...named, onclick: () => this.rate(rating) },
      icon(shape),
      this.words[`option_${rating}`],
      keyCap(capOf(action)),
      element("span", { class: "meaning" }, this.guideline.meanings[rating]),
    );
  }
}
