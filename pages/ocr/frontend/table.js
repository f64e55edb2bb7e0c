// A table to correct: cells under a cursor that goes with the arrows, one text box for the cell that
// is being written, and rows, columns and merged cells to add, take away, join and part. Tab goes
// through the table by one stop; while a cell is written, to the next cell.

const GRID_KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "F2", "Delete", "Backspace", "Home", "End"];
const GRID_ACTIONS = { // that change the table
  merge: (editor) => editor.merge(),
  split: (editor) => editor.split(),
  add_below: (editor) => editor.add("row", 1),
  add_above: (editor) => editor.add("row", 0),
  column_after: (editor) => editor.add("column", 1),
  column_before: (editor) => editor.add("column", 0),
  row_gone: (editor) => editor.remove("row"),
  column_gone: (editor) => editor.remove("column"),
};

class TableEditor {
  // `changed(table)` is told of every edit; `leave(by, writing)` of a cursor that goes out of the table.
  constructor(viewer, table, { changed, focused, leave }) {
    Object.assign(this, { viewer, table, changed, focused, leave });
    this.at = [0, 0];
    this.anchor = null;
    this.locked = false;
    this.field = null;
    this.body = element("tbody", {});
    this.grid = element("table", { class: "grid", role: "grid", "data-testid": "grid", onkeydown: (event) => this.keyed(event) }, this.body);
    this.root = element("div", { class: "table-editor" }, element("div", { class: "grid-frame" }, this.grid), tableTools(this));
    this.draw();
  }

  set(table) {
    this.table = table;
    this.field = null;
    this.at = [Math.min(this.at[0], table.rows - 1), Math.min(this.at[1], table.columns - 1)];
    this.draw();
  }

  draw() {
    this.nodes = new Map();
    const grid = gridOf(this.table);
    const rows = grid.map((row, at) => {
      const own = row.filter((cell, place) => cell.row === at && row.indexOf(cell) === place);
      return element("tr", {}, own.map((cell) => this.cellNode(cell)));
    });
    this.body.replaceChildren(...rows);
    this.paintCursor();
  }

  cellNode(cell) {
    const node = element("td", {
      rowspan: cell.row_span,
      colspan: cell.column_span,
      tabindex: "-1",
      role: "gridcell",
      "data-testid": "cell",
      onmousedown: (event) => this.pressed(event, cell),
      ondblclick: (event) => this.field || this.write(...wordAt(node, this.cell().text, [event.clientX, event.clientY])),
      onfocus: () => this.focused(),
    });
    this.nodes.set(cell, node);
    this.fillNode(cell, node);
    return node;
  }

  fillNode(cell, node) {
    const other = this.compared?.cells.find(({ row, column }) => row === cell.row && column === cell.column);
    const base = this.compared && (other?.text ?? ""); // what the cell said
    const changed = base !== null && base !== undefined && base !== cell.text;
    node.replaceChildren(...(changed ? diffNodes(base, cell.text) : doubtNodes(cell.text, cell.doubt)));
    node.classList.toggle("changed", changed);
  }

  // Show what changed since another table; null shows the cells as they are.
  compare(table) {
    if (this.compared === table) return;
    this.compared = table;
    this.nodes.forEach((node, cell) => this.field?.cell === cell || this.fillNode(cell, node));
  }

  cell() {
    return gridOf(this.table)[this.at[0]][this.at[1]];
  }

  selection() {
    return rectangle(this.table, this.anchor || this.at, this.at);
  }

  paintCursor() {
    const chosen = new Set(cellsIn(gridOf(this.table), this.selection()));
    const here = this.cell();
    this.nodes.forEach((node, cell) => {
      node.classList.toggle("here", cell === here);
      node.classList.toggle("chosen", Boolean(this.anchor) && chosen.has(cell));
      node.tabIndex = cell === here ? 0 : -1;
    });
  }

  focus() {
    const node = this.nodes.get(this.cell());
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  goTo(place, extend) {
    this.stop();
    if (extend) this.anchor = this.anchor || this.at;
    else this.anchor = null;
    this.at = place;
    this.paintCursor();
    this.focus();
  }

  pressed(event, cell) {
    if (this.field?.cell === cell) return;
    event.preventDefault();
    this.goTo([cell.row, cell.column], event.shiftKey);
  }

  // The place one step from the edge of the cell at the cursor; null outside of the table.
  beside(down, right) {
    const cell = this.cell();
    const row = down > 0 ? cell.row + cell.row_span : down < 0 ? cell.row - 1 : this.at[0];
    const column = right > 0 ? cell.column + cell.column_span : right < 0 ? cell.column - 1 : this.at[1];
    return row >= 0 && row < this.table.rows && column >= 0 && column < this.table.columns ? [row, column] : null;
  }

  // Out of the table by up and down.
  step(down, right, extend) {
    const place = this.beside(down, right);
    if (place) this.goTo(place, extend);
    else if (down && !extend) this.leave(down, false);
  }

  keyed(event) {
    if (this.field) return;
    const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const key = letterOf(event);
    const runs = {
      Enter: () => this.write(),
      F2: () => this.write(),
      Home: () => this.goTo([this.at[0], 0], event.shiftKey),
      End: () => this.goTo([this.at[0], this.table.columns - 1], event.shiftKey),
      ...Object.fromEntries(Object.entries(GRID_ACTIONS).map(([action, run]) => [keysOf(action)[0], () => run(this)])),
      Delete: () => this.clear(),
      Backspace: () => this.clear(),
    };
    if (arrows[key]) runs[key] = () => this.step(...arrows[key], event.shiftKey);
    if (event.ctrlKey || event.metaKey || event.altKey || !runs[key]) return;
    event.preventDefault();
    runs[key]();
  }

  // Write in the cell at the cursor.
  write(start, end) {
    if (this.locked || this.field) return;
    const cell = this.cell();
    const field = new Field({
      label: fill(this.viewer.words.cell, { row: cell.row + 1, column: cell.column + 1 }),
      name: "cell-text",
      changed: (text, doubt) => this.put(text, doubt),
      keyed: (event) => this.written(event),
      focused: this.focused,
      moved: () => this.viewer.pointAt(field),
      settles: () => this.viewer.doubts.settles(),
    });
    field.cell = cell;
    field.set(cell.text, cell.doubt);
    field.box.addEventListener("blur", () => this.field === field && this.stop());
    this.field = field;
    this.nodes.get(cell).replaceChildren(field.root);
    if (start === undefined) field.focus(0, cell.text.length);
    else field.focus(start, end);
    field.look(field.doubtHere());
  }

  put(text, doubt) {
    const { cell } = this.field;
    const kept = { ...cell, text, doubt };
    const node = this.nodes.get(cell);
    this.nodes.delete(cell);
    this.nodes.set(kept, node);
    this.field.cell = kept;
    this.table = { ...this.table, cells: this.table.cells.map((each) => (each === cell ? kept : each)) };
    this.changed(this.table);
  }

  written(event) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const run = (event.shiftKey ? { Tab: () => this.writeNext(-1) } : this.writingKeys())[event.key];
    if (!run || run() === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Beyond either end of the text the arrows go on to the cell there, as in a text that is one piece.
  writingKeys() {
    const { selectionStart, selectionEnd } = this.field.box;
    const runs = { Tab: () => this.writeNext(1), Enter: () => this.step(1, 0, false) };
    if (selectionEnd === 0) Object.assign(runs, { ArrowLeft: () => this.writeNext(-1, "end"), ArrowUp: () => this.writeBeside(-1) });
    if (selectionStart === this.field.text.length) Object.assign(runs, { ArrowRight: () => this.writeNext(1, "start"), ArrowDown: () => this.writeBeside(1) });
    return runs;
  }

  // Write on in the next cell of reading order, with all of it selected or the caret at one end; false
  // where there is none, so that Tab goes out of the table.
  writeNext(by, caret) {
    const { cells } = this.table;
    const next = cells[cells.indexOf(this.cell()) + by];
    if (!next) return false;
    this.goTo([next.row, next.column], false);
    if (caret) this.write(caret === "start" ? 0 : next.text.length);
    else this.write();
    return true;
  }

  // The same in the cell above or below, and out of the table in the text there.
  writeBeside(down) {
    const place = this.beside(down, 0);
    if (!place) return this.leave(down, true);
    this.goTo(place, false);
    this.write(down > 0 ? 0 : this.cell().text.length);
    return true;
  }

  stop() {
    const { field } = this;
    if (!field) return;
    field.left();
    this.field = null;
    this.fillNode(field.cell, this.nodes.get(field.cell));
  }

  change(table, at) {
    if (this.locked || table === this.table) return;
    this.table = table;
    this.anchor = null;
    this.at = [Math.min(at[0], table.rows - 1), Math.min(at[1], table.columns - 1)];
    this.draw();
    this.focus();
    this.changed(table, true);
  }

  merge() {
    const box = this.selection();
    this.change(mergedCells(this.table, box), [box[0], box[1]]);
  }

  split() {
    const cell = this.cell();
    this.change(splitCell(this.table, cell), [cell.row, cell.column]);
  }

  // A row or column behind the cell at the cursor, or before it.
  add(axis, after) {
    const cell = this.cell();
    const names = AXES[axis];
    const at = after ? cell[names.at] + cell[names.span] : cell[names.at];
    const place = axis === "row" ? [at, this.at[1]] : [this.at[0], at];
    this.change(lineAdded(this.table, axis, at), place);
  }

  remove(axis) {
    this.change(lineRemoved(this.table, axis, axis === "row" ? this.at[0] : this.at[1]), this.at);
  }

  clear() {
    const chosen = cellsIn(gridOf(this.table), this.selection());
    const cells = this.table.cells.map((cell) => (chosen.includes(cell) ? { ...cell, text: "", doubt: [] } : cell));
    this.change({ ...this.table, cells }, this.at);
  }

  // Go to the next doubtful word behind the cursor; whether there is one.
  doubt(by, fromEdge) {
    if (!fromEdge && this.field && this.field.step(by)) return true;
    const cells = by > 0 ? this.table.cells : [...this.table.cells].reverse();
    const from = fromEdge ? 0 : cells.indexOf(this.cell()) + (this.field ? 1 : 0);
    const next = cells.slice(from).find((cell) => cell.doubt.length);
    if (!next) return false;
    this.goTo([next.row, next.column], false);
    const span = by > 0 ? next.doubt[0] : next.doubt[next.doubt.length - 1];
    if (this.locked) return true;
    this.write(...span);
    return true;
  }

  lock(locked) {
    this.locked = locked;
  }
}
