// An item that was sent back: why, what each of the others says, and keeping one's answer.

class Discuss extends Part {
  constructor(viewer) {
    super(viewer);
    this.unfolded = new Set(); // people whose answers that are alike are open
    this.root = element("section", {
      class: "discuss",
      hidden: true,
      "data-testid": "discussion",
      "aria-label": viewer.words.discuss,
    });
  }

  paint(shown) {
    const now = shown.discussion || null;
    if (!isNew(this, now && [now, this.viewer.saidBesides(shown)])) return;
    this.now = now;
    this.root.hidden = !now;
    const { scrollTop } = this.root;
    this.root.replaceChildren(...(now ? [this.head(), this.reason(), ...this.voices(shown)] : []));
    this.root.scrollTop = scrollTop;
    this.viewer.discussed(now ? now.voices : []);
  }

  head() {
    const named = { "data-testid": "keep", "aria-keyshortcuts": ariaKeys("keep") };
    const run = () => this.viewer.back.keep();
    const state = this.now.answered ? "answered" : this.now.canKeep ? "how" : "changing";
    return element("header", {},
      element("h2", {}, this.words.discuss),
      element("span", { class: "quiet" }, this.words[`discuss_${state}`]),
      this.now.canKeep
        ? button({ class: "plain keep", ...named, onclick: run }, icon("check"), this.words.discuss_keep, keyCap(capOf("keep")))
        : null,
    );
  }

  reason() {
    const asked = fill(this.words.discuss_asks, { name: this.now.person });
    return element("p", { class: "asked" }, element("span", { class: "quiet" }, asked), " ", this.now.reason);
  }

  voices(shown) {
    return this.now.voices.map((voice) =>
      element("div", { class: "voice", "data-testid": "voice" },
        element("strong", {}, voice.person),
        element("span", { class: "quiet" }, this.words[voice.answered ? "discuss_said_now" : "discuss_said_before"]),
        voice.confidence ? element("span", { class: "quiet" }, voice.confidence) : null,
        this.viewer.voiceParts(voice, shown),
        this.note("comment", voice.comment),
        this.note("flag", voice.flag),
      ),
    );
  }

  // What a person says as the reader does, to be looked at.
  folded(person, rows) {
    const words = fill(this.words.discuss_alike, { count: rows.length });
    const box = element("details", { class: "alike" }, element("summary", { class: "quiet" }, words), rows);
    box.open = this.unfolded.has(person);
    box.addEventListener("toggle", () => (box.open ? this.unfolded.add(person) : this.unfolded.delete(person)));
    return box;
  }

  note(name, text) {
    return text ? element("p", { class: "note" }, element("span", { class: "quiet" }, this.words[`discuss_${name}`]), " ", text) : null;
  }
}
