// Rows, columns and cells of a table changed by a press. Each has a key, so that Tab leaves them out.

function tableTools(editor) {
  const { words } = editor.viewer;
  const tool = (name, action, run) =>
    button({ class: "chip-button", tabindex: "-1", title: words[`${name}_hint`], "data-testid": name, action, onmousedown: (event) => event.preventDefault(), onclick: run }, words[name]);
  return element("div", { class: "table-tools", role: "toolbar", "aria-label": words.table_tools },
    tool("merge", "merge", () => editor.merge()),
    tool("split", "split", () => editor.split()),
    tool("add_row", "add_below", () => editor.add("row", 1)),
    tool("remove_row", "row_gone", () => editor.remove("row")),
    tool("add_column", "column_after", () => editor.add("column", 1)),
    tool("remove_column", "column_gone", () => editor.remove("column")),
  );
}

// The word of a drawn text that lies under a point of the window, as a double press selects it in any
// text; else the end of the text.
function wordAt(node, text, [x, y]) {
  const range = document.createRange();
  const under = ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let before = 0;
  while (node.textContent === text && walker.nextNode()) {
    const { data } = walker.currentNode;
    for (const { 0: word, index } of data.matchAll(/\S+/g)) {
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if ([...range.getClientRects()].some(under)) return [before + index, before + index + word.length];
    }
    before += data.length;
  }
  return [text.length, text.length];
}
