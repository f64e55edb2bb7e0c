// What the reviewer settles: the consensus, what the judge did, the categories, the rationale.

const CONSENSUS = [
  ["correct", "accept", "check", "good"],
  ["incorrect", "reject", "cross", "bad"],
];
const ESTIMATES = ["over", "under", "fair"]; // each is an action of that name, too
const DIGITS = KEY_MAP.option.keys;

class Decision {
  constructor(viewer) {
    this.viewer = viewer;
    const { words } = viewer;
    this.consensus = CONSENSUS.map(([value, action, shape, tone]) =>
      this.button("consensus", value, action, words[`said_${value}`], tone, shape));
    this.estimates = ESTIMATES.map((value) => this.button("estimate", value, value, words[`estimate_${value}`], ""));
    this.categories = element("div", { class: "categories", role: "group", tabindex: "-1", "aria-label": words.categories });
    this.rationale = new Rationale(viewer);
    const group = (name, inside) => element("div", { class: `choices ${name}`, role: "group", tabindex: "-1", "aria-label": words[name] }, inside);
    const groups = { consensus: group("consensus", this.consensus), estimate: group("estimate", this.estimates), categories: this.categories };
    this.missed = new Map(Object.entries(groups).map(([name, box]) => [name, new Missed(viewer, element("div", {}, box), box)]));
    this.missed.set("rationale", this.rationale.missed);
    this.names = new Map(Object.keys(groups).map((name) => [name, element("h2", { class: "eyebrow" }, words[name])]));
    const fields = [...this.names].flatMap(([name, head]) => [head, this.missed.get(name).root]);
    this.names.set("rationale", this.rationale.name);
    this.root = element("section", { class: "decision", "aria-label": words.decision }, fields, this.rationale.root);
  }

  button(field, value, action, label, tone, shape) {
    const named = { "data-testid": `${field}-${value}`, "aria-keyshortcuts": ariaKeys(action), "aria-pressed": "false" };
    const run = () => this.choose(field, value);
    return element("button", { type: "button", class: `choice ${tone}`, ...named, onclick: run },
      shape ? icon(shape) : null, label, keyCap(capOf(action)));
  }

  // A consensus brings along what it makes of the judge's verdict; the reviewer may say otherwise.
  // What was said is taken back by saying it again, but not what came along: to say that confirms it.
  choose(field, value) {
    const { viewer } = this;
    const { answers } = viewer.shown();
    const again = answers[field] === value;
    const came = field === "estimate" ? viewer.fixed.implied[answers.consensus] || null : null;
    const next = again ? came : value;
    viewer.answer(field, next);
    if (field !== "consensus") return;
    const implied = next ? viewer.fixed.implied[next] : null;
    if (implied || !next) viewer.answer("estimate", implied || null);
  }

  // Of the codebook in its order, then any that it no longer has.
  keys(shown) {
    const known = Object.keys(this.viewer.guideline.meanings);
    const given = shown.answers.categories || [];
    return [...known, ...given.filter((each) => !known.includes(each))];
  }

  toggle(key) {
    const given = this.viewer.shown().answers.categories || [];
    const next = given.includes(key) ? given.filter((each) => each !== key) : [...given, key].sort();
    this.viewer.answer("categories", next.length ? next : null);
  }

  toggleAt(index) {
    const key = this.keys(this.viewer.shown())[index];
    if (key) this.toggle(key);
  }

  category(key, index, given) {
    const { words, guideline } = this.viewer;
    const digit = DIGITS[index];
    return element(
      "button",
      {
        type: "button",
        class: "category",
        "aria-pressed": String(given.includes(key)),
        "aria-keyshortcuts": digit || null,
        title: guideline.meanings[key] || words.category_gone,
        "data-testid": "category",
        "data-key": key,
        onclick: () => this.toggle(key),
      },
      digit ? keyCap(digit) : element("span", {}),
      element("span", {}, words[`option_${key}`] || key),
    );
  }

  paint(shown) {
    const press = (buttons, values, field) =>
      buttons.forEach((each, index) => each.setAttribute("aria-pressed", String(values[index] === shown.answers[field])));
    press(this.consensus, CONSENSUS.map(([value]) => value), "consensus");
    press(this.estimates, ESTIMATES, "estimate");
    this.paintCategories(shown);
    this.rationale.paint(shown);
    const { answers } = shown;
    const wrong = ["over", "under"].includes(answers.estimate);
    for (const [name, head] of this.names) head.classList.toggle("must", !answers[name]?.length && (wrong || ["consensus", "estimate"].includes(name)));
  }

  // Drawn anew only when they changed, so that the focus stays.
  paintCategories(shown) {
    const given = shown.answers.categories || [];
    const keys = this.keys(shown);
    if (this.drawn === keys.join()) {
      [...this.categories.children].forEach((each) => each.setAttribute("aria-pressed", String(given.includes(each.dataset.key))));
      return;
    }
    this.drawn = keys.join();
    this.categories.replaceChildren(...keys.map((key, index) => this.category(key, index, given)));
  }
}
