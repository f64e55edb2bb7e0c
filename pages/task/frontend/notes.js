// The bottom bar: what is said about the item as a whole, and the ways on.

class Comment extends Typed {
  constructor(viewer) {
    super(viewer, "comment");
    const { words } = viewer;
    this.input = element("textarea", {
      rows: "1",
      maxlength: "4000",
      placeholder: words.comment_hint,
      "aria-label": words.comment,
      "aria-keyshortcuts": ariaKeys("comment"),
      "data-testid": "comment",
      oninput: () => this.typed(),
      onblur: () => this.keep(),
    });
    this.begin();
  }

  said({ comment }) {
    return comment;
  }

  read() {
    return this.input.value;
  }

  // Also one of an item that is being left.
  rests() {
    return false;
  }

  send(text, was) {
    const { viewer, item } = this;
    const made = viewer.madeFrom({ kind: "comment" }, was);
    viewer.meeting.leaveUndo();
    viewer.outbox.push({ kind: "comment", item, text, ...made });
  }
}

class Notes extends Part {
  constructor(viewer) {
    super(viewer);
    this.comment = new Comment(viewer);
    this.flag = this.button("flag", "flag", "flag", "flag", () => viewer.askFlag());
    this.skip = this.button("skip", "skip", "skip", "skip", () => viewer.askSkip());
    this.undo = this.button("undo", "undo", "undo", "undo", () => viewer.undo());
    this.takeBack = this.button("take-back", "undo", "take_back_ask", "take_back", () => viewer.back.begin());
    this.confidence = new Confidence(viewer);
    this.submit = button({ class: "primary", "data-testid": "submit", onclick: () => viewer.submit() },
      element("span", {}, this.words.submit),
      keyCap(capOf("submit")),
    );
    this.root = element("footer", { class: "notes", "aria-label": this.words.notes },
      viewer.tools(this),
      element("label", { class: "comment" }, this.comment.input, keyCap(capOf("comment"))),
      this.flag,
      this.skip,
      this.undo,
      this.takeBack,
      this.confidence.root,
      this.submit,
    );
  }

  button(name, shape, words, action, run) {
    return button({ class: `plain ${name}`, "data-testid": name, action, "aria-label": this.words[words], onclick: run },
      icon(shape),
      element("span", {}, this.words[words]),
    );
  }

  paint(shown) {
    this.comment.paint(shown);
    this.flag.setAttribute("aria-pressed", String(Boolean(shown.flag)));
    this.flag.title = shown.flag ? `${this.words.flagged}: ${shown.flag}` : "";
    this.flag.querySelector("span").textContent = shown.flag ? this.words.flagged : this.words.flag;
    const submitted = shown.status === "submitted";
    this.undo.hidden = submitted;
    this.undo.disabled = !this.viewer.canUndo();
    this.takeBack.hidden = !submitted;
    this.takeBack.disabled = this.viewer.closed();
    this.submit.querySelector("span").textContent = submitted ? this.words.next : this.words.submit;
    this.confidence.paint(shown);
  }
}
