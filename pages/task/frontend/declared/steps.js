// The stages: the one in hand is open; those before it tell in a line what was answered. A stage asks
// its fields in rows, and ends in the button of its seal, which says that it cannot be undone.

class Steps {
  constructor(viewer) {
    this.viewer = viewer;
    this.form = viewer.form;
    this.rows = new Map(); // by name; those of units are made when they are first shown
    this.units = new Map(); // by field of units: the box of its rows
    this.steps = this.form.stages.map((stage, at) => this.step(stage, at + 1));
    this.root = element("div", { class: "steps" }, this.steps.map(({ root }) => root));
  }

  step(stage, number) {
    const { viewer } = this;
    const told = element("p", { class: "told" });
    const rows = stage.fields.map((name) => this.made(name));
    const sum = element("p", { class: "sum quiet", "data-testid": `sum-${stage.name}` });
    const on = stage.seal && this.onward(stage);
    const ahead = on && element("div", { tabindex: "-1" }, sum, on);
    const body = element("div", { class: "body" }, paneNodes(viewer, viewer.fixed.shows?.[stage.name]), rows, ahead);
    const root = element(
      "section",
      { class: `step ${stage.plain ? "plain" : ""}`, "data-testid": `step-${stage.name}` },
      element("header", {}, element("span", { class: "number" }, String(number)), element("h2", {}, stage.title), told),
      body,
    );
    return { stage, root, told, sum, on, body, missed: on && new Missed(viewer, ahead) };
  }

  // What a field is drawn in: its row, or the box of the rows of its units.
  made(name) {
    const field = this.form.fields[name];
    if (field.kind === "units") {
      this.units.set(name, element("div", { class: "unit-rows" }));
      return this.units.get(name);
    }
    this.rows.set(name, rowOf(this.viewer, name, field));
    return this.rows.get(name).root;
  }

  onward({ seal, sealWords }) {
    const { viewer } = this;
    const run = () => { viewer.focusWork(); viewer.reveal(seal); };
    return button(
      { class: "onward", "data-testid": seal, onclick: run, onkeydown: onceOnly },
      element("span", {}, sealWords),
      keyCap(capOf("go_on")),
    );
  }

  at(stage) {
    return this.steps.find((step) => step.stage === stage);
  }

  texts() {
    return [...this.rows.values()].filter((row) => row instanceof Typed);
  }

  paintUnits(name, shown) {
    const { viewer, form } = this;
    const field = form.fields[name];
    const rows = viewer.unitsOf(shown).map(({ unit, head }) => {
      const row = `${name}${OF_UNIT}${unit}`;
      if (!this.rows.has(row)) this.rows.set(row, new Ask(viewer, row, field.options, head));
      return this.rows.get(row).root;
    });
    const box = this.units.get(name);
    if (box.children.length !== rows.length || rows.some((root, at) => root !== box.children[at])) box.replaceChildren(...rows);
    box.hidden = !form.shows(name, shown.answers);
  }

  paint(shown, active) {
    const { form } = this;
    const now = form.stageOf(shown);
    const done = now.name === DONE;
    const at = done ? this.steps.length : form.stages.indexOf(now);
    this.units.forEach((_, name) => this.paintUnits(name, shown));
    this.steps.forEach((step, index) => {
      const open = index === at || (done && index === at - 1);
      step.root.classList.toggle("open", open);
      step.root.classList.toggle("past", index < at);
      step.root.classList.toggle("ahead", index > at);
      step.body.hidden = !open;
      step.told.textContent = index < at && !open ? this.summary(step.stage, shown) : "";
      if (!step.on) return;
      const ready = open && form.missing(step.stage, shown) === null;
      step.on.classList.toggle("ready", ready);
      step.sum.textContent = ready ? this.summary(step.stage, shown) : "";
    });
    this.rows.forEach((row, name) => {
      const [field] = placeOfRow(name);
      if (name === field) row.root.hidden = !form.shows(name, shown.answers);
      row.paint({ ...shown, answers: { ...shown.answers, [name]: form.valueOf(name, shown.answers) } }, name === active, done);
    });
  }

  // What was answered in a stage, in a line.
  summary(stage, shown) {
    const told = stage.fields.map((name) => {
      const said = this.viewer.saidOf(name, shown.answers[name]);
      const { short } = this.form.fields[name];
      return said && short ? `${short}: ${said}` : said;
    });
    return told.filter(Boolean).join(" · ");
  }
}
