// The neighbourhood graph beside the candidates, in place of question and answer. It follows the
// cursor; walking in it leaves the candidates alone.

const FOLLOW_PAUSE_MS = 150;

class GraphPane {
  constructor(viewer) {
    this.viewer = viewer;
    this.walk = {};
    this.panel = new GraphPanel((wish) => this.wish(wish));
    this.name = element("h2", { class: "eyebrow" }, viewer.words.graph);
    this.close = button({ "data-testid": "graph-close", onclick: () => this.toggle() }, viewer.words.graph_close, keyCap(capOf("graph")));
    this.frame = element("div", { class: "graph-frame" });
    this.text = element("div", { class: "graph-text" });
    this.root = element("aside", { class: "graph-pane", hidden: true, "data-testid": "graph-pane" },
      element("header", {}, this.name, this.close), this.frame, this.text);
  }

  get open() {
    return !this.root.hidden;
  }

  toggle() {
    const card = this.viewer.current();
    if (!this.open && !card) return;
    this.root.hidden = this.open;
    this.viewer.root.classList.toggle("with-graph", this.open);
    if (this.open) this.look(card.candidate.id);
    else if (this.root.contains(this.viewer.focused())) this.viewer.focusWork();
  }

  // The cursor went to another card: once it rests there, so does the graph.
  follow(card) {
    clearTimeout(this.timer);
    if (this.open) this.timer = setTimeout(() => this.look(card.candidate.id), FOLLOW_PAUSE_MS);
  }

  wish({ kind, unit, types, hops }) {
    if (kind === "types") this.walk.types = types;
    if (kind === "hops") this.walk.hops = hops;
    this.look(kind === "go" ? unit : this.walk.node);
  }

  look(node) {
    this.walk.node = node;
    this.viewer.outbox.replace({ kind: "graph", item: this.viewer.moving.item, ...this.walk });
  }

  // What the server found, unless another unit has been asked for since.
  show({ node, told, text, error }) {
    if (!this.open || node !== this.walk.node) return;
    const own = this.viewer.current()?.candidate.id === node;
    const box = element("div", { class: "words" });
    this.text.hidden = own && !error;
    this.text.replaceChildren(...runningFold(box, [[error || text, null]], this.viewer.folding(`graph-${node}`)).nodes);
    if (error) {
      this.frame.replaceChildren();
      return;
    }
    if (!this.frame.firstChild) this.frame.append(this.panel.root);
    this.panel.show(told);
  }

  // Keys that are the graph's while the focus is in it.
  takes(target, key) {
    const inside = target instanceof Element && this.panel.root.contains(target);
    return inside && (key.startsWith("Arrow") || ["Enter", " ", "+", "=", "-", "0"].includes(key));
  }

  destroy() {
    clearTimeout(this.timer);
    this.panel.destroy();
  }
}

// Drop the viewer's pane, if it has one; return whether it was open.
function closedGraph(viewer) {
  const open = Boolean(viewer.graph && viewer.graph.open);
  if (viewer.graph) viewer.graph.destroy();
  return open;
}
