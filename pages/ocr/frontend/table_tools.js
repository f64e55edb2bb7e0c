// Rows, columns and cells of a table changed by a press. Each has a key, so that Tab leaves them out.

function tableTools(editor) {
  const { words } = editor.viewer;
  const tool = (name, action, run) =>
    element(
      "button",
      { type: "button", class: "chip-button", tabindex: "-1", title: words[`${name}_hint`], "data-testid": name, "aria-keyshortcuts": ariaKeys(action), onmousedown: (event) => event.preventDefault(), onclick: run },
      words[name],
      keyCap(capOf(action)),
    );
  return element(
    "div",
    { class: "table-tools", role: "toolbar", "aria-label": words.table_tools },
    tool("merge", "merge", () => editor.merge()),
    tool("split", "split", () => editor.split()),
    tool("add_row", "add_below", () => editor.add("row", 1)),
    tool("remove_row", "row_gone", () => editor.remove("row")),
    tool("add_column", "column_after", () => editor.add("column", 1)),
    tool("remove_column", "column_gone", () => editor.remove("column")),
  );
}
