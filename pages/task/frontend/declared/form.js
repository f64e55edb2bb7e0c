// A declared form: stages of fields, each asked under its conditions. The server, which holds the same
// declaration, has the last word; here it says what is asked next.
//
// {stages: [{name, title, fields, seal, sealWords, sealFirst, picks, clause}], fields: {name: field}}.
// A field has a `kind` (choice, choices, units, edit, text, number), a `label`, its `options`
// [value, words, hint, said], and conditions {if, unless, because}: it is shown if one of `when` holds,
// and `required` if one of `needs` does.
// `implies` names what an answer fills in of other fields, or empties: {value: {field: value}}; an item may
// have its own, which fill in what is answered, too. Digits answer the row that is marked, or always `digits`.
// One with a `part` is asked of that part of the subject (see parts.js), and told by its whole `name`.

const OF_UNIT = ":"; // between the field of units and the one that is asked about

// The field, and the unit that is asked about, of the name of a row.
function placeOfRow(row) {
  const at = row.indexOf(OF_UNIT);
  return at < 0 ? [row, null] : [row.slice(0, at), row.slice(at + 1)];
}

// What is chosen of several: of units, those that belong.
const chosenOf = (value) => (Array.isArray(value) ? value : Object.keys(value || {}).filter((unit) => value[unit] === "yes"));

const DONE = "done"; // the stage of what is submitted

class DeclaredForm {
  // `unitsOf(shown)` are the units {unit, head} that fields of units ask about.
  constructor({ stages, fields, confidence = null, digits = null }, unitsOf) {
    Object.assign(this, { stages, fields, confidence, digits, unitsOf });
  }

  // The first stage whose seal is not opened.
  stageOf({ status, answers }) {
    if (status === "submitted") return { name: DONE, fields: [] };
    return this.stages.find(({ seal }) => !seal || !answers[seal]);
  }

  // What a stage asks, in order, given what is answered so far: a row for each unit of a field of units.
  // Words that need not be written are there, and not asked.
  rowsOf(stage, shown) {
    const answers = this.visible(shown.answers);
    return stage.fields
      .filter((name) => this.shows(name, answers) && (this.fields[name].kind !== "text" || this.needs(name, answers)))
      .flatMap((name) => (this.fields[name].kind === "units" ? this.unitRows(name, shown) : [name]));
  }

  unitRows(name, shown) {
    return this.unitsOf(shown).map(({ unit }) => `${name}${OF_UNIT}${unit}`);
  }

  // The answers to fields that these answers show.
  visible(answers) {
    const hidden = Object.keys(answers).filter((name) => name in this.fields && !this.shows(name, answers));
    if (!hidden.length) return answers;
    return this.visible(Object.fromEntries(Object.entries(answers).filter(([name]) => !hidden.includes(name))));
  }

  shows(name, answers) {
    const { when } = this.fields[name];
    return !when || this.holding(when, answers).length > 0;
  }

  needs(name, answers, { required, needs } = this.fields[name]) {
    return required && (!needs || this.holding(needs, answers).length > 0);
  }

  // Whether it is to be answered before submitting, also where nothing waits for it.
  must(name, answers) {
    const field = this.fields[name];
    return this.shows(name, answers) && this.needs(name, answers, { ...field, required: field.marked ?? field.required });
  }

  holding(when, answers) {
    const said = (name) => [answers[name]].flat().map(String);
    const says = (fields) => Object.entries(fields || {}).map(([name, values]) => said(name).some((each) => values.map(String).includes(each)));
    return when.filter((each) => says(each.if).every(Boolean) && !says(each.unless).some(Boolean));
  }

  valueOf(row, answers) {
    const [name, unit] = placeOfRow(row);
    return unit === null ? answers[name] : answers[name]?.[unit];
  }

  missing(stage, shown) {
    const answers = this.visible(shown.answers);
    const open = (row) => this.valueOf(row, answers) === undefined && this.needs(placeOfRow(row)[0], answers);
    return this.rowsOf(stage, shown).find(open) || null;
  }

  // The field that is to be answered next, though it need not be, or else the last that is.
  openNow(stage, { answers }) {
    const wanted = stage.fields.filter((name) => this.fields[name].options?.length && (!this.fields[name].needs || this.holding(this.fields[name].needs, answers).length));
    return this.fields[wanted.find((name) => answers[name] === undefined) ?? wanted.at(-1)];
  }

  // What keeps a stage from being left: the row, and what to say of it; null where nothing does.
  lack(stage, shown, { words, fixed }) {
    const row = this.missing(stage, shown);
    if (row) return [row, this.stillWords(row, shown.answers, words)];
    const rows = this.rowsOf(stage, shown);
    const same = rows.find((name) => this.fields[name]?.kind === "edit" && !changedParts(this.fields[name], shown.answers[name], fixed.now[name], words).length);
    if (same) return [same, words.edit_nothing];
    const none = stage.fields.find((name) => this.tooFew(name, shown.answers));
    if (!none) return null;
    const { least } = this.fields[none];
    return [rows.find((each) => placeOfRow(each)[0] === none) || rows[0], least.words ?? fill(words.too_few, { least })];
  }

  // Whether none of the units has the answer that one has to have.
  tooFew(name, answers) {
    const { least } = this.fields[name];
    if (typeof least === "number") return this.shows(name, answers) && chosenOf(answers[name]).length < least && this.needs(name, answers);
    return Boolean(least) && this.shows(name, answers) && !Object.values(answers[name] || {}).includes(least.value);
  }

  // Of what is asked for since other answers do not go together, which they are.
  stillWords(row, answers, words) {
    const [name] = placeOfRow(row);
    const against = this.holding(this.fields[name].needs || [], answers).map(({ because }) => because).filter(Boolean);
    if (against.length) return fill(words.still_against, { what: against.join(", ") });
    return fill(words.still, { what: this.labelOf(name) });
  }

  labelOf(name) {
    const { part, name: whole, label } = this.fields[name];
    return part ? whole : label;
  }

  // What an answer changes with it: other fields that it fills in where nothing is said, or that the
  // answer before had filled in; of what the `item` implies, whatever is said.
  implied(name, value, answers, item = {}) {
    const implies = item[name] || this.fields[name].implies;
    if (!implies) return [];
    const before = Object.entries(implies[answers[name]] || {}).filter(([field, filled]) => item[name] || answers[field] === filled);
    const gone = before.filter(([field]) => !(field in (implies[value] || {}))).map(([field]) => [field, null]);
    const come = Object.entries(implies[value] || {}).filter(([field, filled]) => item[name] || (answers[field] === undefined) === (filled !== null));
    return [...gone, ...come];
  }

  // What the other answers fill in of a field of the `item`; null for nothing.
  filledIn(name, answers, item = {}) {
    return Object.entries(item).map(([field, implies]) => implies[answers[field]]?.[name]).find(Boolean) ?? null;
  }

  // Each answer that is chosen, for what hangs on them all.
  chosenNow(answers) {
    return Object.keys(this.fields).filter((name) => this.fields[name].kind === "choice").map((name) => answers[name]);
  }
}
