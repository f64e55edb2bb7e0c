// Takes Ctrl+Enter from a radio button and presses it on the page, where shortcuts are listened for.
export default function () {
  const pass = (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    if (key !== "Enter" || !(ctrlKey || metaKey)) return;
    if (!(target instanceof HTMLInputElement) || target.type !== "radio") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const init = { key, code: "Enter", ctrlKey, metaKey, bubbles: true, cancelable: true };
    for (const kind of ["keydown", "keyup"]) document.body.dispatchEvent(new KeyboardEvent(kind, init));
  };
  window.addEventListener("keydown", pass, true);
  return () => window.removeEventListener("keydown", pass, true);
}
