// What stands above the text while another window has written something else.
function metBar(editor) {
  const { words } = editor.viewer;
  const way = (name, mine) => element("button", { type: "button", class: "plain", "data-testid": name, onclick: () => editor.choose(mine) }, words[name]);
  return element("p", { class: "outrun", hidden: true, role: "alert", "data-testid": "met" }, element("span", {}, words.met), way("met_theirs", false), way("met_mine", true));
}
