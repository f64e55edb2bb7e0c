// What stands in the place of an item when nothing is left to do.

function finishedPane(viewer) {
  const { words, moving } = viewer;
  const undo = element(
    "button",
    { type: "button", class: "plain", "data-testid": "undo", title: words.undo_last, onclick: () => viewer.undo() },
    icon("undo"),
    words.undo,
    keyCap("z"),
  );
  return element(
    "section",
    { class: "finished", "data-testid": "finished" },
    element("h2", {}, moving.total ? words.finished : words.empty),
    element("p", {}, moving.total ? fill(words.finished_lead, { total: moving.total }) : words.empty_lead),
    moving.lastLeft ? undo : null,
  );
}
