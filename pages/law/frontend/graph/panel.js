// The neighbourhood of one unit: boxes, typed lines, a legend that filters, keys that walk.
//
// `told` is {centre, nodes: [{id, place, heading, statute, tier, tierName, deleted}],
// edges: [{source, target, type, count}], types: [{type, name, on}], hops, capped, note, words};
// `ask({kind, …})` is called with what the reader wants: go, types or hops.

const MANY = 24; // boxes; among more, lines that do not lead to or from the centre are a thicket

class GraphPanel {
  constructor(ask) {
    this.ask = ask;
    this.root = element("section", { class: "graph", "data-testid": "graph" });
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.resized = new ResizeObserver(() => this.refit());
  }

  destroy() {
    this.resized.disconnect();
    this.root.remove();
  }

  // Fit the graph anew; where the pane became narrow or wide, with boxes of the other width.
  refit() {
    if (this.slim !== this.isSlim()) this.show(this.told);
    else this.stage.fit(this.bounds, false);
  }

  isSlim() {
    return this.root.clientWidth > 0 && this.root.clientWidth < SLIM_BELOW;
  }

  show(told) {
    const held = this.root.contains(this.focused()) ? this.focused().dataset.role : null;
    this.told = told;
    this.slim = this.isSlim();
    Object.assign(BOX, this.slim ? SLIM : ROOMY);
    this.places = layOut(told.nodes, told.edges, told.centre);
    this.bounds = boundsOf(this.places);
    this.stage = new Stage(told.words.stage);
    this.lines = this.drawLines();
    this.thinned = told.nodes.length > MANY && this.lines.some((line) => line.aside);
    this.stage.root.classList.toggle("many", this.thinned);
    this.boxes = new Map(told.nodes.map((node) => [node.id, this.box(node)]));
    this.stage.layer.append(...this.lines.map((line) => line.root), ...this.boxes.values());
    this.stage.layer.append(...this.lines.map((line) => line.label));
    this.root.setAttribute("aria-label", told.words.title);
    this.root.replaceChildren(this.bar(), this.stage.root, this.foot());
    this.reach(told.centre);
    this.resized.disconnect();
    this.resized.observe(this.stage.root);
    this.stage.fit(this.bounds, false);
    if (held) (this.root.querySelector(`[data-role="${held}"]`) || this.boxes.get(told.centre)).focus({ preventScroll: true });
  }

  focused() {
    return this.root.getRootNode().activeElement || document.activeElement;
  }

  // Lines that join the same two boxes run beside each other.
  drawLines() {
    const beside = new Map();
    const pair = ({ source, target }) => [source, target].sort().join("\n");
    const drawn = this.told.edges.filter((edge) => edge.source !== edge.target);
    drawn.forEach((edge) => beside.set(pair(edge), (beside.get(pair(edge)) || 0) + 1));
    const used = new Map();
    return drawn.map((edge) => {
      const at = used.get(pair(edge)) || 0;
      used.set(pair(edge), at + 1);
      return this.line(edge, 9 * (at - (beside.get(pair(edge)) - 1) / 2));
    });
  }

  line(edge, shift) {
    const [dash, colour] = STROKES[edge.type];
    const way = curve(this.places.get(edge.source), this.places.get(edge.target), shift);
    const [x, y] = way.end;
    const back = -7 * way.heading;
    const aside = this.isAside(edge);
    const root = shape("g", { class: aside ? "line aside" : "line", style: `--stroke: ${colour}`, "data-type": edge.type },
      shape("path", { d: way.path, "stroke-dasharray": dash || null }),
      ["parallel", "co_specifies"].includes(edge.type) ? null : shape("polygon", { points: `${x},${y} ${x + back},${y - 4} ${x + back},${y + 4}` }),
    );
    const name = this.nameOf(edge.type) + (edge.count > 1 ? ` ×${edge.count}` : "");
    const label = shape("text", { class: "line-name", x: way.x, y: way.y + shift + 3.5 }, name);
    return { edge, root, label, aside };
  }

  // Whether a line joins two boxes that are equally far from the centre.
  isAside({ source, target }) {
    const [from, to] = [source, target].map((id) => Math.abs(this.places.get(id).lane));
    return from === to;
  }

  nameOf(type) {
    const found = this.told.types.find((each) => each.type === type);
    return found ? found.name : type;
  }

  box(node) {
    const { x, y } = this.places.get(node.id);
    const { width, height } = BOX;
    const centre = node.id === this.told.centre;
    const name = [node.statute, node.place, node.heading].filter(Boolean).join(" ");
    const heading = node.heading ? shape("tspan", { class: "heading", dx: 5 }, cutTo(node.heading, (width - 36) / 13 - ems(node.place))) : null;
    return shape("g", {
      class: `node tier-${node.tier}${centre ? " centre" : ""}${node.deleted ? " deleted" : ""}`,
      transform: `translate(${x - width / 2} ${y - height / 2})`,
      role: "button",
      tabindex: "-1",
      "data-role": `node-${node.id}`,
      "data-node": node.id,
      "data-testid": "graph-node",
      "aria-current": centre ? "true" : null,
      "aria-label": `${name}, ${node.tierName}${this.saidOf(node.id)}`,
      onclick: () => this.go(node.id),
      onfocus: () => this.light(node.id),
      onblur: () => this.light(null),
      onmouseenter: () => this.light(node.id),
      onmouseleave: () => this.light(null),
    },
      shape("title", {}, `${name} (${node.tierName})`),
      shape("rect", { class: "frame", width, height, rx: 6 }),
      shape("path", { class: "band", d: `M6 0H17V${height}H6A6 6 0 0 1 0 ${height - 6}V6A6 6 0 0 1 6 0Z` }),
      shape("text", { class: "rank", x: 8.5, y: height / 2 + 4 }, String(node.tier)),
      shape("text", { class: "place", x: 24, y: 17 }, cutTo(node.place, (width - 30) / 13), heading),
      shape("text", { class: "statute", x: 24, y: 33 }, cutMiddle(node.statute, (width - 30) / 11.5)),
    );
  }

  // What a box has to do with the centre, for those who hear it.
  saidOf(id) {
    const { centre, edges } = this.told;
    const types = edges.filter(({ source, target }) => (source === id && target === centre) || (target === id && source === centre));
    return [...new Set(types.map((edge) => `, ${this.nameOf(edge.type)}`))].join("");
  }

  // Light up the lines of one box, with their names; the centre's are lit when nothing else is.
  light(id) {
    this.stage.root.classList.toggle("lit", id !== null);
    for (const { edge, root, label } of this.lines) {
      const on = id !== null && (edge.source === id || edge.target === id);
      root.classList.toggle("on", on);
      label.classList.toggle("on", on && id !== this.told.centre);
    }
  }

  // Of the boxes one can be reached with Tab; arrows move on from there.
  reach(id) {
    for (const [each, box] of this.boxes) box.setAttribute("tabindex", each === id ? "0" : "-1");
    this.at = id;
  }

  go(id) {
    if (id !== this.told.centre) this.ask({ kind: "go", unit: id });
  }

  bar() {
    const { words, types, hops } = this.told;
    const chip = ({ type, name, on, count }) =>
      button({
        class: count ? "type" : "type none",
        "aria-pressed": String(on),
        "data-role": `type-${type}`,
        "data-testid": "graph-type",
        onclick: () => this.ask({ kind: "types", types: types.filter((each) => each.on !== (each.type === type)).map((each) => each.type) }),
      }, lineSample(type), name, count ? element("span", { class: "count" }, String(count)) : null);
    const hop = (number) =>
      button({
        class: "hop",
        "aria-pressed": String(hops === number),
        "data-role": `hops-${number}`,
        "data-testid": `graph-hops-${number}`,
        onclick: () => this.ask({ kind: "hops", hops: number }),
      }, words[`hop_${number}`]);
    return element("header", { class: "graph-bar" },
      element("div", { class: "hops", role: "group", "aria-label": words.distance }, [1, 2].map(hop)),
      element("div", { class: "types", role: "group", "aria-label": words.types }, types.map(chip)),
    );
  }

  foot() {
    const { words, note, capped, tiers } = this.told;
    const tool = (name, text, run) =>
      button({ class: "tool", title: words[name], "aria-label": words[name], "data-role": name, onclick: run }, text);
    return element("footer", { class: "graph-foot" },
      element("ul", { class: "tiers", "aria-label": words.tiers }, tiers.map(({ tier, name }) =>
        element("li", { class: `tier-${tier}` }, element("b", {}, String(tier)), name))),
      element("p", { class: capped ? "note capped" : "note", role: "status", "data-testid": "graph-note" }, this.thinned ? `${note} ${words.thinned}` : note),
      element("div", { class: "zoom", role: "group", "aria-label": words.zoom },
        tool("zoom_out", "−", () => this.stage.zoom(1 / ZOOM.step)),
        tool("zoom_in", "+", () => this.stage.zoom(ZOOM.step)),
        tool("zoom_all", "⤢", () => this.stage.fit(this.bounds, true)),
      ),
    );
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = event.target.closest && event.target.closest(".node");
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const zoom = { "+": ZOOM.step, "=": ZOOM.step, "-": 1 / ZOOM.step }[event.key];
    if (node && step) this.move(node.dataset.node, step);
    else if (node && (event.key === "Enter" || event.key === " ")) this.go(node.dataset.node);
    else if (zoom) this.stage.zoom(zoom);
    else if (event.key === "0") this.stage.fit(this.bounds, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The nearest box in a direction: the same column first for up and down.
  move(id, [dx, dy]) {
    const from = this.places.get(id);
    let best = null;
    for (const [each, place] of this.places) {
      const ahead = dx ? dx * (place.x - from.x) : dy * (place.y - from.y);
      if (each === id || ahead <= 0 || (dy && place.column !== from.column)) continue;
      const far = dx ? ahead * 4 + Math.abs(place.y - from.y) : ahead;
      if (!best || far < best.far) best = { id: each, far, place };
    }
    if (!best) return;
    this.reach(best.id);
    this.stage.show(best.place);
    this.boxes.get(best.id).focus({ preventScroll: true });
  }
}

function boundsOf(places) {
  const all = [...places.values()];
  const [w, h] = [BOX.width / 2, BOX.height / 2];
  return {
    left: Math.min(...all.map((place) => place.x - w)),
    right: Math.max(...all.map((place) => place.x + w)),
    top: Math.min(...all.map((place) => place.y - h)),
    bottom: Math.max(...all.map((place) => place.y + h)),
  };
}
