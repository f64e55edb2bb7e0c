// What runs for each key of a declared form; a screen has those that the map of keys gives it.

const WORD_KEYS = ["option_next", "option_previous", "place_next", "place_previous", "group_next", "group_previous", "larger", "smaller"]; // of texts in which words are marked

function declaredKeys(viewer) {
  const choose = (how, by, kind) => (_key, { shiftKey }) => chooseWords(viewer, shiftKey ? "grow" : how, by, kind);
  return {
    option: (key) => viewer.digit(Number(key)),
    go_on: () => viewer.onward(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    option_next: choose("step", 1, "word"),
    option_previous: choose("step", -1, "word"),
    place_next: choose("step", 1, "sentence"),
    place_previous: choose("step", -1, "sentence"),
    group_next: choose("grow", 1, "sentence"),
    group_previous: choose("grow", -1, "sentence"),
    larger: choose("grow", 1, "letter"),
    smaller: choose("grow", -1, "letter"),
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
