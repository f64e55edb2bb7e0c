// The search box: any other unit of the corpus can be added to the candidates.

const SEARCH_PAUSE_MS = 160;

class SearchBox extends Part {
  constructor(viewer) {
    super(viewer);
    this.hits = [];
    this.active = -1;
    this.timer = null;
    this.input = element("input", {
      type: "search",
      role: "combobox",
      autocomplete: "off",
      maxlength: "200",
      placeholder: this.words.search,
      "aria-label": this.words.search,
      "aria-expanded": "false",
      "aria-controls": "search-hits",
      "aria-autocomplete": "list",
      "aria-keyshortcuts": ariaKeys("search"),
      "data-testid": "search",
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
      onblur: () => setTimeout(() => this.close(), 150),
    });
    this.list = element("ul", { id: "search-hits", role: "listbox", "aria-label": this.words.search_hits, hidden: true });
    this.root = element("div", { class: "search" }, icon("search"), this.input, keyCap(capOf("search")), this.list);
  }

  typed() {
    clearTimeout(this.timer);
    const query = this.input.value.trim();
    if (!query) {
      this.close();
      return;
    }
    this.timer = setTimeout(() => {
      this.viewer.outbox.replace({ kind: "search", item: this.viewer.moving.item, query });
    }, SEARCH_PAUSE_MS);
  }

  // Show what the server found, unless something else has been typed since.
  show(found) {
    if (found.query !== this.input.value.trim() || this.viewer.focused() !== this.input) return;
    this.hits = found.hits;
    const rows = found.hits.map((hit, index) => this.row(hit, index));
    const nothing = element("li", { class: "nothing", role: "presentation" }, this.words.search_nothing);
    this.list.replaceChildren(...(rows.length ? rows : [nothing]));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.activate(rows.length ? 0 : -1);
  }

  row(hit, index) {
    const present = this.viewer.cardOf(hit.unit) !== undefined;
    return element("li", {
      id: `hit-${index}`,
      role: "option",
      class: present ? "hit present" : "hit",
      "data-testid": "search-hit",
      "data-unit": hit.unit,
      onmousedown: (event) => event.preventDefault(),
      onclick: () => this.choose(index),
    },
      element("div", { class: "hit-name" },
        element("strong", {}, `${hit.statute} ${hit.label}`),
        hit.heading ? ` ${hit.heading}` : null,
        element("span", { class: "hit-note" }, present ? this.words.already_candidate : hit.tierName),
      ),
      element("div", { class: "snippet" }, hit.snippet),
    );
  }

  activate(index) {
    this.active = index;
    [...this.list.children].forEach((row, at) => {
      row.classList.toggle("active", at === index);
      if (row.getAttribute("role") === "option") row.setAttribute("aria-selected", String(at === index));
    });
    const row = this.list.children[index];
    if (row) {
      row.scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", row.id);
    } else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.hits.length && !this.list.hidden) {
      event.preventDefault();
      this.activate((this.active + step + this.hits.length) % this.hits.length);
    } else if (event.key === "Enter" && !this.list.hidden && this.active >= 0) {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.input.value = "";
      this.close();
      this.viewer.focusWork();
    }
  }

  choose(index) {
    const { unit } = this.hits[index];
    this.input.value = "";
    this.close();
    this.viewer.add(unit);
  }

  close() {
    clearTimeout(this.timer);
    this.hits = [];
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
