// Takes Ctrl+Enter from a choice and presses it on the page, where shortcuts are listened for;
// and presses the button that lists the keys for "?", which no shortcut of a button can be.
const HELP = ".st-key-keys-help button";
const WRITES = "input:not([type=radio]):not([type=checkbox]), textarea, [contenteditable=true]";
const CHOICES = 'input[type="radio"], [data-testid="stButtonGroup"] button';

export default function () {
  const pass = (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    const writes = target instanceof Element && target.matches(WRITES);
    if (key === "?" && !writes) document.querySelector(HELP)?.click();
    if (key !== "Enter" || !(ctrlKey || metaKey)) return;
    if (!(target instanceof Element) || !target.matches(CHOICES)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const init = { key, code: "Enter", ctrlKey, metaKey, bubbles: true, cancelable: true };
    for (const kind of ["keydown", "keyup"]) document.body.dispatchEvent(new KeyboardEvent(kind, init));
  };
  window.addEventListener("keydown", pass, true);
  return () => window.removeEventListener("keydown", pass, true);
}
