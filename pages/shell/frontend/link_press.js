// A link that is pressed while a field is being written in is followed once the field has handed over
// what it holds. A quick press would send the link first: the app would stay where it is, or lose the text.
const FIELD = "input, textarea";
const LINK = "[data-testid=stPageLink-NavLink]";
const HANDED_OVER_MS = 150;

export default function () {
  let writing = false;
  const press = () => { writing = Boolean(document.activeElement?.matches(FIELD)); };
  const follow = (event) => {
    const link = event.target instanceof Element && event.target.closest(LINK);
    if (!link || !writing || event.ctrlKey || event.metaKey || event.shiftKey) return;
    writing = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.activeElement.blur();
    const again = () => [link, ...document.querySelectorAll(LINK)].find((each) => each.isConnected && each.href === link.href);
    setTimeout(() => again()?.click(), HANDED_OVER_MS);
  };
  const gone = new AbortController();
  window.addEventListener("pointerdown", press, { capture: true, signal: gone.signal });
  window.addEventListener("click", follow, { capture: true, signal: gone.signal });
  return () => gone.abort();
}
