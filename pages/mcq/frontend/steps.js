// The steps: answering from A alone, then from both, then comparing with the stored answer. The step
// in hand is open; those before it tell in a line what was answered.

const STAGES = ["alone", "both", "compared"];
const GATES = { alone: "revealed", both: "compared" };
const ANSWERABLE = ["yes", "no"];
const STORED = ["yes", "no", "unsure"];
const VERDICTS = ["keep", "fix", "drop"];

function stageOf(shown) {
  if (shown.status === "submitted") return "done";
  if (shown.answers.compared) return "compared";
  return shown.answers.revealed ? "both" : "alone";
}

// Whether an item is kept although it fails by what the same person says of it.
function againstItself({ verdict, alone_answerable: alone, both_answerable: both, stored_right: right }) {
  return verdict === "keep" && !(alone === "no" && both === "yes" && right === "yes");
}

// Why: by what they say that they answered.
function conflictsOf({ alone_answerable: alone, both_answerable: both, stored_right: right }) {
  return [alone !== "no" && "alone", both !== "yes" && "both", right !== "yes" && `stored_${right}`].filter(Boolean);
}

// What a stage asks, in order, given what is answered so far.
function fieldsOf(stage, answers) {
  if (stage !== "compared") return ["answerable", "choice", "sure"].map((name) => `${stage}_${name}`);
  const { verdict, cause } = answers;
  const fields = ["stored_right", "verdict"];
  if (verdict === "fix") fields.push("fix");
  if (verdict === "fix" || verdict === "drop") fields.push("cause");
  const words = verdict && (verdict === "keep" ? againstItself(answers) : cause === "other");
  return words ? [...fields, "reason"] : fields;
}

function missingOf(stage, answers) {
  return fieldsOf(stage, answers).find((field) => answers[field] === undefined) || null;
}

class Steps {
  constructor(viewer) {
    this.viewer = viewer;
    this.asks = new Map(STAGES.flatMap((stage) => this.made(stage)).map((ask) => [ask.field, ask]));
    this.reason = new Reason(viewer);
    this.fix = fixRow(viewer);
    this.steps = STAGES.map((stage) => this.step(stage));
    this.root = element("div", { class: "steps" }, this.steps.map(({ root }) => root));
  }

  made(stage) {
    const { viewer } = this;
    const { words, fixed } = viewer;
    const worded = (values, name) => values.map((value) => [value, words[`${name}_${value}`], null]);
    if (stage === "compared") {
      return [
        new Ask(viewer, "stored_right", worded(STORED, "right")),
        new Ask(viewer, "verdict", worded(VERDICTS, "verdict")),
        new Ask(viewer, "cause", fixed.causes),
      ];
    }
    const sure = SURE.map((value) => [value, words[`sure_${value}`], null]);
    const options = fixed.options.map((text, index) => [index, String(index + 1), text]);
    return [
      new Ask(viewer, `${stage}_answerable`, worded(ANSWERABLE, "answerable")),
      new Ask(viewer, `${stage}_choice`, options),
      new Ask(viewer, `${stage}_sure`, sure),
    ];
  }

  step(stage) {
    const { words } = this.viewer;
    const told = element("p", { class: "told" });
    const rows = [...this.asks.values()].filter(({ field }) => fieldsOf(stage, { verdict: "drop" }).includes(field));
    const more = stage === "compared" ? [this.fix.root, this.reason.root] : [];
    const inOrder = stage === "compared" ? [rows[0].root, rows[1].root, more[0], rows[2].root, more[1]] : rows.map(({ root }) => root);
    const on = this.onward(stage);
    const ahead = on && element("div", { tabindex: "-1" }, on);
    const explained = stage === "compared" ? this.explained() : null;
    const body = element("div", { class: "body" }, explained, inOrder, ahead);
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

  onward(stage) {
    const { viewer } = this;
    const gate = GATES[stage];
    if (!gate) return null;
    const run = () => { viewer.focusWork(); viewer.reveal(gate); };
    return element(
      "button",
      { type: "button", class: "onward", "data-testid": gate, onclick: run, onkeydown: onceOnly },
      element("span", {}, viewer.words[`gate_${gate}`]),
      keyCap(capOf("go_on")),
    );
  }

  paint(shown, active) {
    const stage = stageOf(shown);
    const at = stage === "done" ? STAGES.length : STAGES.indexOf(stage);
    this.steps.forEach((step, index) => {
      const open = index === at || (stage === "done" && step.stage === "compared");
      step.root.classList.toggle("open", open);
      step.root.classList.toggle("past", index < at);
      step.root.classList.toggle("ahead", index > at);
      step.body.hidden = !open;
      step.told.textContent = index < at && !open ? this.summary(step.stage, shown.answers) : "";
      if (step.on) step.on.classList.toggle("ready", open && missingOf(step.stage, shown.answers) === null);
    });
    const wanted = fieldsOf("compared", shown.answers);
    this.asks.get("cause").root.hidden = !wanted.includes("cause");
    this.fix.root.hidden = !wanted.includes("fix");
    this.asks.forEach((ask, field) => ask.paint(shown, field === active, stage === "done"));
    this.fix.paint(shown, active === "fix");
    this.reason.paint(shown, active === "reason");
  }

  // Why the stored answer is right, where the question came with words on it.
  explained() {
    const { fixed } = this.viewer;
    if (!fixed.explanation) return null;
    const box = element("div", { class: "explained", "data-testid": "explanation" });
    return runningFold(box, [[fixed.explanation, null]], this.viewer.folding("explanation")).nodes;
  }

  summary(stage, answers) {
    const told = fieldsOf(stage, answers).map((field) => {
      const said = this.asks.get(field)?.says(answers);
      return said === null ? "" : field.endsWith("_choice") ? fill(this.viewer.words.option_of, { number: said }) : said;
    });
    return told.filter(Boolean).join(" · ");
  }
}
