// The right side: one card per candidate provision.

const DECISIONS = [
  ["accept", "check"], // each is an action of that name, too
  ["reject", "cross"],
  ["unsure", "unsure"],
];

class Card {
  constructor(candidate, number, viewer) {
    this.candidate = candidate;
    this.unit = candidate.unit;
    this.viewer = viewer;
    this.buttons = DECISIONS.map(([decision, shape]) => this.button(decision, shape));
    this.fold = candidate.missing ? null : statuteFold(candidate.pieces, viewer.folding(`unit-${this.unit}`));
    this.text = this.fold ? this.fold.box : element("p", { class: "text-missing" }, viewer.words.text_missing);
    this.evidence = this.fold && viewer.fixed.asksEvidence ? new EvidenceLine(this) : null;
    this.root = this.build(number);
  }

  button(decision, shape) {
    return button({
      class: `decide ${decision}`,
      "aria-pressed": "false",
      "data-testid": decision,
      title: this.viewer.guideline.meanings[decision],
      action: decision,
      onclick: () => {
        this.viewer.moveTo(this, false);
        this.viewer.decide(this, decision);
      },
    }, icon(shape), this.viewer.words[decision]);
  }

  build(number) {
    const { candidate, viewer } = this;
    const name = `${candidate.statute} ${candidate.label} ${candidate.heading}`.trim();
    const head = this.head(number);
    const root = element("div", {
      class: "card roves",
      role: "listitem",
      tabindex: "-1",
      "aria-label": name,
      "data-testid": "candidate",
      "data-unit": candidate.unit,
      onclick: (event) => this.clicked(event),
      onfocusin: () => viewer.moveTo(this, false),
      onmouseenter: () => viewer.trail.link(candidate.citations),
      onmouseleave: () => viewer.trail.link(viewer.cursorCitations()),
    }, head, this.reasons(), this.fold ? this.fold.nodes : this.text, this.evidence?.root);
    this.missed = new Missed(viewer, head, root);
    return root;
  }

  head(number) {
    const { candidate, viewer } = this;
    const chapters = candidate.path.join(" › ");
    return element("header", { class: "card-head" },
      element("span", { class: "number", "aria-hidden": "true" }, String(number)),
      element("div", { class: "names" },
        element("div", { class: "statute" },
          element("span", { class: "title" }, candidate.statute),
          element("span", { class: `tier tier-${candidate.tier}`, title: viewer.words.tier_hint }, candidate.tierName),
          chapters ? element("span", { class: "path" }, chapters) : null,
          this.looker(),
        ),
        element("h3", { class: "place" },
          candidate.label,
          candidate.heading ? element("span", { class: "heading" }, ` ${candidate.heading}`) : null,
          candidate.deleted ? element("span", { class: "gone" }, viewer.words.deleted) : null,
        ),
      ),
      element("div", { class: "decisions", role: "group", "aria-label": viewer.words.decision }, this.buttons),
    );
  }

  // Opens the graph of this card's unit, as the key v does for the cursor's.
  looker() {
    const { viewer } = this;
    const look = () => {
      viewer.moveTo(this, false);
      if (!viewer.graph.open) viewer.graph.toggle();
    };
    const { key_graph: words } = viewer.words;
    const named = { title: words, "aria-label": words, "data-testid": "see-graph", "aria-keyshortcuts": ariaKeys("graph") };
    return button({ class: "look", ...named, onclick: look }, icon("graph"));
  }

  reasons() {
    const { candidate, viewer } = this;
    const chips = candidate.why.map((why) =>
      element("li", { class: `chip from-${why.source}`, title: why.hint, "data-testid": "why" }, why.text),
    );
    if (candidate.since) {
      chips.unshift(element("li", { class: "chip since", "data-testid": "since" }, candidate.since));
    }
    if (candidate.added) {
      chips.push(element("li", { class: "chip from-person", "data-testid": "why" }, viewer.words.added));
    }
    return element("ul", { class: "why", "aria-label": viewer.words.why }, chips);
  }

  // What the others say of this provision, beside its reasons.
  besides(voices) {
    const { words } = this.viewer;
    this.root.querySelector(".others")?.remove();
    const said = voices
      .map(({ person, decisions }) => [person, decisions[this.candidate.id]])
      .filter(([, decision]) => decision)
      .map(([person, decision]) => element("li", { class: `chip said-${decision}`, "data-testid": "said" }, `${person}: ${words[decision]}`));
    if (said.length) this.text.before(element("ul", { class: "why others", "aria-label": words.discuss_others }, said));
  }

  clicked(event) {
    if (event.target.closest("button")) return;
    if (String(document.getSelection())) return; // somebody is selecting text
    this.viewer.moveTo(this, false);
  }

  toggle() {
    if (this.fold) this.fold.toggle();
  }

  paint(shown) {
    const decision = shown.decisions[this.unit] || "";
    const saving = shown.saving.has(this.unit);
    this.root.dataset.decision = decision;
    this.evidence?.paint(shown);
    this.root.dataset.save = saving ? "saving" : "saved";
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(DECISIONS[index][0] === decision));
    });
  }

  ring(on) {
    this.root.classList.toggle("ringed", on);
  }

  setCursor(on) {
    this.root.classList.toggle("cursor", on);
    this.root.tabIndex = on ? 0 : -1;
    markCurrent(this.root, on);
  }
}

// How many candidates there are, and what was decided on them.
function countWords({ words, cards }, shown) {
  const values = cards.map((card) => shown.decisions[card.unit]);
  const of = (decision) => values.filter((each) => each === decision).length;
  const counts = { total: cards.length, accept: of("accept"), reject: of("reject"), unsure: of("unsure") };
  return fill(words.counts, counts);
}

// All cards in their order, or the words that there are none.
function cardList({ cards, words, fixed }) {
  const { dropped } = fixed;
  const gone = fill(words.dropped, { named: dropped.join(", ") });
  return element("div", { class: "cards scrolls", role: "list", "aria-label": words.candidates },
    dropped.length ? element("p", { class: "dropped", "data-testid": "dropped" }, gone) : null,
    cards.map((card) => card.root),
    cards.length ? null : element("p", { class: "quiet none" }, words.no_candidates),
  );
}
