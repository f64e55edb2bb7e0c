// All that is asked of the case, factor by factor: what is answered, what is in hand, how far it is.

class Factors extends Part {
  constructor(viewer) {
    super(viewer);
    this.told = element("span", { class: "told", "aria-live": "polite", "data-testid": "case-progress" });
    this.track = element("progress", { class: "track", "aria-label": this.words.case_progress });
    this.wise = this.tool("stay", this.words.factor_wise, "factor-wise", () => viewer.toggleWise());
    this.rest = this.tool("rest", this.words.rest, "rest", () => viewer.askRest());
    this.goesOn = button({ class: "plain goes-on", title: this.words.goes_on_title, "data-testid": "goes-on", onclick: () => viewer.toggleGoOn() }, this.words.goes_on);
    this.over = this.tool("overview", this.words.progress_over, "progress-over", () => viewer.askProgress());
    this.steps = element("span", { class: "wise-steps" },
      this.step("case_previous", "‹", this.words.previous_case, "previous-case", () => viewer.along(-1)),
      this.step("case_next", "›", this.words.next_case, "next-case", () => viewer.along(1)));
    this.tools = element("div", { class: "tag-tools" }, this.rest, this.over, this.wise, this.steps);
    this.head = element("div", { class: "tag-head" }, this.told, this.track, this.goesOn, this.tools);
    this.list = element("div", { class: "factor-list", role: "group", "aria-label": this.words.factors, tabindex: "0" });
    this.rows = new Map();
    this.drawn = null;
  }

  tool(action, label, name, run) {
    return button({ action, "data-testid": name, onclick: run }, element("span", {}, label));
  }

  step(action, sign, label, name, run) {
    return button({ title: label, "aria-label": label, action, "data-testid": name, onclick: run }, sign);
  }

  paint(shown) {
    const { viewer } = this;
    const asked = viewer.asked(shown);
    this.paintProgress(asked, shown);
    const now = asked.map((sub) => sub.key).join();
    if (this.drawn !== now) this.draw(asked, now);
    for (const [sub, row] of this.rows) this.paintRow(sub, row, shown);
    for (const each of this.heads) this.paintHead(each, shown);
    const current = this.list.querySelector("[aria-current]");
    if (current && this.followed !== viewer.subKey) reveal(this.list, current, 24);
    this.followed = viewer.subKey;
  }

  paintProgress(asked, shown) {
    const { answered, required } = progressOf(asked, shown.answers);
    Object.assign(this.track, { max: asked.length || 1, value: answered });
    const left = required.length ? ` · ${fill(this.words.required_left, { count: required.length })}` : "";
    announce(this.told, fill(this.words.answered_of, { answered, asked: asked.length }) + left);
    const { wise, goesOn } = this.viewer;
    this.wise.setAttribute("aria-pressed", String(wise));
    this.wise.querySelector("span").textContent = wise ? fill(this.words.wise_leave, { what: this.viewer.sub(shown)?.label || "" }) : this.words.factor_wise;
    this.goesOn.setAttribute("aria-pressed", String(goesOn));
    this.rest.disabled = shown.status === "submitted" || answered === asked.length;
    this.goesOn.hidden = wise;
    this.steps.hidden = !wise;
  }

  draw(asked, now) {
    this.drawn = now;
    this.rows = new Map();
    this.heads = [];
    const factors = [...new Set(asked.map((sub) => sub.factorKey))];
    const place = this.list.scrollTop;
    this.list.replaceChildren(...factors.map((key) => this.factor(asked.filter((sub) => sub.factorKey === key))));
    this.list.scrollTop = place;
  }

  factor(subs) {
    const count = element("span", { class: "count" });
    const head = element("h3", { dir: "auto" }, subs[0].factor, count);
    this.heads.push({ subs, count, head });
    return element("section", { class: "factor" }, head, subs.map((sub) => this.row(sub)));
  }

  row(sub) {
    const said = element("span", { class: "given", dir: "auto" });
    const proof = element("span", { class: "proof" });
    const root = button({ class: "factor-row", tabindex: "-1", "data-testid": `row-${sub.key}`, onclick: () => this.viewer.take(sub.key) },
      element("span", { class: "name", dir: "auto" }, sub.label, sub.required ? element("span", { class: "must", title: this.words.required }, " *") : null),
      said,
      proof,
    );
    this.rows.set(sub, { root, said, proof });
    return root;
  }

  paintRow(sub, { root, said, proof }, { answers, saving }) {
    const given = answers[sub.key];
    said.textContent = given ? given.options.map((key) => this.viewer.labelOf(sub, key)).join(", ") : "";
    said.classList.toggle("silent", Boolean(given) && given.options[0] === this.viewer.silent(sub));
    proof.textContent = given && given.evidence.length ? `❝${given.evidence.length}` : "";
    root.classList.toggle("gone", goneOptions(sub, given).length > 0);
    root.classList.toggle("answered", Boolean(given));
    root.classList.toggle("saving", saving.has(sub.key));
    markCurrent(root, sub.key === this.viewer.subKey);
  }

  paintHead({ subs, count, head }, { answers }) {
    const done = subs.filter((sub) => answers[sub.key]).length;
    count.textContent = `${done}/${subs.length}`;
    head.classList.toggle("done", done === subs.length);
  }
}

// How far the person's cases are, factor by factor; a choice goes on with it through the cases.
function openProgress(viewer, rows) {
  const { words } = viewer;
  if (isOpen(viewer, "progress")) return;
  const dialogRow = (row) => {
    const [key, factor, label, done, of] = row;
    const go = () => { dialog.close(); viewer.beginWise(key, row); };
    return button({ class: "progress-row", disabled: !of, "data-testid": `over-${key}`, onclick: go },
      element("span", { class: "name", dir: "auto" }, element("span", { class: "quiet" }, factor), label),
      element("progress", { class: "track", "aria-hidden": "true", max: of || 1, value: done }),
      element("span", { class: "count" }, fill(words.cases_of, { done, of })),
    );
  };
  const list = element("div", { class: "progress-rows", tabindex: "-1" });
  const matching = (wanted) => rows.filter((row) => `${row[1]} ${row[2]}`.toLowerCase().includes(wanted));
  const { field, move } = narrowed(
    viewer, words.progress_filter, list, "button:enabled", (wanted) => matching(wanted).map(dialogRow), false,
  );
  const keyed = (event) => {
    const key = viewer.focused() === field ? "" : letterOf(event);
    const run = keysOf("overview").includes(key) ? () => dialog.close() : keysOf("search").includes(key) && (() => field.focus());
    if (!run) return move(event);
    event.preventDefault();
    return run();
  };
  const lead = element("p", { class: "quiet" }, words.progress_lead);
  const dialog = openDialog(viewer, "progress", words.progress_over, element("div", { class: "queue-body", onkeydown: keyed }, lead, field, list));
  list.focus();
}
