// The search: a query of terms and connectors, what each part of it finds, the texts, and the queries
// before. What a text says is shown as pieces, of which the matches are marked.

class SearchPane {
  constructor(finding) {
    const { viewer, held } = finding;
    Object.assign(this, { viewer, finding, busy: false });
    const { words } = viewer;
    this.input = element("input", {
      type: "text",
      class: "query",
      maxlength: "2000",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: words.query_hint,
      "aria-label": words.query,
      "aria-keyshortcuts": ariaKeys("search"),
      "data-testid": "query",
      value: held.asked,
      oninput: () => { held.asked = this.input.value; },
      onkeydown: (event) => {
        if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.run();
      },
    });
    this.go = button({ class: "primary", "data-testid": "search", onclick: () => this.run() }, words.search);
    this.wrong = element("p", { class: "search-wrong", role: "alert", hidden: true });
    this.results = element("div", { class: "results", "data-testid": "results" });
    this.history = element("ol", { class: "history", "data-testid": "history" });
    this.historyFold = element("details", { class: "before" }, element("summary", {}, words.history), this.history);
    this.root = element("section", { class: "search-pane", "aria-label": words.search },
      element("div", { class: "ask-row" }, this.input, keyCap(capOf("search")), this.go),
      this.wrong,
      this.help(),
      this.historyFold,
      this.results,
    );
  }

  // Precedence and examples, folded.
  help() {
    const { words } = this.viewer;
    const rows = HELP_ROWS.map(([sign, word]) => element("tr", {}, element("td", {}, element("code", {}, sign)), element("td", {}, words[word])));
    const examples = words.examples.split("\n").map((query) => button({ class: "example", onclick: () => this.fill(query) }, query));
    return element("details", { class: "before", "data-testid": "search-help" },
      element("summary", {}, words.help_title),
      element("table", { class: "signs" }, element("tbody", {}, rows)),
      element("p", { class: "quiet" }, words.help_order),
      element("div", { class: "examples" }, examples),
    );
  }

  fill(query) {
    this.input.value = this.finding.held.asked = query;
    this.input.focus();
  }

  run() {
    const query = this.input.value.trim();
    if (!query || this.busy || this.viewer.refused()) return;
    this.said("");
    this.viewer.head.say("", "");
    this.wait(true);
    this.viewer.act({ kind: "search", query, patience: 240000 });
  }

  wait(on) {
    this.busy = on;
    this.go.disabled = on;
    this.results.classList.toggle("busy", on);
  }

  said(words) {
    this.wrong.textContent = words;
    this.wrong.hidden = !words;
  }

  show(found) {
    this.wait(false);
    this.said("");
    const { words } = this.viewer;
    const parts = found.collections.map((each) => this.collection(each));
    const none = parts.length ? null : element("p", { class: "quiet" }, words.nothing_to_search);
    this.results.replaceChildren(element("p", { class: "quiet read-as" }, `${words.read_as} `, element("code", {}, found.query)), ...parts, ...(none ? [none] : []));
    this.results.scrollTop = 0;
  }

  collection(each) {
    const { words } = this.viewer;
    const counts = each.parts.filter(({ depth }) => depth > 0).map((part) =>
      element("tr", {},
        element("td", { style: `padding-left: ${(part.depth - 1) * 14}px` }, element("code", {}, part.text)),
        element("td", {}, part.matches.toLocaleString()),
        element("td", {}, part.texts.toLocaleString()),
      ),
    );
    const head = fill(words[`found_${each.collection}`], { texts: each.texts.toLocaleString(), searched: each.searched.toLocaleString(), matches: each.matches.toLocaleString() });
    const table = counts.length
      ? element("details", { class: "counts", "data-testid": `counts-${each.collection}`, open: each.texts === 0 && each.searched > 0 },
        element("summary", {}, words.counts),
        element("table", {}, element("thead", {}, element("tr", {}, [words.part, words.matches, words.texts].map((word) => element("th", {}, word)))), element("tbody", {}, counts)),
      )
      : null;
    return element("section", { class: "found", "data-testid": `found-${each.collection}` },
      element("h2", { class: "eyebrow" }, head),
      table,
      element("ol", {}, each.hits.map((hit) => this.hit(each.collection, hit))),
    );
  }

  hit(collection, hit) {
    const pieces = (told) => told.map(([words, matches]) => (matches ? element("mark", { class: "match" }, words) : words));
    return element("li", {},
      button({ class: "hit", "data-testid": "hit", "data-id": hit.id, onclick: () => this.finding.read(collection, hit.id, hit.marks) },
        element("span", { class: "hit-title" }, pieces(hit.title)),
        element("span", { class: "hit-count" }, String(hit.matches)),
        element("span", { class: "hit-text" }, pieces(hit.excerpt)),
      ),
    );
  }

  paint({ answers, status }) {
    const trail = answers.trail || [];
    const { words } = this.viewer;
    this.input.disabled = status === "submitted";
    this.go.disabled = this.busy || status === "submitted";
    if (!isNew(this, trail)) return;
    this.historyFold.hidden = trail.length === 0;
    this.historyFold.querySelector("summary").textContent = fill(words.history, { count: trail.length });
    this.history.replaceChildren(...trail.map((step) => this.step(step)).reverse());
  }

  step(step) {
    const { words } = this.viewer;
    if (step.step === "open") {
      return element("li", {}, button({ class: "example", onclick: () => this.finding.read(step.collection, step.id, []) }, `${words.read} ${step.id}`));
    }
    const counts = Object.entries(step.found).map(([name, [texts]]) => `${words[`short_${name}`]} ${texts.toLocaleString()}`);
    return element("li", {}, button({ class: "example", onclick: () => this.fill(step.query) }, step.query), " ", element("span", { class: "quiet" }, counts.join(" · ")));
  }
}

const HELP_ROWS = [
  ['"a b"', "help_phrase"],
  ["a b", "help_or"],
  ["a +5 b", "help_before"],
  ["a /5 b", "help_near"],
  ["a +s b", "help_sentence_before"],
  ["a /s b", "help_sentence"],
  ["a +p b", "help_paragraph_before"],
  ["a /p b", "help_paragraph"],
  ["a & b", "help_and"],
  ["a % b", "help_but_not"],
  ["root!", "help_root"],
  ["wom*n", "help_star"],
  ["#word", "help_exact"],
];
