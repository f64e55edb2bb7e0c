// Two windows of one person meet: an act was made from something else than what another window has
// said since. Nothing is replaced; a line says what holds now beside what was about to be said, and
// asks which of the two it is to be. It takes no focus: somebody may be writing.

class Meeting {
  constructor(viewer) {
    this.viewer = viewer;
    this.open = []; // what is to be chosen: {act, text, theirs, mine, later}
    this.choosing = false; // whether what is being done was just chosen
    this.root = element("p", { class: "outrun met", hidden: true, role: "alert", "data-testid": "met" });
    viewer.root.addEventListener("focusin", (event) => this.typing(event.target));
    viewer.root.addEventListener("focusout", (event) => this.typing(event.relatedTarget));
  }

  // `asked` is {text, theirs: [words, run], mine: [words, run], now}; `act` is what was not taken.
  add(act, asked) {
    this.open = this.open.filter((each) => !this.same(each.act, act));
    this.open.push({ later: [], ...asked, act });
    this.draw();
  }

  // An act that stood behind one that was not taken: it is sent once the choice is made. One of the
  // same window that says what holds already shows that nobody else said so; another on the same is
  // what this window says now.
  later(act) {
    const last = this.open.at(-1);
    const same = Boolean(last) && this.same(last.act, act);
    const may = this.viewer.subjectOf(act) && act.kind !== "skip"; // what leads on is not sent unasked
    if (same && last.whole) return;
    if (same && JSON.stringify(this.viewer.saidBy(act)) === JSON.stringify(last.now)) this.choose(false, last);
    else if (same) this.add(act, { ...twoSayings(this.viewer, act, last.told), later: last.later });
    else if (may && last) last.later.push(act);
    else if (may) this.send(act); // chosen already
  }

  send({ seq: _, ...act }) {
    this.viewer.act(act);
  }

  same(one, other) {
    return this.viewer.subjectOf(one) === this.viewer.subjectOf(other);
  }

  choose(mine, chosen = this.open[0]) {
    if (!chosen) return;
    this.open = this.open.filter((each) => each !== chosen);
    this.draw();
    this.viewer.head.unsay(this.viewer.words.met_first);
    this.choosing = true;
    (mine ? chosen.mine : chosen.theirs)[1]();
    this.choosing = false;
    chosen.later.forEach((act) => this.send(act));
    this.viewer.paint();
  }

  // Whether something is still to be chosen before anything that leads on; says so.
  waits() {
    const waits = this.open.length > 0 && !this.choosing;
    if (waits) this.viewer.head.tell(this.viewer.words.met_first, "bad");
    return waits;
  }

  // Whether an act waits for the choice, since it would change what is to be chosen; says so. A text
  // does not: it is chosen as it stands. To go on deciding leaves what an undo would have taken back.
  holds(act) {
    if (!this.open.length || this.choosing) return false;
    const undo = act.kind === "undo";
    if (!undo && this.viewer.subjectOf(act)) this.leaveUndo();
    const text = this.viewer.textOf(act) || act.revision !== undefined;
    const bears = undo || (!text && this.open.some((each) => this.viewer.bearOn(each.act, act)));
    return bears && this.waits();
  }

  leaveUndo() {
    const undo = this.open.find((each) => each.act.kind === "undo");
    if (undo) this.choose(false, undo);
  }

  clear() {
    this.open = [];
    this.draw();
  }

  draw() {
    const [asked] = this.open;
    this.root.hidden = !asked;
    if (!asked) return;
    const first = () => element("span", { class: "first", "aria-hidden": "true" }, this.viewer.words.met_typing);
    const stay = (event) => event.preventDefault(); // a field that lost the focus would move the button from under the mouse
    const way = (name, [words], cap) =>
      button({ "data-testid": `met_${name}`, onmousedown: stay, onclick: () => this.choose(name === "mine") }, element("span", {}, words), first(), keyCap(cap));
    const ways = element("span", { class: "ways" }, way("theirs", asked.theirs, capOf("met_theirs")), way("mine", asked.mine, capOf("met_mine")));
    this.root.replaceChildren(element("span", { "data-testid": "met-text" }, asked.text), ways);
    this.typing(this.viewer.focused());
  }

  // In a field the keys are letters: then the buttons say how to leave it first.
  typing(target) {
    this.root.classList.toggle("typing", isTyping(target));
  }
}

function meet(viewer, act, told) {
  viewer.meeting.add(act, act.kind === "undo" ? unseenUndo(viewer, told) : twoSayings(viewer, act, told));
}

// An undo that would take back what another window did, with the name of that.
function unseenUndo(viewer, { now, at }) {
  const { words } = viewer;
  const done = now.field === undefined ? now : { ...now, kind: "answer" }; // as the screen calls it
  const what = fill(words.met_done, { what: viewer.nameOf(done), said: viewer.saying(done, viewer.saidBy(done)) });
  const undo = () => viewer.act({ kind: "undo" });
  return { text: fill(words.met_undo, { what, time: clockOf(viewer, at) }), theirs: [words.met_leave, () => {}], mine: [words.met_undo_it, undo], whole: true };
}

// What was said here and there. A text that is being written is chosen as it stands then.
function twoSayings(viewer, act, { now, at }) {
  const { words } = viewer;
  const text = viewer.textOf(act);
  const said = { what: viewer.nameOf(act), now: viewer.saying(act, now), mine: viewer.saying(act, viewer.saidBy(act)), time: clockOf(viewer, at) };
  const again = () => viewer[act.kind === "skip" ? "leave" : "act"]({ ...act, seq: undefined, revision: undefined, was: now });
  const run = (mine) => () => (text ? text.choose(mine, now) : mine && again());
  const way = (name, mine) => [fill(words[name], said), run(mine)];
  return { text: fill(words.met_said, said), theirs: way("met_theirs", false), mine: way("met_mine", true), whole: Boolean(text), now, told: { now, at } };
}

function dayAndTime(viewer, at) {
  return new Date(at).toLocaleString(viewer.words.locale, { dateStyle: "medium", timeStyle: "short" });
}

function clockOf(viewer, at) {
  return new Date(at).toLocaleTimeString(viewer.words.locale, { hour: "2-digit", minute: "2-digit" });
}
