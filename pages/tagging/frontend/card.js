// The sub-factor in hand: what it asks, its options with their digits, and the evidence for each.
// It keeps its place and its size, whatever is asked.

class Card extends Part {
  constructor(viewer) {
    super(viewer);
    this.body = element("div", { class: "card-body scrolls" });
    this.proofs = new Proofs(viewer);
    this.suggested = new Suggested(viewer);
    const named = { class: "card roves", tabindex: "-1", "aria-label": viewer.words.in_hand, "data-testid": "card" };
    this.root = element("section", named, this.body, this.proofs.root, this.suggested.root);
    this.rows = new Map();
    this.key = null;
  }

  // Drawn anew only for another sub-factor, so that nothing moves under the pointer.
  paint(shown) {
    const { viewer } = this;
    const sub = viewer.sub(shown);
    const name = sub ? sub.key : "";
    if (this.key !== name) this.draw(sub, name);
    this.suggested.root.hidden = this.proofs.root.hidden = !sub;
    if (!sub) return;
    const given = shown.answers[sub.key];
    const inHand = viewer.optionInHand(shown);
    for (const [key, row] of this.rows) row.paint(given, key === inHand, shown.status === "submitted");
    this.proofs.paint(shown, sub);
    this.suggested.paint(shown, sub);
    this.follow(inHand);
  }

  // The focus goes to the next option, or the one before, and on through the evidence; Enter takes it.
  focusOption(by) {
    const options = [...this.rows.values()].map(({ button }) => button);
    const all = [...this.root.querySelectorAll("button")].filter((each) => !each.closest("[hidden]"));
    if (!options.length) return;
    const here = all.indexOf(this.viewer.focused());
    const to = here < 0 ? options.at(by > 0 ? 0 : -1) : all[(here + by + all.length) % all.length];
    to.focus({ preventScroll: true });
    if (this.body.contains(to)) reveal(this.body, to, 4);
  }

  // An option that was taken comes into view, once.
  follow(inHand) {
    const place = `${this.key}/${inHand}`;
    if (inHand && this.followed !== place) reveal(this.body, this.rows.get(inHand)?.root || this.body, 4);
    this.followed = place;
  }

  draw(sub, name) {
    this.key = name;
    this.rows = new Map();
    this.body.scrollTop = 0;
    if (!sub) {
      this.body.replaceChildren(element("p", { class: "quiet" }, this.words.nothing_asked));
      return;
    }
    const digits = this.viewer.digits(sub);
    const last = sub.claim ? [] : [{ key: NOT_STATED, label: this.words.not_stated, help: this.words.not_stated_help }];
    const all = [...sub.options, ...last];
    for (const option of all) this.rows.set(option.key, new OptionRow(this.viewer, sub, option, digits.get(option.key)));
    this.body.replaceChildren(...this.top(sub), this.list(sub));
    this.roomy();
  }

  // The help of options is told whole where there is room for all of it.
  roomy() {
    this.body.classList.add("full-help");
    this.body.classList.toggle("full-help", this.body.scrollHeight <= this.body.clientHeight);
  }

  top(sub) {
    const rules = [sub.required && this.words.required, this.words[sub.exclusive ? "choose_one" : "choose_more"]];
    const told = element("p", { class: "rules" }, rules.filter(Boolean).map((text) => element("span", { class: "rule" }, text)));
    this.missed = new Missed(this.viewer, told, this.root);
    return [
      element("p", { class: "eyebrow", dir: "auto" }, sub.factor),
      element("h2", { dir: "auto", "data-testid": "asked" }, sub.label),
      element("p", { class: "help" }, sub.help),
      element("div", { class: "rules" }, told, this.likely()),
    ];
  }

  // How many sentences of the judgment hold its terms, and the way to them.
  likely() {
    const { viewer } = this;
    const count = (viewer.fixed.likely[viewer.subKey] || []).length;
    if (!count || viewer.submitted()) return null;
    const go = () => { viewer.focusWork(); viewer.pointing.begin(); };
    const named = { title: viewer.words.likely_title, "aria-keyshortcuts": ariaKeys("evidence"), "data-testid": "likely" };
    return button({ class: "plain likely", ...named, onclick: go }, element("span", {}, fill(viewer.words.likely, { count })), keyCap(capOf("evidence")));
  }

  list(sub) {
    const role = sub.exclusive ? "radiogroup" : "group";
    return element("div", { class: "tag-options", role, "aria-label": sub.label }, [...this.rows.values()].map(({ root }) => root));
  }
}

class OptionRow {
  constructor(viewer, sub, option, digit) {
    this.viewer = viewer;
    this.sub = sub;
    this.option = option;
    const role = sub.exclusive || option.key === NOT_STATED ? "radio" : "checkbox";
    const none = option.key === viewer.silent(sub);
    this.button = button({
      role,
      class: "tag-option",
      "aria-checked": "false",
      "aria-keyshortcuts": [digit, none && ariaKeys("none")].filter(Boolean).join(" ") || null,
      "data-testid": `option-${option.key}`,
      onclick: () => viewer.choose(option.key),
    },
      element("span", { class: "key" }, digit ? keyCap(digit) : null, none ? keyCap(capOf("none")) : null),
      element("span", { class: "name", dir: "auto" }, option.label),
      element("span", { class: "help", title: option.help }, option.help),
      element("span", { class: "pen", title: viewer.words.option_in_hand }, viewer.words.pen),
    );
    this.root = element("div", { class: "option-row" }, this.button);
  }

  paint(given, inHand, closed) {
    const chosen = Boolean(given) && given.options.includes(this.option.key);
    this.button.setAttribute("aria-checked", String(chosen));
    this.root.classList.toggle("in-hand", inHand && chosen && !closed);
  }
}
