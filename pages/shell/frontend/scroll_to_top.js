// Scrolls the page to its top whenever what it shows is called something else than before.
const shown = new WeakMap();

export default function ({ data, parentElement }) {
  const before = shown.get(parentElement);
  shown.set(parentElement, data.shown);
  if (before === undefined || before === data.shown) return;
  const host = parentElement.host || parentElement;
  host.closest(".stMain")?.scrollTo({ top: 0 });
}
