// Why what is open was not submitted, said at the field that it is about, which takes the focus. The
// line lies over what is there, so that nothing moves, and goes with its cause. The line at the top
// says the same to who listens.

const MISSED_ROOM = 120; // pixels that its words need

// Where what is missing is said in the row of a question: behind its answers where they are one line and
// leave room, else in place of what it asks, which it names.
function placeInRow(row) {
  const [what, ...answers] = [row.querySelector(".what"), ...row.querySelectorAll(".answers button")].filter((each) => each?.checkVisibility());
  if (!answers.length) return null;
  const frame = row.getBoundingClientRect();
  const [asked, first, last] = [what, answers[0], answers.at(-1)].map((each) => each.getBoundingClientRect());
  const above = asked.bottom <= first.top + 2;
  const room = frame.right - last.right - 14;
  const behind = !above && last.top <= first.top + 2 && room >= MISSED_ROOM;
  const box = behind ? last : asked;
  const left = behind ? last.right + 8 : asked.left;
  const width = behind ? room : (above ? frame.right : first.left) - asked.left - 4;
  const edge = { left: frame.left + row.clientLeft, top: frame.top + row.clientTop };
  return { left: left - edge.left, width, least: behind ? 0 : asked.width, middle: (box.top + box.bottom) / 2 - edge.top };
}

class Missed {
  // `root` holds the line and is marked, `focused` takes the focus: null where the caller leads to the place.
  constructor(viewer, root, focused = root) {
    Object.assign(this, { viewer, root, focused });
    this.line = element("span", { class: "missed-line", hidden: true, "aria-hidden": "true", "data-testid": "missed" });
    root.classList.add("missable");
    root.append(this.line);
  }

  // It holds as long as `cause()` returns the same as now, and while nothing is typed in the field.
  say(text, cause) {
    const { viewer } = this;
    viewer.missing?.unsay();
    viewer.missing = this;
    Object.assign(this, { cause, was: JSON.stringify(cause()) });
    viewer.head.say(text, "bad heard");
    this.line.textContent = text;
    this.mark(true);
    this.focused?.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
    this.line.scrollIntoView({ block: "nearest" });
  }

  follow() {
    if (this.focused?.value?.trim() || JSON.stringify(this.cause()) !== this.was) this.unsay();
  }

  unsay() {
    this.viewer.missing = null;
    this.viewer.head.unsay(this.line.textContent);
    this.mark(false);
  }

  // In its own row, so that it covers no other's answers.
  place() {
    const { line, root } = this;
    const found = root.matches(".ask:not(.words)") ? placeInRow(root) : null;
    line.classList.toggle("beside", Boolean(found));
    line.style.maxWidth = found ? `${Math.floor(found.width)}px` : "";
    line.style.minWidth = found ? `${Math.min(found.least, Math.floor(found.width))}px` : "";
    line.style.left = found ? `${Math.floor(found.left)}px` : "";
    line.style.top = found ? `${Math.round(found.middle)}px` : "";
  }

  mark(on) {
    this.line.hidden = !on;
    this.root.classList.toggle("is-missed", on);
    if (on) this.place();
    if (!this.focused?.matches("input, textarea, [role=radiogroup]")) return;
    if (on) this.focused.setAttribute("aria-invalid", "true");
    else this.focused.removeAttribute("aria-invalid");
  }
}
