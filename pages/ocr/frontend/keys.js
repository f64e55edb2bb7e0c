// What the keys do on the page of an image.

function ocrKeys(viewer) {
  const here = (run) => () => !viewer.fixed.finished && run(viewer.editor.current());
  const image = (run) => () => viewer.pane && run(viewer.pane);
  return [
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "key_next", run: here(() => viewer.editor.step(1)) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "key_previous", run: here(() => viewer.editor.step(-1)) },
    { keys: ["Enter", "e"], caps: ["↵", "e"], words: "key_write", run: here((card) => card && card.write(0)) },
    { keys: [], caps: ["Alt n", "Alt ↓"], words: "key_next_doubt", run: () => {} }, // heard in doubts.js, also while writing
    { keys: [], caps: ["Alt p", "Alt ↑"], words: "key_previous_doubt", run: () => {} },
    { keys: [], caps: ["Alt ↵"], words: "key_right", run: () => {} },
    { keys: ["x"], caps: ["x"], words: "key_confirm", run: here((card) => viewer.editor.confirm(card)) },
    { keys: ["o"], caps: ["o"], words: "key_insert", run: here((card) => viewer.editor.insert(card || null, 1)) },
    { keys: ["O"], caps: ["⇧ o"], words: "key_insert_before", run: here((card) => viewer.editor.insert(card || null, 0)) },
    { keys: ["Delete", "Backspace"], caps: ["Del"], words: "key_remove", run: here((card) => viewer.editor.remove(card)) },
    { keys: ["b"], caps: ["b"], words: "key_kind", run: here((card) => viewer.editor.setKind(card, 1)) },
    { keys: ["J"], caps: ["⇧ j"], words: "key_down", run: here((card) => viewer.editor.move(card, 1)) },
    { keys: ["K"], caps: ["⇧ k"], words: "key_up", run: here((card) => viewer.editor.move(card, -1)) },
    { keys: [], caps: ["↵", "⇧ ↵"], words: "key_cut", run: () => {} },
    { keys: ["d"], caps: ["d"], words: "key_diff", run: here(() => viewer.compare()) },
    { keys: ["v"], caps: ["v"], words: "key_region", run: image((shown) => shown.region.toggle()) },
    { keys: ["i"], caps: ["i"], words: "key_image", run: image((shown) => shown.stage.focus()) },
    { keys: ["+", "="], caps: ["+"], words: "zoom_in", run: image((shown) => shown.zoom(ZOOM_STEP)) },
    { keys: ["-"], caps: ["-"], words: "zoom_out", run: image((shown) => shown.zoom(1 / ZOOM_STEP)) },
    { keys: ["0"], caps: ["0"], words: "fit_width", run: image((shown) => shown.fit("width")) },
    { keys: ["9"], caps: ["9"], words: "fit_page", run: image((shown) => shown.fit("page")) },
    { keys: ["8"], caps: ["8"], words: "fit_block", run: image((shown) => shown.fit("block")) },
    { keys: ["r"], caps: ["r"], words: "rotate", run: image((shown) => shown.rotate(90)) },
    { keys: [","], caps: [","], words: "tilt_left", run: image((shown) => shown.rotate(-0.5)) },
    { keys: ["."], caps: ["."], words: "tilt_right", run: image((shown) => shown.rotate(0.5)) },
    ...TABLE_ROWS,
    { keys: ["S"], get caps() { return viewer.fixed.verifying ? ["⇧ s"] : []; }, words: "key_send_back", run: () => viewer.askSendBack() },
  ];
}

// What the overlay says of the keys in a table, which hears them itself.
const TABLE_ROWS = [
  { keys: [], caps: ["⇧ ↑↓←→"], words: "key_select" },
  { keys: [], caps: ["m", "u"], words: "key_merge" },
  { keys: [], caps: ["n", "⇧ n"], words: "key_rows" },
  { keys: [], caps: ["l", "⇧ l"], words: "key_columns" },
  { keys: [], caps: ["⇧ r", "⇧ c"], words: "key_lines_gone" },
];
