// A part of the image to be read again: drawn with the mouse, or moved and stretched with the arrows.

const NUDGE = 8; // pixels of the stage that an arrow moves an edge

class Region {
  constructor(pane) {
    this.pane = pane;
    this.open = false;
    this.box = null;
    this.outline = element("div", { class: "region-box", "data-testid": "region" });
    const { words } = pane.viewer;
    this.button = button({
      "aria-pressed": "false",
      title: fill(words.region_hint, { key: capOf("region") }),
      "data-testid": "read-region",
      onclick: () => this.toggle(),
    }, icon("read"), words.region, keyCap(capOf("region")));
    this.button.hidden = !pane.viewer.fixed.canRead;
  }

  // Start from the block at the cursor, or else from the middle of what is in view.
  toggle() {
    if (this.open) return this.close();
    const { pane } = this;
    if (this.button.hidden || pane.viewer.leaving || pane.viewer.refused()) return undefined;
    const { clientWidth: width, clientHeight: height } = pane.stage;
    const [x0, y0] = pane.toImage([width * 0.3, height * 0.4]);
    const [x1, y1] = pane.toImage([width * 0.7, height * 0.6]);
    const current = pane.viewer.editor.current();
    const middle = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    this.show(current?.block.box || middle);
    pane.stage.focus({ preventScroll: true });
    pane.viewer.head.say(pane.viewer.words.region_how, "note");
    return undefined;
  }

  show(box) {
    const { width, height } = this.pane.image;
    const within = (value, most) => Math.round(Math.min(Math.max(value, 0), most));
    this.open = true;
    this.box = [within(box[0], width - 1), within(box[1], height - 1), within(box[2], width), within(box[3], height)];
    placeBox(this.outline, this.box);
    this.pane.layer.append(this.outline);
    this.pane.stage.classList.add("drawing");
    this.button.setAttribute("aria-pressed", "true");
  }

  close() {
    this.open = false;
    this.outline.remove();
    this.pane.stage.classList.remove("drawing");
    this.button.setAttribute("aria-pressed", "false");
    this.pane.viewer.head.say("", "");
    if (this.pane.viewer.focused() === this.pane.stage) this.pane.viewer.focusWork();
  }

  begin(point) {
    this.from = point;
  }

  drag([x, y]) {
    if (this.pane.viewer.refused() || this.button.hidden) return;
    const [fx, fy] = this.from;
    this.show([Math.min(fx, x), Math.min(fy, y), Math.max(fx, x, Math.min(fx, x) + 1), Math.max(fy, y, Math.min(fy, y) + 1)]);
  }

  drawn() {
    if (this.open) this.read();
  }

  // An arrow moves it, with Shift the lower right corner; Enter reads it.
  keyed(event, dx, dy) {
    if (event.key === "Enter") {
      this.read();
      return true;
    }
    if (!dx && !dy) return false;
    const by = NUDGE / this.pane.scale;
    const [x0, y0, x1, y1] = this.box;
    const moved = event.shiftKey ? [x0, y0, Math.max(x1 + dx * by, x0 + 4), Math.max(y1 + dy * by, y0 + 4)] : [x0 + dx * by, y0 + dy * by, x1 + dx * by, y1 + dy * by];
    this.show(moved);
    this.pane.show(this.box);
    return true;
  }

  read() {
    const { box } = this;
    this.close();
    if (box[2] - box[0] < 4 || box[3] - box[1] < 4) return;
    this.pane.viewer.readRegion(box);
  }
}
