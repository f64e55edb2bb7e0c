// What a part of the image was read as, and what to do with it.

function openRead(viewer, { blocks, problem }, key) {
  const { words } = viewer;
  if (isOpen(viewer, "read")) return;
  const card = viewer.editor.cards.find((each) => each.block.key === key);
  const dialog = openDialog(viewer, "read", words.read_title, element("div", { class: "read" }));
  const body = dialog.querySelector(".read");
  const take = (replace) => {
    dialog.close();
    viewer.editor.take(blocks, key, replace);
  };
  const way = (name, cls, run) => button({ class: cls, "data-testid": `read-${name}`, onclick: run }, words[`read_${name}`]);
  const held = blocks.map(heldBlock);
  const nodesOf = (block) => (block.kind === "table" ? plainText(block) : doubtNodes(block.text, block.doubt));
  const texts = held.map((block) => element("p", { class: "words" }, nodesOf(block)));
  const none = element("p", { class: "quiet" }, problem || words.read_nothing);
  const foot = element("footer", {},
    element("span", { class: "quiet" }, words.read_hint),
    blocks.length ? way("after", "plain", () => take(false)) : null,
    blocks.length && card ? way("replace", "primary", () => take(true)) : null,
  );
  body.append(element("div", { class: "read-text", "data-testid": "read-text", lang: viewer.fixed.language || null }, texts.length ? texts : none), foot);
  (body.querySelector(".primary") || body.querySelector("button") || dialog.querySelector(".close")).focus();
}
