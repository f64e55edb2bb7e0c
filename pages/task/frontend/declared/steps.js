// The stages: the one in hand is open; those before it tell in a line what was answered. A stage asks
// its fields in rows, and ends in the button of its seal, which says that it cannot be undone. The
// fields of each part of the subject are a step of their own, of which that in hand is open.

class Steps {
  constructor(viewer) {
    this.viewer = viewer;
    this.form = viewer.form;
    this.rows = new Map(); // by name; those of units are made when they are first shown
    this.units = new Map(); // by field of units: the box of its rows
    this.steps = this.form.stages.flatMap((stage) => this.cards(stage)).map((card, at) => this.step(card, at + 1));
    this.root = element("div", { class: "steps" }, this.steps.map(({ root }) => root));
  }

  // The steps of a stage: of its own fields, and of those of each part.
  cards(stage) {
    const { fields } = this.form;
    const of = (part) => stage.fields.filter((name) => (fields[name].part || 0) === part);
    const parts = (this.viewer.fixed.parts || []).map((_, at) => ({ stage, part: at + 1, fields: of(at + 1) })).filter((card) => card.fields.length);
    const own = of(0).length || !parts.length ? [{ stage, fields: of(0) }] : [];
    return fields[stage.fields[0]]?.part ? [...parts, ...own] : [...own, ...parts];
  }

  step({ stage, part, fields }, number) {
    const { viewer } = this;
    const told = element("p", { class: "told", "data-testid": part ? `said-${part}` : null });
    const rows = fields.map((name) => this.made(name));
    const sum = element("p", { class: "sum quiet", "data-testid": `sum-${stage.name}` });
    const on = stage.seal && this.onward(stage);
    const ahead = on && element("div", { tabindex: "-1" }, sum, on);
    const body = element("div", { class: "body" }, part ? [] : paneNodes(viewer, viewer.fixed.shows?.[stage.name]), rows, ahead);
    const model = part && new Suggested(viewer, part);
    const title = part ? element("p", { class: "part-text", dir: "auto", lang: viewer.fixed.language }, viewer.fixed.parts[part - 1].text) : element("h2", {}, stage.title);
    const root = element(
      "section",
      part ? { class: "step part", "data-testid": `part-${part}`, onclick: () => openPart(viewer, part) } : { class: stage.plain ? "plain-form" : "step", "data-testid": `step-${stage.name}` },
      element("header", {}, element("span", { class: "number" }, String(number)), title, part ? null : told),
      part ? told : null,
      body,
      model?.root,
    );
    return { stage, part, fields, root, told, sum, on, body, model, missed: on && new Missed(viewer, ahead) };
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
    return button({ class: "onward", "data-testid": seal, onclick: run, onkeydown: onceOnly },
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
    const at = done ? form.stages.length : form.stages.indexOf(now);
    const part = partInHand(this.viewer, active);
    this.units.forEach((_, name) => this.paintUnits(name, shown));
    this.steps.forEach((step) => {
      const index = form.stages.indexOf(step.stage);
      const reached = index === at || (done && index === at - 1);
      const open = reached && (!step.part || step.part === part);
      step.root.classList.toggle("open", open);
      step.root.classList.toggle("past", index < at);
      step.root.classList.toggle("ahead", index > at);
      step.body.hidden = !open;
      step.told.textContent = (step.part || index < at) && !open ? this.summary(step.fields, form.visible(shown.answers)) : "";
      step.root.classList.toggle("done", Boolean(step.part) && !form.missing(step, shown));
      step.model?.paint(shown, open, done);
      if (!step.on) return;
      const ready = open && form.missing(step.stage, shown) === null;
      step.on.classList.toggle("ready", ready);
      step.sum.textContent = ready ? this.summary(step.fields, shown.answers) : "";
    });
    this.rows.forEach((row, name) => {
      const [field] = placeOfRow(name);
      const { idle, long } = form.fields[field];
      const shows = name !== field || form.shows(name, shown.answers);
      const value = form.valueOf(name, shown.answers);
      row.root.hidden = !shows && !idle;
      row.root.classList.toggle("must", !done && name === field && (value ?? null) === null && Boolean(form.must(field, shown.answers)));
      if (idle) row.root.classList.toggle("idle", !shows);
      if (long) row.root.classList.toggle("chosen", shows && value !== undefined);
      row.paint({ ...shown, answers: { ...shown.answers, [name]: value } }, name === active, done || !shows);
    });
  }

  // What was answered to fields, in a line.
  summary(fields, answers) {
    const told = fields.map((name) => {
      const said = this.viewer.saidOf(name, answers[name]);
      const { short } = this.form.fields[name];
      return said && short ? `${short}: ${said}` : said;
    });
    return told.filter(Boolean).join(" · ");
  }
}
