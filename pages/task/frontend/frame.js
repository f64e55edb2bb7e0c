// The frame of work, the same for every task: the queue and the place in it, what is saved, notes,
// flag, skip, submit, undo, thread, guideline and keys. The last methods name what a task adds to it.

class Frame extends Saying {
  constructor(parent, name) {
    super();
    this.parent = parent;
    this.screen = name.replace("-viewer", ""); // as the map of keys calls it
    this.path = window.location.pathname;
    this.root = element("div", { class: "viewer", "data-testid": name });
    parent.append(this.root);
    this.edges = new Edges(this.root);
    this.asks = new Set(["thread"]); // kinds of acts that change nothing
    this.key = null;
    this.leaving = 0;
    this.talking = null; // the item to open with its thread
    this.back = new TakingBack(this);
    this.meeting = new Meeting(this);
    this.unfolded = new Set(); // names of the texts of the item that are open
    this.outbox = new Outbox(
      (acts, tries) => this.post(acts, tries),
      () => this.paint(),
      (act, why) => this.fail(why.message, act, why.code, why),
      (act) => forgetUnsent(this.person, act),
    );
    this.missing = null; // what was said to be missing, at its field
    this.gone = new AbortController(); // what listens stops with the viewer
    this.around = new ResizeObserver(() => this.fit()); // a message above the viewer comes and goes
    const page = (parent.host || parent).closest(".stMainBlockContainer");
    if (page) this.around.observe(page);
    this.root.addEventListener("focusin", () => this.moving?.item && !this.fixed.finished && this.guide?.follow(this.clause(this.shown())));
    this.listen("resize", () => this.fit());
    this.listen("beforeunload", (event) => this.unsaved() && event.preventDefault());
  }

  destroy() {
    this.outbox.drop();
    this.edges.destroy();
    this.head?.hush();
    this.thread?.destroy();
    this.cleared();
    this.gone.abort();
    this.around.disconnect();
    this.root.remove();
  }

  // To the window, as long as the viewer is there; before the page hears it with `capture`.
  listen(kind, run, capture = false) {
    window.addEventListener(kind, run, { capture, signal: this.gone.signal });
  }

  // A server that was restarted knows nothing of this page until the whole page runs again.
  post(acts, tries) {
    if (tries % 2 === 1) document.querySelector(`.st-key-${this.rerun} button`)?.click();
    else this.send("acts", { client: this.outbox.client, person: this.person, have: this.key || "", acts });
  }

  // New data from the server: an answer to acts, another item, or the same again.
  receive(data, send) {
    this.send = send;
    const stayed = this.person === data.person;
    const before = this.moving;
    if (!stayed) this.outbox.drop();
    if (!stayed || before?.item !== data.moving?.item) this.held.length = 0;
    this.person = data.person;
    this.rerun = data.rerun;
    const left = this.leaving && data.ack.client === this.outbox.client && data.ack.seq >= this.leaving;
    if (left) this.leaving = 0;
    if (data.fixed) {
      useKeys(data.keys);
      this.words = withCaps(data.words);
      this.root.lang = this.words.locale;
      this.guideline = data.guideline;
      this.keys = boundKeys(this.screen, { ...this.taskKeys(), ...frameKeys(this) });
      const same = stayed && this.fixed && this.fixed.id === data.fixed.id && !data.fixed.finished;
      if (this.fixed && !same) letKeysRest(this);
      this.fixed = data.fixed;
      this.key = data.key;
      this.moving = data.moving;
      this.build(same);
    } else if (data.key !== this.key) {
      this.outbox.push({ kind: "refresh" });
      return;
    }
    const others = stayed && before && before.item === data.moving.item ? this.othersSaid(before, data) : null;
    this.moving = data.moving;
    nameInAddress(this);
    const queue = this.outbox.has((act) => act.kind === "queue") && data.queue; // not one told anew
    this.outbox.acknowledge(data.ack);
    this.paint();
    this.undoLeft();
    this.heard(data);
    if (data.thread && this.thread) {
      this.thread.show(data.thread);
      this.paint();
    }
    if (queue) this.listed(queue);
    if (others) this.head.tell(fill(this.words.met_other, others), "note");
    if (data.notice) this.notice(data.notice);
    this.back.arrived();
  }

  build(same) {
    const kept = same ? this.kept() : null;
    if (!same) this.unfolded.clear();
    const inside = this.root.contains(this.focused()) || this.focused() === document.body;
    const said = same ? this.said() : null;
    if (!same) this.meeting.clear();
    this.missing = null;
    if (!this.head) this.listen("keydown", keyListener(this), true);
    this.head?.hideTip();
    this.head?.hush();
    this.head = new Head(this);
    if (this.fixed.finished) this.buildFinished();
    else this.buildItem(same);
    this.fit();
    if (said) this.sayAgain(said);
    if (!this.fixed.finished) this.placed(kept, inside);
    if (!same) (this.parent.host || this.parent).closest(".stMain")?.scrollTo({ top: 0 });
    if (this.talking === this.fixed.id && !this.thread.open) this.thread.toggle();
    this.talking = null;
  }

  buildFinished() {
    if (this.thread) this.thread.destroy();
    this.thread = null;
    this.cleared();
    this.root.replaceChildren(this.head.root, finishedPane(this), this.head.tip);
  }

  buildItem(same) {
    if (this.thread) this.thread.destroy();
    this.thread = new ThreadPane(this);
    this.notes = new Notes(this);
    this.discuss = new Discuss(this);
    this.head.bars.append(this.discuss.root);
    this.work = element("div", { class: "work" }, this.drawn(), this.thread.root);
    this.guide = new GuidePane(this, this.guide);
    this.work.append(this.guide.root);
    fillAround(this.root, same, [this.head.root, this.work, this.notes.root, this.head.tip]);
    this.guide.placed();
  }

  // What the screen shows: what the server knows, with the acts on top that it has not answered yet.
  shown() {
    const shown = this.copied({ ...this.moving });
    for (const act of this.outbox.pending) {
      if (act.item !== this.moving.item) continue;
      if (act.kind === "comment") shown.comment = act.text;
      else if (act.kind === "flag") shown.flag = act.reason;
      else this.pend(shown, act);
    }
    return shown;
  }

  paint() {
    if (!this.moving) return;
    const shown = this.shown();
    this.root.classList.toggle("leaving", this.leaving > 0);
    this.root.classList.toggle("submitted", shown.status === "submitted");
    this.head.paint(shown);
    if (this.fixed.finished) return;
    this.missing?.follow();
    this.painted(shown);
    this.guide.paint(this.clause(shown));
    this.discuss.paint(shown);
    this.notes.paint(shown);
    this.thread.paint(shown, this.outbox.pending.filter((act) => act.kind === "say"));
  }

  unsaved() {
    return this.notes?.comment.dirty || this.outbox.has((act) => !this.asks.has(act.kind));
  }

  // What is submitted stays until it is taken back; say so instead of asking the server.
  refused() {
    if (this.submitted()) this.head.say(this.back.why(), "bad", this.back.wayToAsk());
    return this.submitted();
  }

  submitted() {
    return !this.fixed.finished && this.moving.status === "submitted";
  }

  // Submitted, and not to be taken back any more: somebody has decided on it.
  closed() {
    return this.submitted() && !this.moving.canTakeBack;
  }

  act(act) {
    if (this.leaving || this.refused() || this.meeting.holds(act)) return;
    this.outbox.push({ item: this.moving.item, ...this.madeFrom(act), ...act });
  }

  // Do something that leads to another item; until it is there, nothing else is taken.
  leave(act) {
    if (this.leaving || this.meeting.waits()) return;
    if (!this.fixed.finished) this.notes?.comment.keep();
    this.leaving = this.outbox.seq + 1;
    this.outbox.push({ item: this.moving.item, externalId: this.fixed.externalId, ...this.madeFrom(act), ...act });
  }

  submit(more = {}) {
    if (this.fixed.finished) return;
    const { status, revision } = this.moving; // what is shown, below the acts on their way
    if (status !== "submitted" && this.meeting.waits()) return;
    this.leave(status === "submitted" ? { kind: "next" } : { kind: "submit", confidence: this.notes.confidence.value, revision, ...more });
  }

  // Ctrl+Enter: sends the message that is being written, or else submits.
  finish(target) {
    if (this.thread && this.thread.writes(target)) this.thread.post();
    else this.submit();
  }

  // Open an item with its thread.
  talkAbout(item) {
    if (item !== this.moving.item && this.meeting.waits()) return;
    this.talking = item;
    if (item !== this.moving.item) this.leave({ kind: "open", item });
    else if (!this.thread.open) this.thread.toggle();
  }

  // The thread or the guideline came or went.
  widened() {
    this.work.classList.toggle("with-thread", this.thread.open);
    this.work.classList.toggle("with-guide", this.guide.open);
    this.paint();
  }

  // Takes back the last act on the draft that is open, and nothing elsewhere.
  undo() {
    if (this.refused()) return;
    if (this.canUndo()) {
      this.before = this.shown();
      this.act({ kind: "undo" });
    } else this.head.tell(this.words[this.moving.done ? "nothing_to_undo_back" : "nothing_to_undo"], "note");
  }

  canUndo() {
    const here = (act) => act.item === this.moving.item && !this.asks.has(act.kind);
    return !this.fixed.finished && (this.moving.canUndo || this.outbox.has(here));
  }

  askFlag() {
    if (this.meeting.holds({ kind: "flag" })) return;
    askReason(this, "flag", this.words.flag_title, this.shown().flag, (reason) => this.act({ kind: "flag", reason }));
  }

  askSkip() {
    if (this.meeting.waits()) return;
    askReason(this, "skip", this.words.skip_title, "", (reason) => this.leave({ kind: "skip", reason }));
  }

  askQueue() {
    if (!this.meeting.waits()) this.outbox.push({ kind: "queue" });
  }

  focused() {
    return this.root.getRootNode().activeElement || document.activeElement;
  }

  // What a fold of this name has to know.
  folding(name) {
    return { name, words: this.words, unfolded: this.unfolded };
  }

  // Fill the window below whatever stands above.
  fit() {
    const top = this.root.getBoundingClientRect().top;
    this.root.style.setProperty("--above", `${Math.max(0, Math.round(top))}px`);
  }

  // What a task says of its own; these hold where it says nothing.
  drawn() {} // the node of the item, between the top line and the bottom bar
  placed(_kept, _inside) {} // that node is on the page now: go where the person was
  kept() {} // where they are, before the same item is drawn anew
  cleared() {} // nothing is left of the item
  copied(shown) { return shown; } // what is shown, with a copy of what `pend` changes
  pend(_shown, _act) {} // apply an act of the task that the server has not answered yet
  painted(_shown) {} // paint the item
  saidBesides(_shown) { return ""; } // of the person's own answers what a discussion marks against
  voiceParts(_voice, _shown) { return []; } // what one of the others says in a discussion
  discussed(_voices) {} // what the others say came, changed or went
  undone(_before, _shown) {} // an undo of this window came back: lead to what it changed
  othersSaid(_before, _data) { return null; } // what another window has said meanwhile: {what, now}
  listed(queue) { openQueue(this, queue); } // the queue that was asked for
  heard(_data) {} // the server's answers to the task's own questions
  clause(_shown) { return []; } // what the guideline may call what is in hand, the best name first
  codebook() { return null; } // [name, text] of what the item asks, where the task's own are not its options
  missedAt(_field, _why) { return null; } // the field that a refusal is about: {missed, of}, with what it hangs `of`
  taskKeys() { return []; } // rows of the keyboard before the frame's
  tools(_notes) { return []; } // buttons of the bottom bar before the frame's
  takes(_target, _key) { return false; } // whether a part keeps a key for itself, or what it does then
  escaped() { return false; } // Escape outside of any field: whether it meant something
  focusWork() {} // back to the work from a field
}
