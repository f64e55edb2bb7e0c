// Two windows of one person meet: an act was made from something else than what another window has
// said since. Nothing is replaced; a line says what holds now beside what was about to be said, and
// asks which of the two it is to be. It takes no focus: somebody may be writing.

class Meeting {
  constructor(viewer) {
    this.viewer = viewer;
    this.open = []; // what is to be chosen: {act, text, theirs, mine, later}
    this.root = element("p", { class: "outrun met", hidden: true, role: "alert", "data-testid": "met" });
  }

  // `asked` is {text, theirs: [words, run], mine: [words, run], now}; `act` is what was not taken.
  add(act, asked) {
    this.open = this.open.filter((each) => !this.same(each.act, act));
    this.open.push({ act, later: [], ...asked });
    this.draw();
  }

  // An act that stood behind one that was not taken: it is sent once the choice is made. One of the
  // same window that says what holds already shows that nobody else said so.
  later(act) {
    const last = this.open.at(-1);
    const same = Boolean(last) && this.same(last.act, act);
    const may = this.viewer.subjectOf(act) && act.kind !== "skip"; // what leads on is not sent unasked
    if (same && last.whole) return;
    if (same && JSON.stringify(this.viewer.saidBy(act)) === JSON.stringify(last.now)) this.choose(false, last);
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
    (mine ? chosen.mine : chosen.theirs)[1]();
    const after = mine ? chosen.later : chosen.later.filter((act) => !this.same(act, chosen.act));
    after.forEach((act) => this.send(act));
    this.viewer.paint();
  }

  // Whether something is still to be chosen; says so.
  waits() {
    if (this.open.length) this.viewer.head.tell(this.viewer.words.met_first, "bad");
    return this.open.length > 0;
  }

  clear() {
    this.open = [];
    this.draw();
  }

  draw() {
    const [asked] = this.open;
    this.root.hidden = !asked;
    if (!asked) return;
    const way = (name, [words], cap) =>
      element("button", { type: "button", class: "plain", "data-testid": `met_${name}`, onclick: () => this.choose(name === "mine") }, words, keyCap(cap));
    const ways = element("span", { class: "ways" }, way("theirs", asked.theirs, "⇧ t"), way("mine", asked.mine, "⇧ m"));
    this.root.replaceChildren(element("span", { "data-testid": "met-text" }, asked.text), ways);
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
  return { text: fill(words.met_said, said), theirs: way("met_theirs", false), mine: way("met_mine", true), whole: Boolean(text), now };
}

function clockOf(viewer, at) {
  return new Date(at).toLocaleTimeString(viewer.words.locale, { hour: "2-digit", minute: "2-digit" });
}
