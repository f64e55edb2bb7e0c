// The address names the open item, so that a reload or a link opens it again. It is replaced, not
// added to: Back leaves the screen instead of stepping through every item that was open.

function nameInAddress(viewer) {
  if (window.location.pathname !== viewer.path) return; // another screen is on its way
  const url = new URL(window.location.href);
  const item = viewer.moving.item;
  if (String(item ?? "") === (url.searchParams.get("item") ?? "")) return;
  if (item) url.searchParams.set("item", item);
  else url.searchParams.delete("item");
  window.history.replaceState(window.history.state, "", url);
}
