// The command palette. Ctrl+K (⌘K on a Mac, where Ctrl+K is a key of text fields) or the button opens
// it over any screen; the server finds what the text names. It stands in the page itself, so that the
// screens below see an open dialog and leave its keys alone.

const ASK_AFTER_MS = 120; // without another letter
const NARROW = 768; // pixels, where the sidebar lies over the page
const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export default mounted((parent) => new Palette(parent));

class Palette {
  constructor(parent) {
    this.cap = MAC ? "⌘K" : capOf("palette").replace(" k", "+K");
    this.openLabel = element("span", {});
    this.button = button(
      { class: "palette-open", "aria-haspopup": "dialog", "aria-keyshortcuts": MAC ? "Meta+K" : ariaKeys("palette"), onclick: () => this.open() },
      icon("search"),
      this.openLabel,
      keyCap(this.cap),
    );
    this.field = element("input", {
      type: "text",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      "aria-autocomplete": "list",
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      oninput: () => this.typed(),
    });
    this.list = element("div", { role: "listbox", id: "palette-list", class: "palette-list" });
    this.status = element("p", { role: "status", class: "palette-status" });
    this.shut = button({ class: "palette-shut", onclick: () => this.dialog.close() }, icon("cross"));
    this.hint = element("p", { class: "palette-hint", "aria-hidden": "true" });
    this.dialog = element(
      "dialog",
      { class: "palette", "data-testid": "palette", "data-no-focus-lock": "true", onkeydown: (event) => this.key(event) },
      element("div", { class: "palette-head" }, icon("search"), this.field, this.shut),
      this.list,
      element("div", { class: "palette-foot" }, this.status, this.hint),
    );
    this.dialog.addEventListener("close", () => this.dialog.removeAttribute("role"));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    parent.append(this.button, this.dialog);
    this.gone = new AbortController();
    window.addEventListener("keydown", (event) => this.shortcut(event), { capture: true, signal: this.gone.signal });
  }

  destroy() {
    clearTimeout(this.wait);
    this.gone.abort();
  }

  receive(data, send) {
    this.data = data;
    this.send = send;
    const { words } = data;
    this.openLabel.textContent = words.open;
    this.hint.textContent = words.keys;
    this.field.placeholder = words.hint;
    this.field.maxLength = data.most;
    for (const [part, said] of [[this.dialog, words.title], [this.field, words.title], [this.list, words.title], [this.shut, words.close]])
      part.setAttribute("aria-label", said);
    if (!this.dialog.open) return;
    if (data.found?.text === this.field.value) this.show(data.found.text, data.found.hits);
  }

  shortcut(event) {
    const letter = event.key.toLowerCase() === "k" || (event.code === "KeyK" && !/^[a-z]$/i.test(event.key));
    if (!letter || event.isComposing || event.altKey || event.shiftKey) return;
    if (MAC ? !event.metaKey || event.ctrlKey : !event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return;
    if (this.dialog.open) this.dialog.close();
    else this.open();
  }

  open() {
    this.field.value = "";
    this.dialog.setAttribute("role", "dialog"); // by which the screens below know it
    this.dialog.showModal();
    this.show("", this.data.places);
    this.field.focus();
  }

  typed() {
    clearTimeout(this.wait);
    this.enter = false;
    if (!this.field.value.trim()) this.show(this.field.value, this.data.places);
    else this.wait = setTimeout(() => this.send("asked", this.field.value), ASK_AFTER_MS);
  }

  // `text` is what the hits are of: while another one is on its way, they stay.
  show(text, hits) {
    const { words } = this.data;
    this.text = this.dialog.dataset.found = text;
    this.options = [];
    const groups = [];
    for (const [at, [kind, title, detail]] of hits.entries()) {
      if (kind !== hits[at - 1]?.[0]) {
        const head = element("div", { class: "palette-kind", role: "presentation", id: `palette-${kind}` }, words[kind]);
        groups.push(element("div", { role: "group", "aria-labelledby": head.id }, head));
      }
      const said = [element("span", { class: "palette-name" }, title), detail ? element("span", { class: "palette-beside" }, detail) : null];
      const option = element(
        "div",
        { role: "option", id: `palette-option-${at}`, "aria-selected": "false", title, onclick: () => this.choose(at), onpointermove: () => this.mark(at) },
        said,
      );
      this.options.push(option);
      groups.at(-1).append(option);
    }
    this.list.replaceChildren(...groups);
    this.list.scrollTop = 0;
    this.list.hidden = !hits.length;
    announce(this.status, hits.length ? fill(words.count, { count: hits.length }) : words.none);
    this.mark(0);
    if (this.enter && hits.length) this.choose(0);
    this.enter = false;
  }

  mark(at) {
    this.options[this.at]?.setAttribute("aria-selected", "false");
    this.at = at;
    const option = this.options[at];
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
    option?.setAttribute("aria-selected", "true");
  }

  key(event) {
    event.stopPropagation(); // the app has keys of its own
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const count = this.options.length;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step && count) {
      event.preventDefault();
      const once = Math.abs(step) === 1;
      this.mark(once ? (this.at + step + count) % count : Math.max(0, Math.min(count - 1, this.at + step)));
      this.options[this.at].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && event.target === this.field) {
      event.preventDefault();
      if (this.text === this.field.value) this.choose(this.at);
      else this.enter = true; // what is on its way is chosen when it comes
    }
  }

  choose(at) {
    if (!this.options[at]) return;
    this.send("chosen", [this.text, at]);
    this.dialog.close();
    if (window.innerWidth < NARROW) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }
}
