// What runs for each key of a declared form; a screen has those that the map of keys gives it.

function declaredKeys(viewer) {
  return {
    option: (key) => viewer.digit(Number(key)),
    go_on: () => viewer.onward(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    search: () => viewer.find(),
    edit: () => openAskedEdit(viewer),
    reason: () => viewer.write(),
    group_next: () => movePart(viewer, 1),
    group_previous: () => movePart(viewer, -1),
    option_next: () => stepAnswer(viewer, 1),
    option_previous: () => stepAnswer(viewer, -1),
    none: () => chooseNone(viewer),
    accept: () => takeSuggestion(viewer),
    read: () => viewer.law.read(0),
    read_other: () => viewer.law.read(1),
  };
}
