// The statute tree: tier → statute → chapter → unit; or, instead of it, what a search found.
//
// `told` is {tiers: [{tier, name, total, statutes: [{id, title, units}]}], open: {statute id:
// [{path, units: [{id, label, heading, deleted}]}]}, current, note, asks, hits, words}.

const FILTER_PAUSE_MS = 200;

class StatuteTree {
  constructor(ask) {
    this.ask = ask;
    this.shut = new Set(); // tiers and chapters that the reader folded
    this.filter = "";
    this.root = element("nav", { class: "tree", "data-testid": "tree" });
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.field = element("input", {
      type: "search",
      "data-testid": "tree-filter",
      oninput: () => this.typed(),
    });
    this.note = element("p", { class: "quiet", hidden: true });
    this.list = element("div", { class: "branches", onfocusin: (event) => this.reach(event.target) });
    this.root.append(this.field, this.note, this.list);
  }

  show(told) {
    const moved = !this.told || this.told.current !== told.current || this.told.hits !== null;
    const searched = told.query !== (this.told || told).query;
    this.told = told;
    this.field.hidden = told.hits !== null;
    this.note.hidden = !told.note;
    this.note.textContent = told.note;
    this.field.placeholder = told.words.filter;
    this.field.setAttribute("aria-label", told.words.filter);
    this.root.setAttribute("aria-label", told.words.tree);
    this.draw();
    if (searched) this.list.scrollTop = 0;
    const here = moved && told.hits === null && this.list.querySelector("[aria-current]");
    if (here) this.reveal(here);
  }

  // Well inside the list: the screen may be lower than the list is, and neighbours tell where
  // one is. Nothing moves while the unit is in sight already.
  reveal(here) {
    const room = this.list.clientHeight;
    const at = here.getBoundingClientRect().top - this.list.getBoundingClientRect().top;
    if (at < 0 || at > 0.8 * room) this.list.scrollTop += at - 0.3 * room;
  }

  // A long list of statutes is narrowed by the server, which holds all of it.
  typed() {
    this.filter = this.field.value.trim().toLowerCase();
    this.draw();
    clearTimeout(this.timer);
    if (this.told.asks) this.timer = setTimeout(() => this.ask({ kind: "filter", text: this.filter }), FILTER_PAUSE_MS);
  }

  draw() {
    const focused = this.root.getRootNode().activeElement;
    const held = this.list.contains(focused) ? focused.dataset.branch : null;
    const { hits, tiers, words } = this.told;
    const rows = hits === null ? tiers.flatMap((tier) => this.tier(tier)) : this.hits(hits);
    this.list.replaceChildren(...(rows.length ? rows : [element("p", { class: "quiet" }, hits === null ? words.no_statute : words.no_hit)]));
    const buttons = [...this.list.querySelectorAll("button")];
    const again = held && buttons.find((each) => each.dataset.branch === held);
    this.reach(again || buttons.find((each) => each.hasAttribute("aria-current")) || buttons[0]);
    if (again) again.focus({ preventScroll: true });
  }

  // Of the rows one can be reached with Tab; arrows move on from there.
  reach(button) {
    for (const each of this.list.querySelectorAll("button")) each.tabIndex = each === button ? 0 : -1;
  }

  tier({ tier, name, statutes }) {
    const shown = statutes.filter((statute) => statute.title.toLowerCase().includes(this.filter));
    if (!shown.length) return [];
    const key = `tier-${tier}`;
    const folded = this.shut.has(key);
    const count = element("span", { class: "count" }, shown.length.toLocaleString());
    const fold = () => this.fold(key);
    const head = this.branch(key, 0, !folded, fold, "tier-head", element("b", { class: `digit tier-${tier}` }, String(tier)), name, count);
    return [head, ...(folded ? [] : shown.flatMap((statute) => this.statute(statute)))];
  }

  statute({ id, title, units }) {
    const chapters = this.told.open[id];
    const ask = () => this.ask({ kind: chapters ? "close" : "open", statute: id });
    const count = element("span", { class: "count" }, units.toLocaleString());
    const head = this.branch(`statute-${id}`, 1, Boolean(chapters), ask, "statute", title, count);
    return [head, ...(chapters || []).flatMap((chapter, at) => this.chapter(id, chapter, at))];
  }

  chapter(id, { path, units }, at) {
    const leaves = (depth) => units.map((unit) => this.leaf(unit, depth));
    if (!path.length) return leaves(2);
    const key = `chapter-${id}-${at}`;
    const folded = this.shut.has(key);
    const head = this.branch(key, 2, !folded, () => this.fold(key), "chapter", path.join(" › "));
    return [head, ...(folded ? [] : leaves(3))];
  }

  fold(key) {
    if (!this.shut.delete(key)) this.shut.add(key);
    this.draw();
  }

  branch(key, depth, open, run, kind, ...content) {
    return button(
      { class: `branch ${kind}`, style: `--depth: ${depth}`, "aria-expanded": String(open), "data-branch": key, "data-testid": kind, onclick: run },
      element("span", { class: "twist", "aria-hidden": "true" }, open ? "▾" : "▸"),
      element("span", { class: "words" }, content),
    );
  }

  leaf({ id, label, heading, deleted }, depth) {
    const here = id === this.told.current;
    return button({
      class: deleted ? "branch leaf deleted" : "branch leaf",
      style: `--depth: ${depth}`,
      "aria-current": here ? "true" : null,
      "data-branch": `unit-${id}`,
      "data-testid": "unit",
      "data-unit": id,
      onclick: () => this.ask({ kind: "go", unit: id }),
    }, element("span", { class: "words" }, element("span", { class: "label" }, label), heading ? ` ${heading}` : null));
  }

  hits(hits) {
    return hits.map((hit) =>
      button({
        class: "hit",
        "aria-current": hit.id === this.told.current ? "true" : null,
        "data-branch": `unit-${hit.id}`,
        "data-testid": "hit",
        "data-unit": hit.id,
        onclick: () => this.ask({ kind: "go", unit: hit.id }),
      },
        element("span", { class: "hit-name" }, element("b", { class: `digit tier-${hit.tier}`, title: hit.tierName }, String(hit.tier)), hit.statute),
        element("span", { class: "hit-place" }, element("strong", {}, hit.label), hit.heading ? ` ${hit.heading}` : null),
        hit.cited ? element("span", { class: "chip" }, this.told.words.cited) : null,
        hit.snippet.length ? element("span", { class: "snippet" }, hit.snippet.map(([text, marked]) => (marked ? element("mark", {}, text) : text))) : null,
      ),
    );
  }

  // Up and down go through what is on screen; left folds, right unfolds.
  key(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const open = at >= 0 && event.target.getAttribute("aria-expanded");
    if (step && buttons.length && (at >= 0 || step > 0)) (buttons[at + step] || this.field).focus();
    else if (event.key === "ArrowRight" && open === "false") event.target.click();
    else if (event.key === "ArrowLeft" && open === "true") event.target.click();
    else return;
    event.preventDefault();
  }
}

export default showing((ask) => new StatuteTree(ask));
