// Why what is open was not submitted, said at the field that it is about, which takes the focus. The
// line lies over what is there, so that nothing moves, and goes with its cause. The line at the top
// says the same to who listens.

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

  mark(on) {
    this.line.hidden = !on;
    this.root.classList.toggle("is-missed", on);
    if (!this.focused?.matches("input, textarea, [role=radiogroup]")) return;
    if (on) this.focused.setAttribute("aria-invalid", "true");
    else this.focused.removeAttribute("aria-invalid");
  }
}
