// The keyboard of the adjudication screen: a visible focus on one part of the case, which never leaves
// the browser, and keys that press what the page draws. The keys are those of the one map.

const PART = /st-key-(part-[\w-]+)/;
const MAIN = "[data-testid=stMain]";
const DECIDE = /st-key-case-decide__\d+/;
const MODIFIERS = ["Control", "Meta", "Shift", "Alt"];
const HANDED_OVER_MS = 150; // in which the app has what stood in a field that was left
const KEPT = 8; // pixels between the focused part and what stays in sight above and below it
const shownIn = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((each) => each.checkVisibility({ visibilityProperty: true }));

class CaseKeys {
  constructor(parent) {
    this.root = element("div", { class: "viewer case-keys", "data-testid": "case-keys" });
    parent.append(this.root);
    this.told = element("p", { class: "message calm", role: "status", hidden: true, "data-testid": "case-told" });
    this.root.append(this.told);
    this.part = null; // the name of the focused part
    this.typed = new CaseWords();
    this.missing = null; // the line that says that the reason is
    this.held = null; // the case, by the class of its button, whose decision waits for what was chosen
    this.guide = null;
    this.head = { root: this.root }; // where the guideline's button is
    this.gone = new AbortController(); // what listens stops with this part
    const early = { capture: true, signal: this.gone.signal };
    window.addEventListener("keydown", (event) => this.key(event), early);
    window.addEventListener("pointerdown", () => { this.held = null; }, early);
    this.drawn = new MutationObserver(() => this.redrawn());
    this.drawn.observe(document.querySelector(MAIN) || document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  }

  destroy() {
    this.gone.abort();
    this.drawn.disconnect();
    this.guide?.destroy();
    this.typed.destroy();
    this.root.remove();
  }

  receive(data) {
    useKeys(data.keys);
    this.words = data.words;
    this.task = data.task;
    this.keys = caseKeys(this);
    const open = button({ "data-testid": "open-keys", onclick: () => openKeys(this) }, this.words.keys, keyCap(capOf("help")));
    this.tools?.remove();
    this.talk = button({ "data-testid": "open-discussion", onclick: () => this.discuss() }, this.words.discussion);
    this.tools = element("div", { class: "tools" }, guideButton(this), this.talk, open);
    this.root.prepend(this.tools);
    this.guideline = data.guideline;
    this.guide = CaseGuide.of(this, data.task);
    const colours = getComputedStyle(this.root); // what the page outside draws takes the theme's, too
    for (const name of ["accent", "paper", "line", "doubt"]) {
      document.documentElement.style.setProperty(`--case-${name}`, colours.getPropertyValue(`--${name}`));
    }
    if (isNew(this.typed, data.dropped)) this.typed.drop(data.dropped); // the app may call again with the same
    this.redrawn();
  }

  // The app may have drawn a part anew.
  redrawn() {
    this.paint();
    if (this.held && this.press(`.${this.held} button`)) this.held = null;
    this.typed.drawn();
    this.miss();
    if (this.talk) this.talk.hidden = !this.thread();
  }

  // A reason that is missing takes the focus, and says why.
  miss() {
    const line = document.querySelector(".st-key-case-missing");
    if (line === this.missing) return;
    this.missing = line;
    const field = this.reason();
    if (!line) return field?.removeAttribute("aria-invalid");
    line.id = "case-missing";
    field?.setAttribute("aria-invalid", "true");
    field?.setAttribute("aria-describedby", line.id);
    field?.focus();
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
    this.guide?.paint(now ? clauseNames(now, this.guideline) : []);
  }

  // What the guideline asks of its viewer.
  codebook() {
    return this.guideline.asked;
  }

  focusWork() {
    this.focused().blur();
  }

  widened() {
    this.guide.fit();
    this.paint();
  }

  thread() {
    return shownIn('[class*="st-key-case-thread"] details')[0];
  }

  // To why the case was sent back, else to what was written about it, unfolded.
  discuss() {
    const thread = this.thread();
    if (!thread.open) thread.querySelector("summary").click();
    const place = shownIn(".st-key-case-rounds")[0] || thread;
    place.style.scrollMarginTop = `${60 + KEPT}px`; // below the app's own bar
    place.scrollIntoView();
    thread.querySelector("summary").focus({ preventScroll: true });
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

  withdraw() {
    if (!this.press(".st-key-case-undo button")) this.tell(this.words.withdraw_nothing);
  }

  // Why a key did nothing; until the next one.
  tell(words) {
    this.told.textContent = words;
    this.told.hidden = !words;
  }

  take(at) {
    const part = this.current();
    const own = part && shownIn('[class*="st-key-take-part-"] button', part);
    if (own?.length) own[at]?.click();
    else this.press(`.st-key-case-take-${at} button`);
  }

  // Whoever is quick decides before what they chose is drawn, when the button cannot be pressed yet: the
  // press is kept until it can, or until they do something else.
  hold() {
    const [place] = shownIn('[class*="st-key-case-decide"]');
    if (place?.querySelector("button:disabled")) [this.held] = DECIDE.exec(place.className);
  }

  reason() {
    return document.querySelector(".st-key-decision-bar textarea");
  }

  find() {
    if (!this.press('[class*="st-key-case-find"] button')) document.querySelector(".st-key-adjudication-cause input")?.focus();
  }

  // Where a reason is being written, the app has it first.
  sendBack(target) {
    if (target !== document.body) target.blur();
    setTimeout(() => this.press('[class*="st-key-case-back"] button'), isTyping(target) ? HANDED_OVER_MS : 0);
  }

  leave(target) {
    if (target !== document.body) target.blur();
    else if (this.part) this.focus(null);
  }

  key(event) {
    const target = event.composedPath()[0];
    if (!MODIFIERS.includes(event.key)) this.held = null;
    const elsewhere = document.querySelector("[role=dialog], [data-baseweb=popover]");
    if (event.isComposing || elsewhere || this.root.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.hold();
    const held = keyPressed(event);
    if (isHeld(held) && keysOf("send_back").includes(held)) { // printed on the button, where a reason is written
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!event.repeat) this.sendBack(target);
      return;
    }
    const box = target instanceof Element && target.matches("[type=radio], [type=checkbox]");
    const writes = isTyping(target) && !box;
    if (event.ctrlKey || event.metaKey || event.altKey || (writes && event.key !== "Escape")) return;
    const key = letterOf(event);
    if (this.guide?.scrolls(target, key)) return;
    const native = target instanceof Element && (box || target.matches("button, a, summary, [role=button], [role=tab], [role=radio]"));
    if (native && (key === "Enter" || key === " ")) return;
    const row = this.keys.find(({ keys }) => keys.includes(key));
    if (!row || (key.startsWith("Arrow") && !this.current() && target !== document.body)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.tell("");
    if (!event.repeat || STEPS.includes(row.action) || key.startsWith("Arrow")) row.run(key, target);
  }
}

// What runs for each key: those of one task alone name it in `only`, other words than usual `words`.
function caseKeys(at) {
  const mapping = ["citation_mapping"];
  const rating = ["answer_rating"];
  const nothing = () => at.press('[class*="st-key-case-none-"] input') || at.option(-1);
  const rows = [
    { action: "part_next", run: () => at.step(1) },
    { action: "part_previous", run: () => at.step(-1) },
    { action: "accept", only: mapping, run: () => at.tick(true) },
    { action: "reject", only: mapping, run: () => at.tick(false) },
    { action: "accept", only: rating, words: "correct", run: () => at.option(0) },
    { action: "reject", only: rating, words: "incorrect", run: () => at.option(1) },
    { action: "option", run: (key) => at.take(Number(key) - 1) },
    { action: "option_next", run: () => at.along(1) },
    { action: "option_previous", run: () => at.along(-1) },
    { action: "none", only: [...mapping, "factor_tagging"], run: nothing },
    { action: "go_on", only: mapping, run: () => at.press("summary", at.current()) },
    { action: "fold", run: () => at.press('[class*="st-key-case-agreed"] summary') },
    { action: "search", run: () => at.find() },
    { action: "reason", run: () => at.reason()?.focus() },
    { action: "undo", run: () => at.press(".st-key-case-undo-entry button") },
    { action: "take_back", run: () => at.withdraw() },
    { action: "submit", run: () => {} },
    { action: "send_back", run: (_key, target) => at.sendBack(target) },
    { action: "case_next", run: () => at.press(".st-key-adjudication-next button") },
    { action: "case_previous", run: () => at.press(".st-key-adjudication-previous button") },
    { action: "back", run: () => at.press(".st-key-adjudication-back button") },
    { action: "guideline", run: () => at.guide.toggle() },
    { action: "guideline_find", run: () => at.guide.search() },
    { action: "help", run: () => openKeys(at) },
    { action: "escape", run: (_key, target) => at.leave(target) },
  ];
  const here = rows.filter(({ only }) => !only || only.includes(at.task));
  return here.map(({ action, words, run }) => {
    const [row] = boundKeys("adjudication", { [action]: run });
    return words ? { ...row, words } : row;
  });
}

export default mounted((parent) => new CaseKeys(parent));
