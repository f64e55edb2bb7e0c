// What models suggest for the sub-factor in hand, once it may be seen: the server tells it then.

class Suggested extends Part {
  constructor(viewer) {
    super(viewer);
    this.root = element("div", { class: "suggested", "data-testid": "suggested" });
  }

  paint(shown, sub) {
    const { viewer } = this;
    const told = viewer.suggestions[sub.key] || [];
    const given = shown.answers[sub.key];
    if (!isNew(this, [sub.key, told, viewer.fixed.suggestions, Boolean(given), shown.status === "submitted"])) return;
    this.root.replaceChildren(...(told.length ? told.map((each, index) => this.row(sub, each, index, shown)) : this.later(given)));
  }

  // That there may be something once this is answered, so that it does not take anybody unawares.
  later(given) {
    const { fixed, words } = this.viewer;
    if (fixed.suggestions !== "after" || given || !fixed.suggestedAtAll) return [];
    return [element("p", { class: "quiet" }, words.suggested_after)];
  }

  row(sub, each, index, shown) {
    const names = new Map([...sub.options.map((option) => [option.key, option.label]), [NOT_STATED, this.words.not_stated]]);
    const said = usableOptions(sub, each);
    const what = said.length ? said.map((key) => names.get(key)).join(", ") : this.words.suggested_unusable;
    const take = said.length && shown.status !== "submitted" ? this.take(index) : null;
    return element("div", { class: "suggestion" },
      element("p", {}, element("span", { class: "quiet", title: each.model }, fill(this.words.suggested_by, { model: each.model })), element("strong", { dir: "auto" }, what), take),
      each.state === "quoted" ? this.quote(each) : null,
      each.state === "unquoted" ? element("p", { class: "quiet" }, this.words.suggested_unquoted) : null,
    );
  }

  take(index) {
    return button({ "data-testid": "take-suggestion", onclick: () => this.viewer.takeSuggestion(index) },
      this.words.suggested_take,
      index === 0 ? keyCap(capOf("accept")) : null,
    );
  }

  quote(each) {
    const { judgment, words } = this.viewer;
    const go = () => judgment.show(judgment.offsets.toUnit(each.start));
    return button({ class: "quote", dir: "auto", title: words.show_evidence, onclick: go }, each.quote);
  }
}

// The options that a suggestion names, none where it says nothing that can be taken.
function usableOptions(sub, each) {
  if (each.state === "not_stated") return [sub.claim ? "not_mentioned" : NOT_STATED];
  if (each.state !== "quoted" && each.state !== "unquoted") return [];
  const known = new Set(sub.options.map((option) => option.key));
  const named = each.options.filter((key) => known.has(key));
  return sub.exclusive ? named.slice(0, 1) : named;
}

// The answer that a suggestion makes: its options, with its quotation as the evidence for each.
function suggestedAnswer(sub, each) {
  const options = usableOptions(sub, each);
  const { start, end, quote } = each;
  const evidence = each.state === "quoted" ? options.map((option) => ({ option, start, end, quote })) : [];
  return answerOf(sub, options, evidence);
}
