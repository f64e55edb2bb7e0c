// The left side: the provisions that the claim in hand cites, and both answers as a whole below.

class CitedPane {
  constructor(viewer) {
    this.viewer = viewer;
    this.parts = new Map(); // of each claim its provisions
    const { words, fixed } = viewer;
    this.title = element("h2", { class: "eyebrow" });
    this.cited = element("div", { class: "cited", "data-testid": "cited" });
    this.list = element("div", { class: "law", tabindex: "0", lang: fixed.language }, this.cited, this.whole("reference"), this.whole("answer"));
    this.root = element("section", { class: "law-pane", "aria-label": words.provisions }, this.title, this.list);
  }

  // An answer as a whole: what stands around a claim.
  whole(name) {
    const { words, fixed } = this.viewer;
    const box = element("div", { class: "official", "data-testid": name });
    return element(
      "details",
      { class: "whole" },
      element("summary", { class: "eyebrow" }, words[name]),
      runningFold(box, [[fixed[name], null]], this.viewer.folding(name)).nodes,
    );
  }

  paint(claim) {
    if (this.claim === claim) return;
    this.claim = claim;
    this.title.textContent = fill(this.viewer.words.cited_by, { number: claim });
    this.cited.replaceChildren(...this.sections(claim));
    this.list.scrollTop = 0;
  }

  sections(claim) {
    if (!this.parts.has(claim)) {
      const { cited, own } = this.viewer.fixed.claims[claim - 1];
      const told = own ? [] : [element("p", { class: "quiet", "data-testid": "by-answer" }, this.viewer.words.cites_by_answer)];
      const none = element("p", { class: "quiet", "data-testid": "no-provision" }, this.viewer.words.cites_nothing);
      this.parts.set(claim, cited.length ? [...told, ...cited.map((each, at) => this.section(each, `${claim}-${at}`))] : [none]);
    }
    return this.parts.get(claim);
  }

  section({ written, unit, head, pieces, missing }, name) {
    const { words } = this.viewer;
    const chip = missing || unit === written ? null : element("span", { class: "chip" }, fill(words.written, { id: written }));
    const body = missing ? element("p", { class: "quiet" }, words.not_there) : statuteFold(pieces, this.viewer.folding(`law-${name}`)).nodes;
    return element(
      "section",
      { class: "provision", "data-testid": "provision", "data-unit": unit },
      element("header", {}, element("h3", { class: "place" }, head || written), chip),
      body,
    );
  }

  // Scrolls with the arrows from then on.
  read() {
    this.list.focus({ preventScroll: true });
  }
}
