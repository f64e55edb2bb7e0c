// What is typed on a case, or as the answer to a request, is kept in this tab from the first letter. It is
// there again when the page was loaded anew, until the case is decided or sent back. The app is told
// when a field is left, and keeps it with all else that is entered on the case.

const WORDS_OF = /st-key-((?:case-\d+-\d+|request-\d+)-[\w-]+?)(?:__\d+)?(?:\s|$)/; // without the number of a field made anew
const DRAWN_MS = 100; // without a change, after which fields say what the server has
const ACTS = ["input", "pointerdown", "keydown", "focusout", "pagehide"]; // by then something may have been written or undone
const wordsSeen = new Set(); // names of fields, as long as this page stays
const wordsPlace = (name) => `touchstone-${name}`;

class CaseWords {
  constructor() {
    this.fields = new Map(); // by name: the field, and what it `was` before somebody wrote in it
    this.timer = null;
    this.gone = new AbortController();
    for (const act of ACTS) window.addEventListener(act, (event) => this.keep(event), { capture: true, signal: this.gone.signal });
  }

  destroy() {
    clearTimeout(this.timer);
    this.gone.abort();
  }

  keep({ type, target }) {
    for (const [name, field] of this.fields) {
      const { input, was } = field;
      const text = input.value;
      if (type === "focusout" && target === input) field.told = text;
      if (input.isConnected) keepHere(wordsPlace(name), text === was ? "" : JSON.stringify({ text, was, told: field.told }));
    }
  }

  // The page was drawn: look once it stands still.
  drawn() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), DRAWN_MS);
  }

  look() {
    const shown = document.querySelectorAll('[class*="st-key-case-"] :is(textarea, input[type=text]), [class*="st-key-request-"] input[type=text]');
    for (const input of shown) {
      const [, name] = WORDS_OF.exec(input.closest('[class*="st-key-"]').className) || [];
      if (name && this.fields.get(name)?.input !== input) this.meet(name, input);
    }
  }

  meet(name, input) {
    const kept = JSON.parse(keptHere(wordsPlace(name)) || "null");
    const first = !wordsSeen.has(name);
    wordsSeen.add(name);
    const same = !kept || !input.value || [kept.was, kept.text, kept.told].includes(input.value);
    const stale = first && !same; // another decision stands there now
    const before = kept || this.fields.get(name); // of the field that this one is made anew from
    this.fields.set(name, { input, was: before && !stale ? before.was : input.value, told: kept?.told });
    if (stale) keepHere(wordsPlace(name), "");
    else if (kept && first && kept.text !== input.value) writeInto(input, kept.text);
  }

  // These cases are decided, sent back or withdrawn.
  drop(cases) {
    for (const name of [...this.fields.keys()]) if (cases.some((each) => name.startsWith(`${each}-`))) this.fields.delete(name);
    for (const each of cases) dropAllHere(wordsPlace(`${each}-`));
  }
}

// As if the person had written it and gone on, which is when the app takes it.
function writeInto(input, text) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value").set.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  setTimeout(() => input.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
}
