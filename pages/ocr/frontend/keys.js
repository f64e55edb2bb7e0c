// What runs for each key on the page of an image.

const FITS = ["width", "page", "block"]; // that the digits choose

function ocrKeys(viewer) {
  const here = (run) => () => !viewer.fixed.finished && run(viewer.editor.current());
  const image = (run) => (key) => viewer.pane && run(viewer.pane, key);
  const write = here((card) => card && card.write(0));
  const inTable = () => {}; // a table hears these itself
  return {
    part_next: here(() => viewer.editor.step(1)),
    part_previous: here(() => viewer.editor.step(-1)),
    go_on: write,
    edit: write,
    doubt_next: here(() => viewer.doubts.step(1)),
    doubt_previous: here(() => viewer.doubts.step(-1)),
    doubt_right: here(() => viewer.editor.right()),
    accept: here((card) => viewer.editor.confirm(card)),
    add_below: here((card) => viewer.editor.insert(card || null, 1)),
    add_above: here((card) => viewer.editor.insert(card || null, 0)),
    remove: here((card) => viewer.editor.remove(card)),
    kind: here((card) => card && !viewer.editor.locked() && card.chooseKind()),
    move_down: here((card) => viewer.editor.move(card, 1)),
    move_up: here((card) => viewer.editor.move(card, -1)),
    differences: here(() => viewer.compare()),
    region: image((shown) => shown.region.toggle()),
    read: image((shown) => shown.stage.focus()),
    larger: image((shown) => shown.zoom(ZOOM_STEP)),
    smaller: image((shown) => shown.zoom(1 / ZOOM_STEP)),
    option: image((shown, key) => FITS[key - 1] && shown.fit(FITS[key - 1])),
    rotate: image((shown) => shown.rotate(90)),
    tilt_left: image((shown) => shown.rotate(-0.5)),
    tilt_right: image((shown) => shown.rotate(0.5)),
    merge: inTable,
    split: inTable,
    column_after: inTable,
    column_before: inTable,
    row_gone: inTable,
    column_gone: inTable,
    send_back: () => viewer.askSendBack(),
  };
}

// What the list of keys tells besides: keys of a text that is written, and of the cells of a table.
const WRITING_ROWS = [
  { keys: [], caps: ["↵", "⇧ ↵"], words: "key_cut" },
  { keys: [], caps: ["↑↓←→"], words: "key_cells" },
  { keys: [], caps: ["⇥"], words: "key_next_cell" },
  { keys: [], caps: ["⇧ ↑↓←→"], words: "key_select" },
];
