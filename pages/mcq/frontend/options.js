// The question and its options, each with the marks of what was picked and what is stored.

class Options {
  constructor(viewer) {
    this.viewer = viewer;
    const { query, options, language } = viewer.fixed;
    const asked = element("div", { class: "question", "data-testid": "question" });
    this.rows = options.map((words, index) => this.row(words, index));
    this.root = element(
      "section",
      { class: "asked", lang: language, "aria-label": viewer.words.question },
      element("h2", { class: "eyebrow" }, viewer.words.question),
      runningFold(asked, [[query, null]], viewer.folding("question")).nodes,
      element("ol", { class: "options" }, this.rows.map(({ root }) => root)),
    );
  }

  row(words, index) {
    const marks = element("span", { class: "marks" });
    const root = element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "option", tabindex: "-1", "data-testid": `option-${index + 1}`, onclick: () => this.viewer.pick(index) },
        element("span", { class: "number", "aria-hidden": "true" }, String(index + 1)),
        element("span", { class: "words" }, words),
        marks,
      ),
    );
    return { root, marks };
  }

  // Marks come and go with the answers; the stored answer with what the server has told.
  paint({ answers }) {
    const { words, fixed } = this.viewer;
    this.rows.forEach(({ root, marks }, index) => {
      const stored = fixed.stored === index;
      const chips = [
        answers.alone_choice === index && ["alone", words.picked_alone],
        answers.both_choice === index && ["both", words.picked_both],
        stored && ["stored", words.picked_stored],
      ].filter(Boolean);
      const now = JSON.stringify(chips);
      root.classList.toggle("stored", stored);
      root.classList.toggle("picked", this.viewer.pickField() !== null && answers[this.viewer.pickField()] === index);
      if (marks.dataset.now === now) return;
      marks.dataset.now = now;
      marks.replaceChildren(...chips.map(([kind, text]) => element("span", { class: `mark ${kind}` }, text)));
    });
  }
}
