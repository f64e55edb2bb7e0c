// The steps: judging the question by itself, then, having seen what the machine says, its gold and
// what is to become of it. The step in hand is open; the one before it tells what was answered.

const STAGES = ["alone", "told"];
const CRITERIA = ["voice", "context", "framing", "one_view"];
const DIFFICULTIES = ["L1", "L2", "L3", "L4"];
const VERDICTS = ["keep", "edit", "reject"];
const GOLD = "gold:"; // before a provision, in the name of what is asked about it

function stageOf(shown) {
  if (shown.status === "submitted") return "done";
  return shown.answers.revealed ? "told" : "alone";
}

// Answers with one field for each provision.
function flat(answers) {
  const each = Object.entries(answers.gold || {}).map(([unit, said]) => [`${GOLD}${unit}`, said]);
  return { ...answers, ...Object.fromEntries(each) };
}

// Whether a question is kept although it fails a criterion by what the same person says of it.
function againstItself(answers) {
  return answers.verdict === "keep" && CRITERIA.some((name) => answers[name] === "no");
}

// What a stage asks, in order, given what is answered so far.
function fieldsOf(viewer, stage, shown) {
  if (stage === "alone") return [...CRITERIA, "difficulty"];
  const { answers } = shown;
  const { verdict, cause } = answers;
  const gold = verdict === "reject" ? [] : provisionsOf(viewer, shown).map(({ unit }) => `${GOLD}${unit}`);
  const fields = [...gold, "verdict"];
  if (verdict === "edit") fields.push("edit");
  if (verdict === "edit" || verdict === "reject") fields.push("cause");
  const words = verdict && (againstItself(answers) || cause === "other");
  return words ? [...fields, "reason"] : fields;
}

function missingOf(viewer, stage, shown) {
  const said = flat(shown.answers);
  return fieldsOf(viewer, stage, shown).find((field) => said[field] === undefined) || null;
}

class Steps {
  constructor(viewer) {
    this.viewer = viewer;
    const { words, fixed } = viewer;
    const worded = (values, name) => values.map((value) => [value, words[`${name}_${value}`], null]);
    const made = [
      ...CRITERIA.map((name) => new Ask(viewer, name, worded(["yes", "no"], "says"))),
      new Ask(viewer, "difficulty", DIFFICULTIES.map((level) => [level, words[`difficulty_${level}`], words[`hint_${level}`]])),
      new Ask(viewer, "verdict", worded(VERDICTS, "verdict")),
      new Ask(viewer, "cause", fixed.causes),
    ];
    this.asks = new Map(made.map((ask) => [ask.field, ask]));
    this.reason = new Reason(viewer);
    this.edit = editRow(viewer);
    this.gold = element("div", { class: "gold-rows" });
    this.steps = STAGES.map((stage) => this.step(stage));
    this.root = element("div", { class: "steps" }, this.steps.map(({ root }) => root));
  }

  step(stage) {
    const { words } = this.viewer;
    const row = (field) => this.asks.get(field).root;
    const told = element("p", { class: "told" });
    const rows = stage === "alone"
      ? [...CRITERIA, "difficulty"].map(row)
      : [this.gold, row("verdict"), this.edit.root, row("cause"), this.reason.root];
    const on = stage === "alone" ? this.onward() : null;
    const ahead = on && element("div", { tabindex: "-1" }, on);
    const layers = stage === "told" ? layersPane(this.viewer, this.viewer.fixed.found) : null;
    const body = element("div", { class: "body" }, layers, rows, ahead);
    const number = element("span", { class: "number" }, String(STAGES.indexOf(stage) + 1));
    const root = element(
      "section",
      { class: "step", "data-testid": `step-${stage}` },
      element("header", {}, number, element("h2", {}, words[`step_${stage}`]), told),
      body,
    );
    const missed = on && new Missed(this.viewer, ahead);
    return { stage, root, told, on, body, missed };
  }

  at(stage) {
    return this.steps.find((step) => step.stage === stage);
  }

  onward() {
    const { viewer } = this;
    const run = () => { viewer.focusWork(); viewer.reveal(); };
    return element(
      "button",
      { type: "button", class: "onward", "data-testid": "revealed", onclick: run, onkeydown: onceOnly },
      element("span", {}, viewer.words.gate_revealed),
      keyCap(capOf("go_on")),
    );
  }

  // A row for each provision: made when it is first shown.
  goldAsks(shown) {
    const { words } = this.viewer;
    const found = provisionsOf(this.viewer, shown).map(({ unit, head }) => {
      const field = `${GOLD}${unit}`;
      if (!this.asks.has(field)) {
        this.asks.set(field, new Ask(this.viewer, field, [["yes", words.belongs_yes, null], ["no", words.belongs_no, null]], head));
      }
      return this.asks.get(field).root;
    });
    const now = [...this.gold.children];
    if (now.length !== found.length || found.some((root, at) => root !== now[at])) this.gold.replaceChildren(...found);
  }

  paint(shown, active) {
    const stage = stageOf(shown);
    const at = stage === "done" ? STAGES.length : STAGES.indexOf(stage);
    this.goldAsks(shown);
    this.steps.forEach((step, index) => {
      const open = index === at || (stage === "done" && step.stage === "told");
      step.root.classList.toggle("open", open);
      step.root.classList.toggle("past", index < at);
      step.root.classList.toggle("ahead", index > at);
      step.body.hidden = !open;
      step.told.textContent = index < at && !open ? this.summary(shown.answers) : "";
      if (step.on) step.on.classList.toggle("ready", open && missingOf(this.viewer, step.stage, shown) === null);
    });
    const wanted = fieldsOf(this.viewer, "told", shown);
    this.gold.hidden = shown.answers.verdict === "reject";
    this.asks.get("cause").root.hidden = !wanted.includes("cause");
    this.edit.root.hidden = !wanted.includes("edit");
    const said = { ...shown, answers: flat(shown.answers) };
    this.asks.forEach((ask, field) => ask.paint(said, field === active, stage === "done"));
    this.edit.paint(shown, active === "edit");
    this.reason.paint(shown, active === "reason");
  }

  // What was answered of the question by itself.
  summary(answers) {
    const { words } = this.viewer;
    const criteria = CRITERIA.map((name) => `${words[`ask_${name}`].replace(/\?$/, "")}: ${this.asks.get(name).says(answers)}`);
    return [...criteria, answers.difficulty].join(" · ");
  }
}
