// The page's image: zoom, pan and rotate, with the boxes of the blocks on it.

const ZOOM_STEP = 1.25;
const LARGEST = 0.8; // scale of a block that fills the stage; pages have 200 dots per inch
const LEGIBLE = 0.6; // scale below which a word that is pointed at is hard to read
const MARGIN = 12; // pixels around what is brought into view

class ImagePane extends Part {
  constructor(viewer, image) {
    super(viewer);
    this.image = image;
    this.angle = 0;
    this.fitted = viewer.fitting;
    this.picture = element("img", { alt: viewer.words.image, draggable: "false", src: image.src, "data-testid": "page-image" });
    this.marks = element("div", { class: "marks" });
    this.layer = element("div", { class: "layer" }, this.picture, this.marks);
    this.layer.style.width = `${image.width}px`;
    this.layer.style.height = `${image.height}px`;
    this.stage = element("div", {
      class: "stage",
      tabindex: "0",
      role: "group",
      "aria-label": viewer.words.image,
      "data-testid": "stage",
      onwheel: (event) => this.wheeled(event),
      onpointerdown: (event) => this.pressed(event),
      onkeydown: (event) => this.keyed(event),
    }, this.layer);
    this.region = new Region(this);
    this.root = element("section", { class: "image-pane", "aria-label": viewer.words.image }, this.tools(), this.stage);
    this.sized = new ResizeObserver(() => this.fitted && this.fit(this.fitted));
    this.sized.observe(this.stage);
  }

  destroy() {
    this.sized.disconnect();
  }

  tools() {
    const tool = (shape, action, name, run, at = 0) =>
      button({ title: `${this.words[name]} (${capOf(action, at)})`, "aria-label": this.words[name], "aria-keyshortcuts": ariaKeys(action, at), "data-testid": name, onclick: run }, icon(shape));
    this.state = element("span", { class: "quiet", "data-testid": "zoom" });
    return element("header", { class: "image-tools" },
      tool("minus", "smaller", "zoom_out", () => this.zoom(1 / ZOOM_STEP)),
      this.state,
      tool("plus", "larger", "zoom_in", () => this.zoom(ZOOM_STEP)),
      tool("width", "option", "fit_width", () => this.fit("width"), 0),
      tool("page", "option", "fit_page", () => this.fit("page"), 1),
      tool("block", "option", "fit_block", () => this.fit("block"), 2),
      tool("turn", "rotate", "rotate", () => this.rotate(90)),
      tool("left", "tilt_left", "tilt_left", () => this.rotate(-0.5)),
      tool("right", "tilt_right", "tilt_right", () => this.rotate(0.5)),
      this.region.button,
    );
  }

  // Geometry: a point of the image goes to angle · scale · point + (x, y) of the stage.
  toStage(point) {
    const [tx, ty] = rotated(point, this.angle);
    return [tx * this.scale + this.x, ty * this.scale + this.y];
  }

  toImage([sx, sy]) {
    return rotated([(sx - this.x) / this.scale, (sy - this.y) / this.scale], -this.angle);
  }

  // The smallest upright rectangle of the stage around a box of the image.
  onStage([x0, y0, x1, y1]) {
    const points = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map((point) => this.toStage(point));
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  // Fit the width, the whole page, or whichever block is at the cursor; the next page comes so, too.
  fit(how) {
    const { width, height } = this.image;
    if (this.viewer.fitting !== how) keepForGood(FIT_PLACE, how);
    this.viewer.fitting = how;
    const [room, tall] = [this.stage.clientWidth - 2 * MARGIN, this.stage.clientHeight - 2 * MARGIN];
    if (room <= 0 || tall <= 0) return;
    [this.scale, this.x, this.y] = [1, 0, 0];
    const [left, top, right, bottom] = this.onStage([0, 0, width, height]);
    const byWidth = room / (right - left);
    this.scale = how === "page" ? Math.min(byWidth, tall / (bottom - top)) : byWidth;
    this.x = MARGIN - left * this.scale + (room - (right - left) * this.scale) / 2;
    this.y = MARGIN - top * this.scale;
    this.fitted = how;
    this.draw();
    if (this.shown) this.show(this.shown);
  }

  // Make a box as wide as the stage, but not larger than letters are read well at.
  fitBox(box) {
    const [left, , right] = this.onStage(box);
    const room = this.stage.clientWidth - 2 * MARGIN;
    const scale = Math.min(LARGEST, (this.scale * room) / Math.max(1, right - left));
    const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    this.scale = scale;
    const [mx, my] = this.toStage(middle);
    this.pan(this.stage.clientWidth / 2 - mx, this.stage.clientHeight / 2 - my);
  }

  zoom(by, [sx, sy] = [this.stage.clientWidth / 2, this.stage.clientHeight / 2]) {
    const scale = Math.min(8, Math.max(0.05, this.scale * by));
    const held = this.toImage([sx, sy]);
    this.scale = scale;
    const [nx, ny] = this.toStage(held);
    this.fitted = null;
    this.pan(sx - nx, sy - ny);
  }

  rotate(by) {
    const middle = [this.stage.clientWidth / 2, this.stage.clientHeight / 2];
    const held = this.toImage(middle);
    this.angle = (this.angle + by + 360) % 360;
    if (this.fitted) this.fit(this.fitted);
    else {
      const [nx, ny] = this.toStage(held);
      this.pan(middle[0] - nx, middle[1] - ny);
    }
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  draw() {
    this.layer.style.transform = `translate(${this.x}px, ${this.y}px) rotate(${this.angle}deg) scale(${this.scale})`;
    this.layer.style.setProperty("--hair", `${1 / this.scale}px`);
    this.state.textContent = `${Math.round(this.scale * 100)} %${this.angle ? ` · ${Math.round(this.angle * 10) / 10}°` : ""}`;
  }

  // Bring a box of the image into view, moving no more than is needed.
  show(box) {
    this.shown = box;
    if (!box || !this.scale) return;
    if (this.fitted === "block" && !this.word) this.fitBox(box);
    const [left, top, right, bottom] = this.onStage(box);
    const step = (from, to, size) => {
      if (from >= MARGIN && to <= size - MARGIN) return 0;
      return to - from > size - 2 * MARGIN ? MARGIN - from : (size - (to - from)) / 2 - from;
    };
    const dx = step(left, right, this.stage.clientWidth);
    const dy = step(top, bottom, this.stage.clientHeight);
    if (dx || dy) this.pan(dx, dy);
  }

  // The boxes of blocks: [[key, box]] with the current one's key, and a word of it.
  mark(boxes, current) {
    this.marks.replaceChildren(
      ...boxes.filter(([, box]) => box).map(([key, box]) => {
        const mark = element("div", {
          class: key === current ? "mark current" : "mark",
          "data-testid": "mark",
          onclick: () => this.moved || this.viewer.editor.goToKey(key),
        });
        placeBox(mark, box);
        return mark;
      }),
    );
    if (this.word) this.marks.append(this.word);
  }

  point(box) {
    this.word?.remove();
    this.word = box ? element("div", { class: "word", "data-testid": "word" }) : null;
    if (!box) return;
    placeBox(this.word, box);
    this.marks.append(this.word);
    if (this.scale < LEGIBLE) this.zoom(LARGEST / this.scale);
    this.show(box);
  }

  wheeled(event) {
    event.preventDefault();
    const at = this.at(event);
    if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, at);
    else this.panFreely(-event.deltaX, -event.deltaY);
  }

  panFreely(dx, dy) {
    this.shown = null;
    this.pan(dx, dy);
  }

  at(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pressed(event) {
    if (event.button) return;
    this.moved = false;
    const start = this.at(event);
    const drawing = this.region.open || event.shiftKey;
    if (drawing) this.region.begin(this.toImage(start));
    const held = new AbortController(); // as long as the button is
    let last = start;
    const move = (later) => {
      const now = this.at(later);
      if (!this.moved && Math.hypot(now[0] - start[0], now[1] - start[1]) < 4) return;
      if (!this.moved) this.stage.setPointerCapture(event.pointerId);
      this.moved = true;
      if (drawing) this.region.drag(this.toImage(now));
      else this.panFreely(now[0] - last[0], now[1] - last[1]);
      last = now;
    };
    const end = () => {
      held.abort();
      if (drawing && this.moved) this.region.drawn();
      setTimeout(() => { this.moved = false; });
    };
    this.stage.addEventListener("pointermove", move, { signal: held.signal });
    this.stage.addEventListener("pointerup", end, { signal: held.signal });
    this.stage.addEventListener("pointercancel", end, { signal: held.signal });
  }

  // The arrows move the image, or the region that is to be read again.
  keyed(event) {
    const [dx, dy] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [0, 0];
    if (this.region.open && this.region.keyed(event, -dx, -dy)) event.preventDefault();
    else if (dx || dy) {
      event.preventDefault();
      this.panFreely(dx * 60, dy * 60);
    }
  }
}

function rotated([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

function placeBox(node, [x0, y0, x1, y1]) {
  Object.assign(node.style, { left: `${x0}px`, top: `${y0}px`, width: `${x1 - x0}px`, height: `${y1 - y0}px` });
}
