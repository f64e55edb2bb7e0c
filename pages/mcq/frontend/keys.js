// What runs for each key of this screen.

function mcqKeys(viewer) {
  return {
    option: (key) => viewer.digit(Number(key)),
    go_on: () => viewer.onward(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    edit: () => openFix(viewer),
    reason: () => viewer.askReason(),
    read: () => viewer.read("a"),
    read_other: () => viewer.read("b"),
  };
}
