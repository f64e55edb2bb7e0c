// What runs for each key of a declared form; a screen has those that the map of keys gives it. A pane
// has keys of its own by screen, and an answer may be an action of the map.

const SCREEN_KEYS = {};

function declaredKeys(viewer) {
  const asked = Object.entries(viewer.form.fields).flatMap(([name, { options = [], action }]) => [
    ...options.filter(([, , , , own]) => own in KEY_MAP).map(([value, , , , own]) => [own, () => viewer.choose(name, value)]),
    ...(action ? [[action, () => viewer.steps.rows.get(name).input.focus()]] : []),
  ]);
  const fields = Object.values(viewer.form.fields);
  return {
    option: (key) => viewer.digit(Number(key)),
    go_on: () => viewer.onward(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    search: () => viewer.find(),
    edit: () => openAskedEdit(viewer),
    reason: () => viewer.write(),
    read: () => viewer.law.read(0),
    read_other: () => viewer.law.read(1),
    ...(fields.some(({ kind }) => kind === "spans") ? wordKeys(viewer) : {}),
    ...(fields.some(({ part }) => part) ? partKeys(viewer) : {}),
    ...Object.fromEntries(asked),
    ...SCREEN_KEYS[viewer.screen]?.(viewer),
  };
}

// Of a subject in parts, whose answers are gone over one by one
function partKeys(viewer) {
  return {
    group_next: () => movePart(viewer, 1),
    group_previous: () => movePart(viewer, -1),
    option_next: () => stepAnswer(viewer, 1),
    option_previous: () => stepAnswer(viewer, -1),
    none: () => chooseNone(viewer),
    accept: () => takeSuggestion(viewer),
  };
}

// Of texts in which words are marked
function wordKeys(viewer) {
  const choose = (how, by, kind) => (_key, { shiftKey }) => chooseWords(viewer, shiftKey ? "grow" : how, by, kind);
  return {
    option_next: choose("step", 1, "word"),
    option_previous: choose("step", -1, "word"),
    place_next: choose("step", 1, "sentence"),
    place_previous: choose("step", -1, "sentence"),
    group_next: choose("grow", 1, "sentence"),
    group_previous: choose("grow", -1, "sentence"),
    larger: choose("grow", 1, "letter"),
    smaller: choose("grow", -1, "letter"),
  };
}
