// An item that was sent back: why, what the others say of each candidate, and keeping one's answer.

class Discuss {
  constructor(viewer) {
    this.viewer = viewer;
    this.told = null;
    this.root = element("section", {
      class: "discuss",
      hidden: true,
      "data-testid": "discussion",
      "aria-label": viewer.words.discuss,
    });
  }

  paint({ discussion }) {
    const told = JSON.stringify(discussion || null);
    if (told === this.told) return;
    this.told = told;
    this.now = discussion;
    this.root.hidden = !discussion;
    this.root.replaceChildren(...(discussion ? [this.head(), this.reason(), ...this.voices()] : []));
    this.viewer.cards.forEach((card) => this.mark(card));
  }

  // Keeping is an answer like submitting: it leads on to the next item.
  keep() {
    if (this.now && this.now.canKeep) this.viewer.leave({ kind: "keep" });
  }

  head() {
    const { words } = this.viewer;
    const named = { "data-testid": "keep", "aria-keyshortcuts": "y" };
    const run = () => this.keep();
    const state = this.now.answered ? "answered" : this.now.canKeep ? "how" : "changing";
    return element(
      "header",
      {},
      element("h2", {}, words.discuss),
      element("span", { class: "quiet" }, words[`discuss_${state}`]),
      this.now.canKeep
        ? element("button", { type: "button", class: "plain keep", ...named, onclick: run }, icon("check"), words.discuss_keep, keyCap("y"))
        : null,
    );
  }

  reason() {
    const asked = fill(this.viewer.words.discuss_asks, { name: this.now.person });
    return element("p", { class: "asked" }, element("span", { class: "quiet" }, asked), " ", this.now.reason);
  }

  voices() {
    return this.now.voices.map((voice) =>
      element(
        "div",
        { class: "voice", "data-testid": "voice" },
        element("strong", {}, voice.person),
        element("span", { class: "quiet" }, this.viewer.words[voice.answered ? "discuss_said_now" : "discuss_said_before"]),
        voice.confidence ? element("span", { class: "quiet" }, voice.confidence) : null,
        voice.noProvision ? element("span", { class: "chip" }, this.viewer.words.no_provision) : null,
        voice.units.map((each) => this.unit(each)),
        this.note("comment", voice.comment),
        this.note("flag", voice.flag),
      ),
    );
  }

  // A provision that they accept or are unsure of: leads to its card, or puts it on the list.
  unit({ unit, name, decision }) {
    const { viewer } = this;
    const here = Boolean(unit && viewer.cardOf(unit));
    const open = unit && (here || viewer.moving.status !== "submitted");
    const shown = `${viewer.words[decision]}: ${name}`;
    const go = () => (here ? viewer.jumpTo(unit) : viewer.add(unit));
    if (!open) return element("span", { class: `chip said-${decision}` }, shown);
    return element("button", { type: "button", class: `chip said-${decision}`, onclick: go }, here ? shown : `+ ${shown}`);
  }

  note(name, text) {
    return text ? element("p", { class: "note" }, element("span", { class: "quiet" }, this.viewer.words[`discuss_${name}`]), " ", text) : null;
  }

  // What the others say of this card's provision, beside its reasons.
  mark(card) {
    card.root.querySelector(".others")?.remove();
    const said = (this.now ? this.now.voices : [])
      .filter((voice) => voice.decisions[card.candidate.id])
      .map((voice) => {
        const decision = voice.decisions[card.candidate.id];
        return element("li", { class: `chip said-${decision}`, "data-testid": "said" }, `${voice.person}: ${this.viewer.words[decision]}`);
      });
    if (said.length) card.text.before(element("ul", { class: "why others", "aria-label": this.viewer.words.discuss_others }, said));
  }
}
