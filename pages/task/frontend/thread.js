// The thread of an item, beside it: what its people say to each other. Others' messages come from
// the server once the person has submitted; what is on its way to the server is shown as such.

const THREAD_POLL_MS = 20000;
const QUOTE = 90; // characters of the message answered

class ThreadPane extends Part {
  constructor(viewer) {
    super(viewer);
    this.item = viewer.moving.item;
    this.messages = [];
    this.replying = null;
    this.close = button({ "aria-label": this.words.thread_close, onclick: () => this.toggle() }, icon("cross"), keyCap(capOf("thread")));
    this.lead = element("p", { class: "quiet", "data-testid": "thread-lead" });
    this.list = element("ol", {});
    this.log = element("div", { class: "messages", role: "log", tabindex: "0", "aria-label": this.words.thread }, this.list);
    this.box = element("textarea", {
      rows: "3",
      maxlength: "5000",
      placeholder: this.words.thread_write,
      "aria-label": this.words.thread_write,
      "data-testid": "thread-text",
      oninput: () => this.remember(),
    });
    this.place = unsentPlace(viewer.person, this.item, "message");
    this.box.value = keptHere(this.place);
    this.answering = element("p", { class: "answering", hidden: true });
    const send = button({ type: "submit", "data-testid": "thread-send" }, this.words.thread_send, keyCap(capOf("submit")));
    this.root = element("aside", { class: "thread", hidden: true, "aria-label": this.words.thread, "data-testid": "thread" },
      element("header", {}, element("h2", { class: "eyebrow" }, this.words.thread), this.close),
      this.lead,
      this.log,
      element("form", { onsubmit: (event) => this.sent(event) }, this.answering, this.box, send),
    );
  }

  get open() {
    return !this.root.hidden;
  }

  toggle(toWrite = true) {
    this.root.hidden = this.open;
    clearInterval(this.timer);
    this.viewer.widened();
    if (!this.open) {
      this.viewer.focusWork();
      return;
    }
    this.ask();
    this.timer = setInterval(() => document.hidden || this.ask(), THREAD_POLL_MS);
    if (toWrite) this.box.focus({ preventScroll: true });
  }

  ask() {
    this.viewer.outbox.replace({ kind: "thread", item: this.item });
  }

  // Whether a key pressed at `target` is meant for the message being written.
  writes(target) {
    return this.open && target === this.box;
  }

  sent(event) {
    event.preventDefault();
    this.post();
  }

  post() {
    const text = this.box.value.trim();
    if (!text) return;
    this.viewer.outbox.push({ kind: "say", item: this.item, text, replyTo: this.replying });
    this.box.value = "";
    this.remember();
    this.answer(null);
  }

  // What was not taken comes back to be changed, before anything written since.
  refused({ text, replyTo }) {
    this.box.value = [text, this.box.value].filter(Boolean).join("\n");
    this.remember();
    this.answer(replyTo);
  }

  answer(id) {
    const message = this.messages.find((each) => each.id === id);
    this.replying = message ? id : null;
    this.answering.hidden = !message;
    if (!message) return;
    const cancel = button({ "aria-label": this.words.thread_no_reply, onclick: () => this.answer(null) }, icon("cross"));
    const named = fill(this.words.thread_replying, { name: message.person });
    this.answering.replaceChildren(element("bdi", {}, named), cancel);
    this.box.focus({ preventScroll: true });
  }

  // A message being written outlives a reload of this tab.
  remember() {
    keepHere(this.place, this.box.value);
  }

  show({ item, messages }) {
    if (item !== this.item) return;
    this.messages = messages;
    if (this.replying && !messages.some((each) => each.id === this.replying)) this.answer(null);
    this.drawnNow = null;
  }

  // Painted with every answer: `pending` are the person's messages that are not acknowledged yet.
  paint(shown, pending) {
    if (!this.open) return;
    if (shown.messages !== this.messages.length && shown.messages !== this.asked) {
      this.asked = shown.messages; // others have written since: ask, once for each change
      this.ask();
    }
    this.lead.textContent = shown.locked ? this.words.thread_open : this.words.thread_closed;
    if (!isNew(this, [this.messages.map((each) => each.id), pending.map((each) => each.seq)])) return;
    this.list.replaceChildren(...this.messages.map((each) => this.row(each)), ...pending.map((each) => this.waiting(each)));
    this.log.scrollTop = this.log.scrollHeight;
  }

  row(message) {
    const answered = this.messages.find((each) => each.id === message.replyTo);
    const reply = button({ class: "plain reply", "data-testid": "reply", onclick: () => this.answer(message.id) }, this.words.thread_reply);
    return element("li", { class: message.mine ? "said mine" : "said", "data-testid": "message-said" },
      element("header", {},
        element("bdi", { class: "who" }, message.person),
        element("span", { class: "quiet" }, message.role),
        message.kind ? element("span", { class: "chip", "data-testid": "message-kind" }, this.words[`message_${message.kind}`]) : null,
        element("time", { class: "quiet", datetime: message.at }, dayAndTime(this.viewer, message.at)),
      ),
      answered ? this.quote(answered) : null,
      this.body(message).nodes,
      reply,
    );
  }

  body({ id, text }) {
    const box = element("div", { class: "words", dir: "auto" });
    return runningFold(box, [[text, null]], this.viewer.folding(`message-${id}`));
  }

  quote({ person, text }) {
    return element("blockquote", {}, element("bdi", { class: "who" }, person), element("p", { dir: "auto" }, shortened(text, QUOTE)));
  }

  waiting({ text }) {
    const note = element("p", { class: "quiet" }, this.words.thread_sending);
    return element("li", { class: "said mine waiting" }, element("p", { class: "words", dir: "auto" }, text), note);
  }

  destroy() {
    clearInterval(this.timer);
  }
}
