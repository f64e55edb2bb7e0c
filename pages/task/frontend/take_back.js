// Taking a submission back: an act of its own, which names its item and asks first; and the ways to it.
// One that is final is asked for instead, and one that was given back may be kept as it is.

class TakingBack extends Part {
  constructor(viewer) {
    super(viewer);
    this.asking = false; // whether to ask, once the item on its way is open
    this.from = null; // the item that was open when it was asked for; null at the end of the queue
  }

  // Asks about the submission that is open, or else about the last one, once it is open.
  // `from` is the item to return to if the answer is no.
  begin(from) {
    const { viewer } = this;
    if (viewer.leaving) return;
    if (!viewer.submitted()) this.go({ kind: "back", submitted: true }, true);
    else if (viewer.closed()) viewer.refused();
    else this.ask(from);
  }

  go(act, asking) {
    const { viewer } = this;
    if (viewer.leaving || viewer.meeting.waits()) return;
    this.asking = asking;
    this.from = viewer.moving.item;
    viewer.leave(act);
  }

  // At the item that was gone to.
  arrived() {
    if (!this.asking || this.viewer.leaving) return;
    this.asking = false;
    if (this.viewer.submitted()) this.begin(this.from);
  }

  // Back to where the person was when they asked for a submission that was not open.
  goBack(from) {
    if (from === undefined || from === this.viewer.moving.item) return;
    this.viewer.leave(from === null ? { kind: "next" } : { kind: "open", item: from });
  }

  ask(from) {
    const { viewer } = this;
    let meant = false;
    const way = (name, cls, run) =>
      button({ class: cls, "data-testid": `take-back-${name}`, onclick: run }, this.words[`take_back_${name}`]);
    const confirm = way("confirm", "primary", () => {
      meant = true;
      dialog.close();
      viewer.leave({ kind: "take_back" });
    });
    const keep = way("keep", "plain", () => dialog.close());
    const title = fill(this.words.take_back_title, { id: viewer.fixed.externalId });
    const body = element("div", { class: "asked-first" }, element("p", {}, this.words.take_back_lead), element("footer", {}, keep, confirm));
    const dialog = openDialog(viewer, "take-back", title, body, () => meant || this.goBack(from));
    confirm.focus();
  }

  // From the line that says what was just submitted or skipped, the way back to it; else none.
  way({ what, item }) {
    const ways = { submitted: ["take_back_ask", "take_back"], skipped: ["go_back", "back"] };
    if (!ways[what]) return null;
    const [words, action] = ways[what];
    const run = () => this.go({ kind: "open", item }, what === "submitted");
    return button({ "data-testid": "way-back", onclick: run }, this.words[words], keyCap(capOf(action)));
  }

  // Why what is submitted cannot be changed as it stands.
  why() {
    const { words, moving } = this.viewer;
    if (moving.sentBack && moving.canTakeBack) return words.submitted_sent_back;
    if (moving.locked) return words[moving.asked ? "submitted_asked" : "submitted_locked"];
    return words[this.viewer.closed() ? "submitted_for_good" : "submitted_already"];
  }

  // From the line that says so, the way on to ask for it back; else none.
  wayToAsk() {
    const { words, moving } = this.viewer;
    if (!moving.locked || moving.asked) return null;
    const run = () => this.askForIt();
    return button({ "data-testid": "ask-back", onclick: run }, words[moving.declined ? "ask_again" : "ask_back"]);
  }

  askForIt() {
    const { words, outbox, moving, fixed } = this.viewer;
    const act = { kind: "ask_back", item: moving.item, externalId: fixed.externalId };
    askReason(this.viewer, "ask_back", words.ask_back_title, "", (reason) => outbox.push({ ...act, reason }));
  }

  // Keeps as it is what was sent back and stands; it leads on to the next item, as submitting does.
  keep() {
    const { discussion, sentBack } = this.viewer.moving;
    const [, , stands] = sentBack || [];
    if (stands || (discussion && discussion.canKeep)) this.viewer.leave({ kind: "keep" });
  }
}
