// The viewer: puts the pieces together, holds the cursor and talks with the server.

const NOTICE_MS = 8000;
const ASKS = new Set(["search", "graph"]); // acts that change nothing

class Viewer {
  constructor(parent) {
    this.parent = parent;
    this.path = window.location.pathname;
    this.root = element("div", { class: "viewer", "data-testid": "mapping-viewer" });
    parent.append(this.root);
    this.key = null;
    this.cards = [];
    this.at = 0;
    this.leaving = 0;
    this.outbox = new Outbox(
      (acts, tries) => this.post(acts, tries),
      () => this.paint(),
      (act, message) => this.fail(message),
    );
    this.listener = null;
    this.resized = () => this.fit();
    this.around = new ResizeObserver(this.resized); // a message above the viewer comes and goes
    const page = (parent.host || parent).closest(".stMainBlockContainer");
    if (page) this.around.observe(page);
    this.warn = (event) => this.unsaved() && event.preventDefault();
    window.addEventListener("resize", this.resized);
    window.addEventListener("beforeunload", this.warn);
  }

  destroy() {
    this.outbox.drop();
    clearTimeout(this.noticeTimer);
    closedGraph(this);
    if (this.listener) window.removeEventListener("keydown", this.listener, true);
    window.removeEventListener("resize", this.resized);
    this.around.disconnect();
    window.removeEventListener("beforeunload", this.warn);
    this.root.remove();
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
    if (!stayed) this.outbox.drop();
    this.person = data.person;
    this.rerun = data.rerun;
    const left = this.leaving && data.ack.client === this.outbox.client && data.ack.seq >= this.leaving;
    if (left) this.leaving = 0;
    if (data.fixed) {
      this.words = data.words;
      this.guideline = data.guideline;
      this.keys = keyTable(this);
      const same = stayed && this.fixed && this.fixed.id === data.fixed.id && !data.fixed.finished;
      this.fixed = data.fixed;
      this.key = data.key;
      this.moving = data.moving;
      this.build(same);
    } else if (data.key !== this.key) {
      this.outbox.push({ kind: "refresh" });
      return;
    }
    this.moving = data.moving;
    nameInAddress(this);
    this.outbox.acknowledge(data.ack);
    this.paint();
    if (data.found) this.search.show(data.found);
    if (data.graph && this.graph) this.graph.show(data.graph);
    if (data.queue) openQueue(this, data.queue);
    if (data.notice) this.notice(data.notice);
    if (this.adding) this.jumpTo(this.adding);
  }

  build(same) {
    const kept = same && this.current() ? this.current().unit : null;
    const scroll = same ? this.list.scrollTop : 0;
    const inside = this.root.contains(this.focused()) || this.focused() === document.body;
    const typed = same && this.notes.dirty ? this.notes.comment.value : null;
    if (this.head) this.head.hideTip();
    if (this.fixed.finished) this.buildFinished();
    else this.buildItem();
    if (!this.listener) {
      this.listener = keyListener(this);
      window.addEventListener("keydown", this.listener, true);
    }
    this.fit();
    this.remeasure();
    this.at = Math.max(0, this.cards.findIndex((card) => card.unit === kept));
    this.trail = new Trail(this);
    if (typed !== null) {
      this.notes.comment.value = typed;
      this.notes.typed();
    }
    if (this.current()) this.current().setCursor(true);
    this.trail.link(this.cursorCitations());
    if (this.list) this.list.scrollTop = scroll;
    if (inside && this.current()) this.current().root.focus({ preventScroll: true });
  }

  buildFinished() {
    this.cards = [];
    this.list = null;
    this.head = new Head(this);
    this.root.replaceChildren(this.head.root, finishedPane(this), this.head.tip);
  }

  buildItem() {
    this.cards = this.fixed.candidates.map((each, index) => new Card(each, index + 1, this));
    this.head = new Head(this);
    this.search = new SearchBox(this);
    this.notes = new Notes(this);
    const looking = closedGraph(this);
    this.graph = new GraphPane(this);
    this.list = cardList(this);
    this.answer = answerPane(this.fixed, this);
    this.root.replaceChildren(
      this.head.root,
      element(
        "div",
        { class: "panes" },
        this.answer,
        this.graph.root,
        element(
          "section",
          { class: "list-pane", "aria-label": this.words.candidates },
          element("div", { class: "list-head" }, this.head.counts, this.search.root),
          element("div", { class: "bars" }, this.head.outrun, this.head.newer),
          this.list,
        ),
      ),
      this.notes.root,
      this.head.tip,
    );
    if (looking) this.graph.toggle();
  }

  // The cards have another width: what is long and where its window stands must be found anew.
  remeasure() {
    this.cards.forEach((card) => card.measure());
    this.cards.forEach((card) => card.clip());
  }

  paint() {
    if (!this.moving) return;
    const shown = withPending(this.moving, this.outbox.pending);
    this.root.classList.toggle("leaving", this.leaving > 0);
    this.root.classList.toggle("submitted", shown.status === "submitted");
    this.head.paint(shown);
    if (this.fixed.finished) return;
    this.cards.forEach((card) => card.paint(shown));
    this.notes.paint(shown);
  }

  unsaved() {
    return (this.notes && this.notes.dirty) || this.outbox.has((act) => !ASKS.has(act.kind));
  }

  // What a person does
  decide(card, decision) {
    if (this.leaving || this.refused()) return;
    const now = withPending(this.moving, this.outbox.pending).decisions[card.unit];
    const habit = card.unit === this.justAdded && decision === "accept" && now === "accept";
    this.justAdded = null;
    if (habit) return; // adding accepted it already; pressing accept after it must not clear that
    this.act({ kind: "label", unit: card.unit, decision: now === decision ? null : decision });
  }

  // What is submitted stays until it is undone; say so instead of asking the server.
  refused() {
    const submitted = this.moving.status === "submitted";
    if (submitted) this.head.say(this.words.submitted_already, "bad");
    return submitted;
  }

  act(act) {
    if (this.leaving || (act.kind !== "undo" && this.refused())) return;
    this.outbox.push({ item: this.moving.item, ...act });
  }

  // Do something that leads to another item; until it is there, nothing else is taken.
  leave(act) {
    if (this.leaving) return;
    if (this.notes && !this.fixed.finished) this.notes.keep();
    this.leaving = this.outbox.seq + 1;
    this.outbox.push({ item: this.moving.item, externalId: this.fixed.externalId, ...act });
  }

  toggleNoProvision() {
    const now = withPending(this.moving, this.outbox.pending).noProvision;
    this.act({ kind: "no_provision", value: !now });
  }

  submit() {
    if (this.fixed.finished) return;
    this.leave({ kind: this.moving.status === "submitted" ? "next" : "submit" });
  }

  undo() {
    const busy = this.outbox.has((act) => act.item === this.moving.item);
    if (this.moving.canUndo || busy) this.act({ kind: "undo" });
    else if (this.moving.lastLeft) this.leave({ kind: "undo", item: this.moving.lastLeft });
  }

  askFlag() {
    const given = withPending(this.moving, this.outbox.pending).flag;
    askReason(this, "flag", this.words.flag_title, given, (reason) => this.act({ kind: "flag", reason }));
  }

  askSkip() {
    askReason(this, "skip", this.words.skip_title, "", (reason) => this.leave({ kind: "skip", reason }));
  }

  askQueue() {
    this.outbox.push({ kind: "queue" });
  }

  add(unit) {
    this.adding = unit;
    if (this.cardOf(unit)) this.jumpTo(unit);
    else {
      this.justAdded = unit;
      this.act({ kind: "add", unit });
    }
  }

  // Where the person is
  current() {
    return this.cards[this.at];
  }

  cardOf(unit) {
    return this.cards.find((card) => card.unit === unit);
  }

  cursorCitations() {
    return this.current() ? this.current().candidate.citations : [];
  }

  step(by) {
    const next = this.cards[this.at + by];
    this.trail.ring(null);
    if (next) this.moveTo(next, true);
    else this.focusCursor();
  }

  moveTo(card, scroll) {
    if (card !== this.current()) {
      if (this.current()) this.current().setCursor(false);
      this.at = this.cards.indexOf(card);
      card.setCursor(true);
      this.trail.link(card.candidate.citations);
      this.graph.follow(card);
    }
    if (!scroll) return;
    card.root.focus({ preventScroll: true });
    reveal(this.list, card.root, 8);
  }

  focusCursor() {
    if (this.current()) this.moveTo(this.current(), true);
    else if (this.focused()) this.focused().blur();
  }

  jumpTo(unit) {
    const card = this.cardOf(unit);
    if (!card) return;
    this.adding = null;
    this.moveTo(card, true);
  }

  focused() {
    return this.root.getRootNode().activeElement || document.activeElement;
  }

  notice({ what, externalId }) {
    this.head.say(fill(this.words[`notice_${what}`], { id: externalId }), "good");
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => this.head.say("", ""), NOTICE_MS);
  }

  fail(message) {
    this.leaving = 0;
    this.adding = null;
    clearTimeout(this.noticeTimer);
    this.head.say(message, "bad");
  }

  // Fill the window below whatever stands above.
  fit() {
    const top = this.root.getBoundingClientRect().top;
    this.root.style.setProperty("--above", `${Math.max(0, Math.round(top))}px`);
  }
}
