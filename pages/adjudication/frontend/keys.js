// The keyboard of the adjudication screen: a visible focus on one part of the case, which never leaves
// the browser, and keys that press what the page draws. Letters are those of the tasks' frame.

const PART = /st-key-(part-[\w-]+)/;
const MAIN = "[data-testid=stMain]";
const KEPT = 8; // pixels between the focused part and what stays in sight above and below it
const shownIn = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((each) => each.checkVisibility({ visibilityProperty: true }));

class CaseKeys {
  constructor(parent) {
    this.root = element("div", { class: "viewer case-keys", "data-testid": "case-keys" });
    parent.append(this.root);
    this.part = null; // the name of the focused part
    this.listener = (event) => this.key(event);
    window.addEventListener("keydown", this.listener, true);
    this.drawn = new MutationObserver(() => this.paint()); // the app may draw a part anew
    this.drawn.observe(document.querySelector(MAIN) || document.body, { childList: true, subtree: true });
  }

  destroy() {
    window.removeEventListener("keydown", this.listener, true);
    this.drawn.disconnect();
    this.root.remove();
  }

  receive(data) {
    this.words = data.words;
    this.keys = caseKeys(this).filter(({ only }) => !only || only.includes(data.task));
    const open = element("button", { type: "button", class: "plain", "data-testid": "open-keys", onclick: () => openKeys(this) }, this.words.keys, keyCap("?"));
    this.root.querySelector("button.plain")?.remove();
    this.root.prepend(open);
    const colours = getComputedStyle(this.root); // what the page outside draws takes the theme's, too
    for (const name of ["accent", "paper", "line", "doubt"]) {
      document.documentElement.style.setProperty(`--case-${name}`, colours.getPropertyValue(`--${name}`));
    }
    this.paint();
  }

  focused() {
    return this.root.getRootNode().activeElement || document.activeElement;
  }

  parts() {
    return shownIn('[class*="st-key-part-"]');
  }

  nameOf(part) {
    return PART.exec(part.className)[1];
  }

  current() {
    return this.parts().find((each) => this.nameOf(each) === this.part);
  }

  paint() {
    const now = this.current();
    for (const each of document.querySelectorAll("[data-focused]")) if (each !== now) delete each.dataset.focused;
    if (now && !("focused" in now.dataset)) now.dataset.focused = "";
  }

  step(by) {
    const parts = this.parts();
    if (!parts.length) return;
    const at = parts.indexOf(this.current());
    this.focus(parts[at < 0 ? (by > 0 ? 0 : parts.length - 1) : Math.max(0, Math.min(at + by, parts.length - 1))]);
  }

  focus(part) {
    this.part = part && this.nameOf(part);
    this.paint();
    if (document.activeElement !== document.body) document.activeElement.blur();
    const main = part?.closest(MAIN);
    const bar = document.querySelector(".st-key-decision-bar");
    if (!main) return;
    const top = main.getBoundingClientRect().top + 60 + KEPT; // below the app's own bar
    const bottom = (bar || main).getBoundingClientRect()[bar ? "top" : "bottom"] - KEPT;
    const box = part.getBoundingClientRect();
    if (box.top < top || box.height > bottom - top) main.scrollBy(0, box.top - top);
    else if (box.bottom > bottom) main.scrollBy(0, box.bottom - bottom);
  }

  // Press what is drawn under a key; in the focused part where it has it.
  press(selector, within = document) {
    const found = shownIn(selector, within).find((each) => !each.disabled);
    found?.click();
    return found;
  }

  tick(wanted) {
    const box = this.current()?.querySelector('input[type="checkbox"]:not(:disabled)');
    if (box && box.checked !== wanted) box.click();
  }

  option(at) {
    const part = this.current() || this.parts().find((each) => this.options(each).length);
    if (!part) return;
    if (part !== this.current()) this.focus(part);
    this.options(part).at(at)?.click();
  }

  options(part) {
    return shownIn('[data-testid="stButtonGroup"] button, [role="radiogroup"] input', part);
  }

  // On to the next option, which Enter takes.
  along(by) {
    const part = this.current();
    if (!part) return;
    const options = this.options(part);
    if (!options.length) return;
    const at = options.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : options.length - 1) : (at + by + options.length) % options.length;
    options[next].focus();
  }

  take(at) {
    const part = this.current();
    const own = part && shownIn('[class*="st-key-take-part-"] button', part);
    if (own?.length) own[at]?.click();
    else this.press(`.st-key-case-take-${at} button`);
  }

  write() {
    const field = document.querySelector(".st-key-decision-bar textarea");
    field?.focus();
  }

  find() {
    if (!this.press('[class*="st-key-case-find"] button')) document.querySelector(".st-key-adjudication-cause input")?.focus();
  }

  leave(target) {
    if (target !== document.body) target.blur();
    else if (this.part) this.focus(null);
  }

  key(event) {
    const target = event.composedPath()[0];
    const elsewhere = document.querySelector("[role=dialog], [data-baseweb=popover]");
    if (event.isComposing || elsewhere || this.root.querySelector("dialog[open]")) return;
    const box = target instanceof Element && target.matches("[type=radio], [type=checkbox]");
    const writes = isTyping(target) && !box;
    if (event.ctrlKey || event.metaKey || event.altKey || (writes && event.key !== "Escape")) return;
    const key = letterOf(event);
    const native = target instanceof Element && (box || target.matches("button, a, summary, [role=button], [role=tab], [role=radio]"));
    if (native && (key === "Enter" || key === " ")) return;
    const row = this.keys.find(({ keys }) => keys.includes(key));
    if (!row || (key.startsWith("Arrow") && !this.current() && target !== document.body)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat || ["j", "k"].includes(key) || key.startsWith("Arrow")) row.run(target);
  }
}

// What the keys do: those of one task alone name it in `only`.
function caseKeys(at) {
  const mapping = ["citation_mapping"];
  const rating = ["answer_rating"];
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
    keys: [String(number)],
    caps: number === 1 ? ["1 … 9"] : [],
    words: "take",
    run: () => at.take(number - 1),
  }));
  const nothing = () => at.press('[class*="st-key-case-none-"] input') || at.option(-1);
  return [
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "part_next", run: () => at.step(1) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "part_previous", run: () => at.step(-1) },
    { keys: ["a"], caps: ["a"], words: "accept", only: mapping, run: () => at.tick(true) },
    { keys: ["r"], caps: ["r"], words: "reject", only: mapping, run: () => at.tick(false) },
    { keys: ["a"], caps: ["a"], words: "correct", only: rating, run: () => at.option(0) },
    { keys: ["r"], caps: ["r"], words: "incorrect", only: rating, run: () => at.option(1) },
    ...digits,
    { keys: ["ArrowRight"], caps: ["→", "←"], words: "option", run: () => at.along(1) },
    { keys: ["ArrowLeft"], caps: [], words: "option", run: () => at.along(-1) },
    { keys: ["x"], caps: ["x"], words: "none", only: [...mapping, "factor_tagging"], run: nothing },
    { keys: ["Enter", " "], caps: ["↵", "␣"], words: "text", only: mapping, run: () => at.press("summary", at.current()) },
    { keys: ["o"], caps: ["o"], words: "agreed", run: () => at.press('[class*="st-key-case-agreed"] summary') },
    { keys: ["/"], caps: ["/"], words: "find", run: () => at.find() },
    { keys: ["c"], caps: ["c"], words: "reason", run: () => at.write() },
    { keys: ["z"], caps: ["z"], words: "undo", run: () => at.press(".st-key-case-undo-entry button") },
    { keys: ["Z"], caps: ["⇧ z"], words: "withdraw", run: () => at.press(".st-key-case-undo button") },
    { keys: [], caps: ["Ctrl ↵"], words: "decide", run: () => {} },
    { keys: [], caps: ["Ctrl b"], words: "send_back", run: () => {} },
    { keys: ["n"], caps: ["n"], words: "next", run: () => at.press(".st-key-adjudication-next button") },
    { keys: ["p"], caps: ["p"], words: "previous", run: () => at.press(".st-key-adjudication-previous button") },
    { keys: ["q"], caps: ["q"], words: "back", run: () => at.press(".st-key-adjudication-back button") },
    { keys: ["?"], caps: ["?"], words: "help", run: () => openKeys(at) },
    { keys: ["Escape"], caps: ["Esc"], words: "escape", run: (target) => at.leave(target) },
  ];
}

export default mounted((parent) => new CaseKeys(parent));
