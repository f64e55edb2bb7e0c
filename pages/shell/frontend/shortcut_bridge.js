// Takes Ctrl+Enter from a choice and presses it on the page, where shortcuts are listened for.
const CHOICES = 'input[type="radio"], [data-testid="stButtonGroup"] button';

export default function () {
  const pass = (event) => {
    const { key, ctrlKey, metaKey, target } = event;
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
