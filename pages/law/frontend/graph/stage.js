// The stage: the drawing that is dragged, zoomed and fitted.

const ZOOM = { least: 0.3, most: 2.4, step: 1.25, small: 0.62, legible: 0.76, roomy: 1.12 };

class Stage {
  constructor(label) {
    this.view = { x: 0, y: 0, scale: 1 };
    this.layer = shape("g", {});
    this.root = shape("svg", {
      class: "stage",
      role: "group",
      "aria-label": label,
      "data-testid": "graph-stage",
      onpointerdown: (event) => this.grab(event),
    }, this.layer);
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  size() {
    return { width: this.root.clientWidth || 800, height: this.root.clientHeight || 420 };
  }

  apply() {
    const { x, y, scale } = this.view;
    this.layer.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
  }

  // Fit `bounds` where that stays legible; else put the centre of the graph in the middle.
  fit(bounds, whole) {
    const { width, height } = this.size();
    const wide = bounds.right - bounds.left + 28;
    const high = bounds.bottom - bounds.top + 28;
    const fitting = Math.min(width / wide, height / high, ZOOM.roomy);
    const smallest = whole ? ZOOM.least : ZOOM.legible;
    const scale = fitting >= ZOOM.small ? fitting : Math.max(fitting, smallest);
    const middle = (low, far, room) => (room / scale >= far - low + 28 ? (low + far) / 2 : null);
    const [x, y] = [middle(bounds.left, bounds.right, width), middle(bounds.top, bounds.bottom, height)];
    this.view = { scale, x: width / 2 - scale * this.aim(x, bounds, width / scale), y: height / 2 - scale * (y ?? 0) };
    this.apply();
  }

  // When the graph is too wide to fit: as much of both sides as there is, the centre in sight.
  aim(x, bounds, room) {
    if (x !== null) return x;
    const least = bounds.left - 14 + room / 2;
    const most = bounds.right + 14 - room / 2;
    return Math.max(Math.min(least, most), Math.min(Math.max(least, most), 0));
  }

  zoom(factor, at) {
    const { width, height } = this.size();
    const [px, py] = at || [width / 2, height / 2];
    const scale = Math.min(ZOOM.most, Math.max(ZOOM.least, this.view.scale * factor));
    const by = scale / this.view.scale;
    this.view = { scale, x: px - (px - this.view.x) * by, y: py - (py - this.view.y) * by };
    this.apply();
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    const box = this.root.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, [event.clientX - box.left, event.clientY - box.top]);
  }

  grab(event) {
    if (event.button !== 0 || event.target.closest(".node")) return;
    const from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y };
    const move = (now) => {
      this.view.x = now.clientX - from.x;
      this.view.y = now.clientY - from.y;
      this.apply();
    };
    const drop = () => {
      this.root.classList.remove("held");
      this.root.removeEventListener("pointermove", move);
    };
    this.root.classList.add("held");
    this.root.setPointerCapture(event.pointerId);
    this.root.addEventListener("pointermove", move);
    this.root.addEventListener("pointerup", drop, { once: true });
    this.root.addEventListener("pointercancel", drop, { once: true });
  }

  // Bring a box into sight by no more than is needed.
  show(place) {
    const { width, height } = this.size();
    const { x, y, scale } = this.view;
    const [cx, cy] = [x + scale * place.x, y + scale * place.y];
    const [w, h] = [(scale * BOX.width) / 2 + 8, (scale * BOX.height) / 2 + 8];
    this.view.x += Math.max(0, w - cx) - Math.max(0, cx + w - width);
    this.view.y += Math.max(0, h - cy) - Math.max(0, cy + h - height);
    this.apply();
  }
}
