// The bottom bar: what is said about the item as a whole, and the ways on.

const COMMENT_PAUSE_MS = 700;

class Notes {
  constructor(viewer) {
    this.viewer = viewer;
    const { words } = viewer;
    this.dirty = false;
    this.timer = null;
    this.comment = element("textarea", {
      rows: "1",
      maxlength: "4000",
      placeholder: words.comment_hint,
      "aria-label": words.comment,
      "aria-keyshortcuts": ariaKeys("comment"),
      "data-testid": "comment",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.flag = this.button("flag", "flag", "flag", "flag", () => viewer.askFlag());
    this.skip = this.button("skip", "skip", "skip", "skip", () => viewer.askSkip());
    this.undo = this.button("undo", "undo", "undo", "undo", () => viewer.undo());
    this.takeBack = this.button("take-back", "undo", "take_back_ask", "take_back", () => viewer.back.begin());
    this.confidence = new Confidence(viewer);
    this.item = viewer.moving.item;
    this.from = new Written(viewer, () => viewer.shown().comment);
    this.restore();
    this.submit = element(
      "button",
      { type: "button", class: "primary", "data-testid": "submit", onclick: () => viewer.submit() },
      element("span", {}, words.submit),
      keyCap(capOf("submit")),
    );
    this.root = element(
      "footer",
      { class: "notes", "aria-label": words.notes },
      viewer.tools(this),
      element("label", { class: "comment" }, this.comment, keyCap(capOf("comment"))),
      this.flag,
      this.skip,
      this.undo,
      this.takeBack,
      this.confidence.root,
      this.submit,
    );
  }

  button(name, shape, words, action, run) {
    return element(
      "button",
      {
        type: "button",
        class: `plain ${name}`,
        "data-testid": name,
        "aria-keyshortcuts": ariaKeys(action),
        "aria-label": this.viewer.words[words],
        onclick: run,
      },
      icon(shape),
      element("span", {}, this.viewer.words[words]),
      keyCap(capOf(action)),
    );
  }

  typed() {
    this.dirty = true;
    this.unkept = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), COMMENT_PAUSE_MS);
    keepUnsent(this.viewer.person, { item: this.item, text: this.comment.value, was: this.from.was });
    this.viewer.paint();
  }

  // Send the comment if it was changed; called before anything that leaves the item.
  keep() {
    clearTimeout(this.timer);
    if (!this.dirty) return;
    this.dirty = false;
    const text = this.comment.value;
    const made = this.viewer.madeFrom({ kind: "comment" }, this.from.was);
    this.from.was = text;
    this.viewer.meeting.leaveUndo();
    this.viewer.outbox.push({ kind: "comment", item: this.item, text, ...made });
  }

  // Of two comments, keep that in the field or, else, the one of the other window, which is `now`.
  choose(mine, now) {
    [this.unkept, this.dirty, this.from.was] = [false, mine, now];
    if (mine) this.keep();
    else {
      this.comment.value = now;
      dropUnsent(this.viewer.person, this.item);
    }
  }

  // A comment that was not taken stays to be changed.
  refused({ text, was }) {
    if (was !== undefined) this.from.was = was;
    if (this.dirty) return;
    this.comment.value = text;
    this.unkept = true;
  }

  // One that the server does not have, since the page went away first or since it was not taken, waits
  // in this tab, and is sent when the item is open again.
  restore() {
    const { text, was } = unsentOf(this.viewer.person, this.item);
    if (text && this.viewer.moving.status === "submitted") dropUnsent(this.viewer.person, this.item);
    else if (text) this.resume(text, was);
  }

  resume(text, was) {
    if (was !== undefined) this.from.was = was;
    this.comment.value = text;
    this.dirty = true;
    this.timer = setTimeout(() => this.keep(), COMMENT_PAUSE_MS);
  }

  paint(shown) {
    const { words } = this.viewer;
    const free = !this.dirty && !this.unkept && this.viewer.focused() !== this.comment;
    if (free && this.comment.value !== shown.comment) this.comment.value = shown.comment;
    this.from.follow(free);
    this.flag.setAttribute("aria-pressed", String(Boolean(shown.flag)));
    this.flag.title = shown.flag ? `${words.flagged}: ${shown.flag}` : "";
    this.flag.querySelector("span").textContent = shown.flag ? words.flagged : words.flag;
    const submitted = shown.status === "submitted";
    this.undo.hidden = submitted;
    this.undo.disabled = !this.viewer.canUndo();
    this.takeBack.hidden = !submitted;
    this.takeBack.disabled = this.viewer.closed();
    this.submit.querySelector("span").textContent = submitted ? words.next : words.submit;
    this.comment.readOnly = submitted;
    this.confidence.paint(shown);
  }
}
