// What runs for each key of a declared form; a screen has those that the map of keys gives it. A pane
// has keys of its own by screen, and an answer may be an action of the map.

const SCREEN_KEYS = {};

function declaredKeys(viewer) {
  const asked = Object.entries(viewer.form.fields).flatMap(([name, { options = [], action }]) => [
    ...options.filter(([, , , , own]) => own in KEY_MAP).map(([value, , , , own]) => [own, () => viewer.choose(name, value)]),
    ...(action ? [[action, () => viewer.steps.rows.get(name).input.focus()]] : []),
  ]);
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
    ...Object.fromEntries(asked),
    ...SCREEN_KEYS[viewer.screen]?.(viewer),
  };
}
