// Rows, columns and cells of a table changed by a press. Each has a key, so that Tab leaves them out.

function tableTools(editor) {
  const { words } = editor.viewer;
  const tools = { merge: "merge", split: "split", add_row: "add_below", remove_row: "row_gone", add_column: "column_after", remove_column: "column_gone" };
  const stay = (event) => event.preventDefault();
  const tool = ([name, action]) =>
    button({ class: "chip-button", tabindex: "-1", title: words[`${name}_hint`], "data-testid": name, action, onmousedown: stay, onclick: () => GRID_ACTIONS[action](editor) }, words[name]);
  return element("div", { class: "table-tools", role: "toolbar", "aria-label": words.table_tools }, Object.entries(tools).map(tool));
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
