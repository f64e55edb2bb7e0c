// The blocks of a page as the editor holds them: those of the server with a key each, so that a
// block is the same one after it was moved, and with doubtful places in the browser's offsets.

const KINDS = ["paragraph", "heading", "formula", "table"];
let lastKey = 0;

function nextKey() {
  lastKey += 1;
  return lastKey;
}

const textName = (kind) => (kind === "formula" ? "latex" : "text");

// A block of the server as the editor holds it.
function heldBlock(block) {
  const key = nextKey();
  const unseen = block.unseen === true;
  if (block.kind !== "table") {
    const text = block[textName(block.kind)] || "";
    return { key, kind: block.kind, text, doubt: toUnits(text, block.doubt), box: block.box || null, from: block.from ?? null, unseen };
  }
  const cells = block.cells.map((cell) => ({ ...newCell(0, 0), ...cell, doubt: toUnits(cell.text, cell.doubt) }));
  const table = covered({ rows: block.rows, columns: block.columns, cells });
  return { key, kind: "table", table, box: block.box || null, from: block.from ?? null, unseen };
}

// A held block as the server keeps it.
function keptBlock(block) {
  const kept = { kind: block.kind, box: block.box };
  if (block.from !== null) kept.from = block.from;
  if (block.unseen) kept.unseen = true;
  if (block.kind !== "table") return { ...kept, [textName(block.kind)]: block.text, doubt: toCharacters(block.text, block.doubt) };
  const { rows, columns, cells } = block.table;
  const plain = cells.map(({ row, column, row_span, column_span, text, doubt }) => ({
    row, column, row_span, column_span, text, doubt: toCharacters(text, doubt),
  }));
  return { ...kept, rows, columns, cells: plain };
}

function newBlock(kind, box) {
  const block = { key: nextKey(), kind, box: box || null, from: null };
  return kind === "table" ? { ...block, table: emptyTable(2, 2) } : { ...block, text: "", doubt: [] };
}

// The same block under another kind: nothing of its text is lost.
function asKind(block, kind) {
  if (kind === block.kind) return block;
  const { key, box, from } = block;
  if (kind === "table") return { key, kind, box, from, table: tableFromText(block.text) };
  if (block.kind === "table") return { key, kind, box, from, text: textOfTable(block.table), doubt: [] };
  return { ...block, kind };
}

// Whether two blocks of the server say the same, wherever they stand.
function sameWords(one, other) {
  const words = ({ kind, text, latex, rows, columns, cells }) =>
    JSON.stringify([kind, text, latex, rows, columns, (cells || []).map((cell) => [cell.row, cell.column, cell.row_span, cell.column_span, cell.text])]);
  return Boolean(one && other) && words(one) === words(other);
}

// How many doubtful places a held block has.
function doubtsIn(block) {
  if (block.kind !== "table") return block.doubt.length;
  return block.table.cells.reduce((sum, cell) => sum + cell.doubt.length, 0);
}

function withoutDoubt(block) {
  if (block.kind !== "table") return { ...block, doubt: [] };
  const cells = block.table.cells.map((cell) => ({ ...cell, doubt: [] }));
  return { ...block, table: { ...block.table, cells } };
}

// The smallest box around two, either of which may be missing.
function boxAround(one, other) {
  if (!one || !other) return one || other;
  return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]), Math.max(one[3], other[3])];
}

// Two blocks of text as one.
function joinedBlocks(first, second) {
  const glue = first.text && second.text ? "\n" : "";
  const moved = first.text.length + glue.length;
  const doubt = [...first.doubt, ...second.doubt.map(([start, end]) => [start + moved, end + moved])];
  return { ...first, text: first.text + glue + second.text, doubt, box: boxAround(first.box, second.box) };
}

// A block of text cut in two at a place; each keeps the box of the whole.
function cutBlock(block, at) {
  const [before, after] = cutSpans(block.doubt, at);
  return [
    { ...block, text: block.text.slice(0, at), doubt: before },
    { ...block, key: nextKey(), from: null, text: block.text.slice(at), doubt: after },
  ];
}

const fingerprint = (held) => JSON.stringify(held.map(keptBlock));
const sameHeld = (one, other) => Boolean(one) && sameWords(keptBlock(one), keptBlock(other));

// For each held block the one of another list that it goes back to, or null; each at most once.
function matchedBlocks(base, held) {
  const free = new Set(base);
  const found = new Array(held.length).fill(null);
  const match = (test) => held.forEach((block, index) => {
    if (found[index]) return;
    found[index] = [...free].find((each) => test(each, block)) || null;
    free.delete(found[index]);
  });
  match((each, block) => block.from !== null && each.from === block.from);
  match((each, block) => each.from === null && block.from === null && sameHeld(each, block));
  match((each, block) => each.from === null && block.from === null && each.kind === block.kind);
  return found;
}
