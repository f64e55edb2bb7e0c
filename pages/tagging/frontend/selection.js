// What is selected in the judgment, in the browser's offsets of its text.

// The selection inside of the part's own tree: browsers differ in how they tell it.
function rangeWithin(box) {
  const home = box.getRootNode();
  const selection = home.getSelection ? home.getSelection() : document.getSelection();
  if (!selection || selection.isCollapsed) return null;
  const own = !home.getSelection && selection.getComposedRanges;
  const found = own ? selection.getComposedRanges({ shadowRoots: [home] })[0] : selection.rangeCount && selection.getRangeAt(0);
  if (!found || !box.contains(found.startContainer)) return null;
  return found;
}

// `lines` are {root, start, end} in order. The place of a point of the page among them.
function unitAt(lines, node, offset) {
  const point = document.createRange();
  point.setStart(node, offset);
  point.collapse(true);
  const line = lines[countWhile(lines.length, (index) => point.comparePoint(lines[index].root, 0) <= 0) - 1];
  if (!line) return lines.length ? lines[0].start : 0;
  if (!line.root.contains(node)) return line.end;
  const before = document.createRange();
  before.selectNodeContents(line.root);
  before.setEnd(node, offset);
  return line.start + before.toString().length;
}

// The stretch of the text that is selected, tidied; null for none.
function selectedStretch(box, lines, text) {
  const range = rangeWithin(box);
  if (!range) return null;
  const start = unitAt(lines, range.startContainer, range.startOffset);
  const end = box.contains(range.endContainer) ? unitAt(lines, range.endContainer, range.endOffset) : text.length;
  return tidied(text, start, end);
}

function unselect(box) {
  const home = box.getRootNode();
  const selection = home.getSelection ? home.getSelection() : document.getSelection();
  selection?.removeAllRanges();
}
