// What runs for each key of this screen.

function curationKeys(viewer) {
  return {
    option: (key) => viewer.digit(Number(key)),
    go_on: () => viewer.onward(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    search: () => viewer.find(),
    edit: () => openEdit(viewer),
    reason: () => viewer.askReason(),
    read: () => viewer.law.read(),
  };
}
