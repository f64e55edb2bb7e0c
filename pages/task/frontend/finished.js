// What stands in the place of an item when nothing is left to do.

function finishedPane(viewer) {
  const { words, moving } = viewer;
  const takeBack = button({ "data-testid": "take-back", onclick: () => viewer.back.begin() },
    icon("undo"),
    words.take_back_last,
    keyCap(capOf("take_back")),
  );
  const { next } = moving;
  const named = next && (next.name ? fill(words.finished_next, next) : words.finished_home);
  const on = next && element("a", { class: "leads-on", href: next.href, target: "_self", "data-testid": "leads-on" }, named);
  return element("section", { class: "finished", "data-testid": "finished" },
    element("h2", {}, moving.total ? words.finished : words.empty),
    element("p", {}, moving.total ? fill(words.finished_lead, { total: moving.total, queue: capOf("queue"), take_back: capOf("take_back") }) : words.empty_lead),
    on ? element("p", {}, on) : null,
    moving.canTakeBack ? takeBack : null,
  );
}
