// The top line (which item, how far, is it saved), messages and the tooltip.

const NOTICE_MS = 8000;
const TIP_MS = 450;
const ACTS = ["pointermove", "pointerdown", "wheel", "keydown"]; // somebody is there to read

class Head extends Part {
  constructor(viewer) {
    super(viewer);
    this.place = element("strong", { class: "position", role: "status", "data-testid": "progress" });
    this.track = element("progress", { class: "track", "aria-label": this.words.done });
    this.status = element("span", { class: "state", "data-testid": "item-status" });
    this.saved = element("span", { class: "saved", role: "status", "aria-live": "polite", "data-testid": "save-state" });
    this.message = element("p", { class: "message", role: "alert", hidden: true, "data-testid": "message" });
    this.lead = element("p", { class: "message calm lead", hidden: true, "data-testid": "lead" }); // what is asked, until one begins
    this.way = element("span", { class: "way", hidden: true }); // on from what the message says
    // The law was amended since this was decided; the guideline has a new version since this draft was begun.
    this.outrun = this.barOf("outrun", this.words.outrun, button({ "data-testid": "recheck", action: "recheck", onclick: () => recheck(viewer) }, this.words.recheck));
    this.newer = this.barOf("newer", this.words.newer, button({ "data-testid": "read-newer", onclick: () => viewer.guide.read() }, this.words.read_newer));
    this.again = this.barOf("again"); // answers were taken over to a new version: something is to be answered again
    this.sentBack = element("div", { class: "outrun told", hidden: true, "data-testid": "sent-back" });
    this.declined = element("div", { class: "outrun told", hidden: true, "data-testid": "declined" });
    this.bars = element("div", { class: "bars" }, viewer.meeting.root, this.sentBack, this.declined, this.again, this.outrun, this.newer);
    this.tip = element("div", { class: "tip", role: "tooltip", hidden: true });
    this.talk = this.tool("talk", this.words.thread, "thread", "open-thread", () => viewer.thread.toggle());
    this.badge = element("span", { class: "badge", hidden: true, "data-testid": "thread-count" });
    this.talk.insertBefore(this.badge, this.talk.lastChild);
    this.root = element("header", { class: "top" },
      this.place,
      element("span", { class: "quiet", "data-testid": "item-id" }, viewer.fixed.externalId || ""),
      this.track,
      this.status,
      this.saved,
      this.message,
      this.lead,
      this.way,
      element("nav", { class: "tools", "aria-label": this.words.tools },
        this.tool("list", this.words.queue, "queue", "open-queue", () => viewer.askQueue()),
        viewer.fixed.finished ? null : this.talk,
        this.tool("book", this.words.guideline, "guideline", "open-guideline", () => openGuideline(viewer)),
        this.tool(null, this.words.keys, "help", "open-keys", () => openKeys(viewer)),
      ),
    );
  }

  // What is said above the item, with the way on from it.
  barOf(name, words, way) {
    return element("p", { class: "outrun", hidden: true, "data-testid": name }, element("span", {}, words), way);
  }

  // A bar of several lines, with what `lines(told)` returns; hidden where nothing is `told`.
  paintBar(bar, told, lines) {
    bar.hidden = !told;
    if (told) bar.replaceChildren(...lines(told));
  }

  // Given back to this person alone: by whom and why, and keeping the answer as it is.
  sentBackLines([name, reason, stands]) {
    const keep = () => button({ "data-testid": "keep-sent-back", onclick: () => this.viewer.back.keep() }, this.words.keep_mine);
    const [by, how] = [fill(this.words.sent_back_to_you, { name }), this.words[stands ? "sent_back_how" : "sent_back_changing"]];
    return [quietLine(by), element("p", { class: "why", dir: "auto" }, reason), quietLine(how), ...(stands ? [keep()] : [])];
  }

  // Asked for and not given back: when, by whom that was declined and why. Asking again is in the top line.
  declinedLines([asked, name, reason]) {
    const by = fill(this.words.declined_by, { at: dayAndTime(this.viewer, asked), name });
    return [quietLine(by), element("p", { class: "why", dir: "auto" }, fill(this.words.declined_why, { reason }))];
  }

  tool(shape, words, action, name, run) {
    return button({ "data-testid": name, action, onclick: run }, shape ? icon(shape) : null, words);
  }

  paint(shown) {
    const { viewer } = this;
    const { position, total, done } = shown;
    this.place.textContent = position
      ? fill(this.words.progress, { position, total })
      : fill(this.words.progress_done, { done, total });
    Object.assign(this.track, { max: total || 1, value: done });
    this.track.title = fill(this.words.progress_done, { done, total });
    this.status.textContent = shown.status ? this.words[`item_${shown.status}`] : "";
    this.status.className = `state ${shown.status || ""}`;
    const saving = viewer.unsaved();
    viewer.root.dataset.save = saving ? "saving" : "saved";
    const late = viewer.outbox.tries > 0;
    this.saved.textContent = saving ? this.words[late ? "retrying" : "saving"] : this.words.saved;
    this.saved.classList.toggle("saving", Boolean(saving));
    if (viewer.fixed.finished) return;
    this.lead.textContent = firstQuestion(viewer.guideline, shown);
    this.lead.hidden = !this.lead.textContent;
    this.badge.textContent = String(shown.messages);
    this.badge.hidden = !shown.messages;
    this.talk.setAttribute("aria-expanded", String(viewer.thread.open));
    this.outrun.hidden = !shown.outrun;
    this.paintBar(this.sentBack, shown.sentBack, (told) => this.sentBackLines(told));
    this.paintBar(this.declined, shown.asked ? null : shown.declined, (told) => this.declinedLines(told));
    this.again.hidden = !shown.again;
    const [kind, number, reason] = shown.again || [];
    if (kind) this.again.textContent = fill(this.words[`again_${kind}`], { number, reason });
    this.newer.hidden = !(shown.begunUnder || []).some(Boolean);
    const calm = this.message.classList.contains("calm") && !this.message.hidden;
    const why = this.viewer.back.why();
    if (shown.status === "submitted" && (this.message.hidden || (calm && this.message.textContent !== why))) {
      this.say(why, "calm", this.viewer.back.wayToAsk());
    } else if (shown.status !== "submitted" && this.message.classList.contains("calm")) this.say("", "");
  }

  say(text, tone, way = null) {
    this.hush();
    this.way.replaceChildren(...(way ? [way] : []));
    this.way.hidden = !way;
    this.message.textContent = text;
    this.message.className = `message ${tone}`;
    this.message.hidden = !text;
  }

  // What is said no longer holds.
  unsay(text) {
    if (this.message.textContent === text) this.say("", "");
  }

  // Say it until a while after the person's next act (who looked away meanwhile has not read it),
  // then what is to be said of the item all the time.
  tell(text, tone, way) {
    this.say(text, tone, way);
    this.unread = new AbortController();
    const { signal } = this.unread;
    for (const act of ACTS) window.addEventListener(act, () => this.read(), { capture: true, passive: true, signal });
  }

  read() {
    this.hush();
    this.timer = setTimeout(() => {
      this.say("", "");
      this.viewer.paint();
    }, NOTICE_MS);
  }

  // Nothing that is said waits to be taken away.
  hush() {
    this.unread?.abort();
    clearTimeout(this.timer);
  }

  showTip(anchor, text) {
    const box = anchor.getClientRects()[0];
    this.tip.textContent = text;
    this.tip.hidden = false;
    const width = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - width - 8))}px`;
    const below = box.bottom + 6;
    const fits = below + this.tip.offsetHeight < window.innerHeight;
    this.tip.style.top = `${fits ? below : box.top - this.tip.offsetHeight - 6}px`;
  }

  // A mouse that rests there wants it; one that passes does not.
  tipSoon(anchor, text) {
    clearTimeout(this.tipTimer);
    this.tipTimer = setTimeout(() => this.showTip(anchor, text), TIP_MS);
  }

  hideTip() {
    clearTimeout(this.tipTimer);
    this.tip.hidden = true;
  }
}

const quietLine = (text) => element("p", { class: "quiet" }, text);

// Takes up what was decided again, on the law in use.
function recheck(viewer) {
  if (viewer.moving.outrun) viewer.leave({ kind: "recheck" });
}

const LEAD_LENGTH = 200; // characters of the first sentence of a guideline

// What the guideline asks first, for somebody who has begun nothing of a task; "" for others.
function firstQuestion(guideline, { done, status, discussion }) {
  if (done || status !== "todo" || discussion) return "";
  const { pieces = [] } = guideline?.blocks.find(({ kind }) => kind === "paragraph") || {};
  const said = pieces.filter(([, strong]) => !strong).map(([text]) => text).join("").trim();
  const [sentence] = said.match(/^[^]*?[.?!](?=\s|$)/) || [said];
  return sentence.length > LEAD_LENGTH ? "" : sentence;
}
