// What a declared form says in words, of acts and in discussions, and its fields of words.

// What a field of each kind says.
const SAID = {
  choice: (value, field) => optionWords(field, value),
  choices: (value, field) => value.map((each) => optionWords(field, each)).join(", "),
  edit: (value, field) => wholeEdit(field, value),
  spans: (value, _field, viewer, name) => value.map((each) => viewer.wordsOfMark(name, each)).join("; ") || viewer.words.mark_nothing,
  units: (value, { options, told }) => {
    const named = (each) => Object.keys(value).filter((unit) => value[unit] === each).join(", ") || "–";
    return fill(told, Object.fromEntries(options.map(([each]) => [each, named(each)])));
  },
};

function optionWords({ options }, value) {
  const found = options.find(([known]) => known === value);
  return found ? found[3] ?? found[1] : String(value);
}

class DeclaredWords extends FormViewer {
  get texts() {
    return this.steps?.texts() || [];
  }

  keepTexts() {
    this.texts.forEach((each) => each.keep());
  }

  // A preview keeps what is answered on the screen, and sends nothing.
  get preview() {
    return Boolean(this.fixed?.preview);
  }

  post(acts, tries) {
    if (!this.preview) super.post(acts, tries);
  }

  act(act) {
    if (this.preview && act.kind !== "answer") this.head.tell(this.words.preview_only, "note");
    else super.act(act);
  }

  unsaved() {
    if (this.preview) return false;
    return this.texts.some(({ dirty }) => dirty) || super.unsaved();
  }

  leave(act) {
    if (this.preview) return this.head.tell(this.words.preview_only, "note");
    if (!this.fixed.finished) this.keepTexts();
    super.leave(act);
  }

  // What acts say
  nameOf(act) {
    const sealed = this.form?.stages.find(({ seal }) => seal && seal === act.field);
    return sealed?.sealWords || (this.form?.fields[act.field] ? this.form.labelOf(act.field) : super.nameOf(act));
  }

  nameOfRow(row) {
    const [name, unit] = placeOfRow(row);
    return unit === null ? this.form.labelOf(name) : this.cardOf(unit)?.head || unit;
  }

  // What a field says, in words; null where it says nothing, or words of its own.
  saidOf(name, value) {
    const field = this.form.fields[name];
    if (value === null || value === undefined || !field) return null;
    return (SAID[field.kind] || String)(value, field, this, name);
  }

  wordsOfMark(name, mark) {
    const [, label] = this.form.fields[name].options.find(([each]) => each === mark.label) || [null, mark.label];
    return `${label}: ${shortened(this.marks.textOf(mark), SHOWN_OF_MARK)}`;
  }

  saying(act, value) {
    if (act.kind === "answer" && this.form?.fields[act.field]?.kind === "text") return super.saying(act, value);
    return super.saying(act, (act.field && this.saidOf(act.field, value)) || value);
  }

  // What a voice of a discussion says: in the order of the stages, and not that they were opened.
  fieldsSaid(answers) {
    const asked = this.form.stages.flatMap(({ fields }) => fields);
    return asked.filter((name) => answers[name] !== undefined && this.form.fields[name]?.shown !== false);
  }

  differs(name, mine, theirs) {
    return this.form.fields[name].kind !== "text" && super.differs(name, mine, theirs);
  }

  saidName(name) {
    return this.form.fields[name].name || super.saidName(name);
  }

  saidParts(name, value) {
    if (value === null) return this.words.met_nothing;
    const field = this.form.fields[name];
    const said = this.saidOf(name, value);
    return field.kind === "edit" ? `${changedWords(field, value, this.fixed.now[name], this.words)} ${said}` : said;
  }

  textOf(act) {
    return this.texts.find(({ field }) => act.kind === "answer" && field === act.field) || super.textOf(act);
  }

  // A refusal at the row of its field; each hangs on what is chosen, too.
  missedAt(field) {
    const row = this.steps.rows.get(field);
    const of = () => [this.shown().answers[field], ...this.form.chosenNow(this.shown().answers)];
    return row?.root.checkVisibility() ? { missed: row.missed, of } : null;
  }

  fail(message, act, ...why) {
    if (act.item === this.moving.item) this.parts.forEach((each) => each.failed?.(act, message));
    if (act.kind === "answer" && act.item === this.moving.item) this.texts.find(({ field }) => field === act.field)?.refused(act);
    super.fail(message, act, ...why);
  }
}
