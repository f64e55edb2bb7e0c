// A table as a grid whose cells may span rows and columns. Every function returns a new table and
// leaves the one that it was given alone; the cells of a table cover its grid exactly once.

const MOST_ROWS = 500;
const MOST_COLUMNS = 60;

function newCell(row, column) {
  return { row, column, row_span: 1, column_span: 1, text: "", doubt: [] };
}

// The places of a rectangle, row by row.
function placesIn([top, left, bottom, right]) {
  const places = [];
  for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) places.push([row, column]);
  return places;
}

function emptyTable(rows, columns) {
  return { rows, columns, cells: placesIn([0, 0, rows - 1, columns - 1]).map(([row, column]) => newCell(row, column)) };
}

const lastRow = (cell) => cell.row + cell.row_span - 1;
const lastColumn = (cell) => cell.column + cell.column_span - 1;
const placesOf = (cell) => placesIn([cell.row, cell.column, lastRow(cell), lastColumn(cell)]);

// The cell at each place: grid[row][column].
function gridOf(table) {
  const grid = Array.from({ length: table.rows }, () => Array(table.columns).fill(null));
  for (const cell of table.cells) {
    for (const [row, column] of placesOf(cell)) if (grid[row] && column < table.columns) grid[row][column] ??= cell;
  }
  return grid;
}

function inOrder(table, cells) {
  return { ...table, cells: cells.sort((a, b) => a.row - b.row || a.column - b.column) };
}

// A table whose cells cover the grid: an engine's may leave holes, or put cells on one another.
function covered(table) {
  const taken = Array.from({ length: table.rows }, () => Array(table.columns).fill(false));
  const cells = [];
  const free = (cell) => placesOf(cell).every(([row, column]) => row < table.rows && column < table.columns && !taken[row][column]);
  const take = (cell) => {
    placesOf(cell).forEach(([row, column]) => { taken[row][column] = true; });
    cells.push(cell);
  };
  for (const cell of table.cells) {
    if (free(cell)) take(cell);
    else if (free({ ...cell, row_span: 1, column_span: 1 })) take({ ...cell, row_span: 1, column_span: 1 });
    else if (cell.text && cells.length) cells[cells.length - 1] = { ...cells[cells.length - 1], text: `${cells[cells.length - 1].text}\n${cell.text}` };
  }
  taken.forEach((columns, row) => columns.forEach((full, column) => { if (!full) take(newCell(row, column)); }));
  return inOrder(table, cells);
}

// The smallest rectangle around two places that cuts no merged cell.
function rectangle(table, [row, column], [toRow, toColumn]) {
  const grid = gridOf(table);
  let found = [Math.min(row, toRow), Math.min(column, toColumn), Math.max(row, toRow), Math.max(column, toColumn)];
  for (;;) {
    const [top, left, bottom, right] = found;
    const inside = cellsIn(grid, found);
    const wider = [
      Math.min(top, ...inside.map((cell) => cell.row)),
      Math.min(left, ...inside.map((cell) => cell.column)),
      Math.max(bottom, ...inside.map(lastRow)),
      Math.max(right, ...inside.map(lastColumn)),
    ];
    if (wider.every((value, index) => value === found[index])) return found;
    found = wider;
  }
}

function cellsIn(grid, box) {
  return [...new Set(placesIn(box).map(([row, column]) => grid[row][column]))];
}

// One cell of all that lie in the rectangle; their texts come after one another.
function mergedCells(table, box) {
  const inside = cellsIn(gridOf(table), box);
  if (inside.length < 2) return table;
  const [top, left, bottom, right] = box;
  const made = { row: top, column: left, row_span: bottom - top + 1, column_span: right - left + 1, text: "", doubt: [] };
  for (const cell of inside.filter((each) => each.text)) {
    const lead = made.text ? `${made.text}\n` : "";
    made.doubt = [...made.doubt, ...cell.doubt.map(([start, end]) => [start + lead.length, end + lead.length])];
    made.text = lead + cell.text;
  }
  return inOrder(table, [...table.cells.filter((cell) => !inside.includes(cell)), made]);
}

// A merged cell taken apart; its text stays in the first.
function splitCell(table, cell) {
  if (cell.row_span === 1 && cell.column_span === 1) return table;
  const parts = placesOf(cell).map(([row, column], index) =>
    index ? newCell(row, column) : { ...cell, row_span: 1, column_span: 1 },
  );
  return inOrder(table, [...table.cells.filter((each) => each !== cell), ...parts]);
}

// Rows and columns are two sides of one thing: a line of cells along an axis.
const AXES = {
  row: { at: "row", span: "row_span", count: "rows", across: "column", acrossSpan: "column_span", others: "columns", most: MOST_ROWS },
  column: { at: "column", span: "column_span", count: "columns", across: "row", acrossSpan: "row_span", others: "rows", most: MOST_COLUMNS },
};

// A new line before place `at`; cells that reach across it grow.
function lineAdded(table, axis, at) {
  const names = AXES[axis];
  if (table[names.count] >= names.most) return table;
  const grown = new Set();
  const cells = table.cells.map((cell) => {
    const [start, end] = [cell[names.at], cell[names.at] + cell[names.span]];
    if (start >= at) return { ...cell, [names.at]: start + 1 };
    if (end <= at) return cell;
    for (let n = 0; n < cell[names.acrossSpan]; n += 1) grown.add(cell[names.across] + n);
    return { ...cell, [names.span]: cell[names.span] + 1 };
  });
  for (let other = 0; other < table[names.others]; other += 1) {
    if (!grown.has(other)) cells.push({ ...newCell(0, 0), [names.at]: at, [names.across]: other });
  }
  return inOrder({ ...table, [names.count]: table[names.count] + 1 }, cells);
}

// Without the line at place `at`; cells that reach across it shrink. The last line stays.
function lineRemoved(table, axis, at) {
  const names = AXES[axis];
  if (table[names.count] < 2) return table;
  const cells = [];
  for (const cell of table.cells) {
    const [start, end] = [cell[names.at], cell[names.at] + cell[names.span]];
    if (start > at) cells.push({ ...cell, [names.at]: start - 1 });
    else if (end <= at) cells.push(cell);
    else if (cell[names.span] > 1) cells.push({ ...cell, [names.span]: cell[names.span] - 1 });
  }
  return inOrder({ ...table, [names.count]: table[names.count] - 1 }, cells);
}

// Lines of text become rows, and what stands apart in them (tabs, bars, wide gaps) columns.
function tableFromText(text) {
  const rows = text.split("\n").filter((line) => line.trim()).map((line) => line.trim().replace(/^\||\|$/g, "").split(/\t|\||\s{2,}/));
  const columns = Math.min(MOST_COLUMNS, Math.max(1, ...rows.map((row) => row.length)));
  const table = emptyTable(Math.min(MOST_ROWS, Math.max(1, rows.length)), columns);
  table.cells.forEach((cell) => { cell.text = ((rows[cell.row] || [])[cell.column] || "").trim(); });
  return table;
}

function textOfTable(table) {
  return gridOf(table).map((row, at) => row.filter((cell, place) => cell.row === at && row.indexOf(cell) === place).map((cell) => cell.text).join("\t")).join("\n");
}
