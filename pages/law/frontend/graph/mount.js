// The entry of a graph with a place of its own on the page.

export default showing((ask) => {
  const panel = new GraphPanel(ask);
  const root = element("div", { class: "graph-frame" }, panel.root);
  return { root, show: (told) => panel.show(told), destroy: () => panel.destroy() };
});
