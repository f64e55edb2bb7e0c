// What a person does on a declared form: answers, goes from row to row, opens stages, and submits.

class DeclaredAnswers extends DeclaredWords {
  pickOption(index) {
    const { picks } = this.form.stageOf(this.shown());
    if (picks) this.choose(picks, index);
    this.focusWork();
  }

  choose(row, value) {
    const shown = this.shown();
    const stage = this.stageNow(shown);
    if (!stage || !this.form.rowsOf(stage, shown).includes(row)) return;
    this.at = null;
    const [name, unit] = placeOfRow(row);
    if (unit !== null) this.judge(unit, value);
    else this.say(name, value, shown.answers);
    this.focusWork();
    this.goOn(stage, name);
  }

  say(name, value, answers) {
    const { kind, again } = this.form.fields[name];
    const given = answers[name] || [];
    if (kind === "spans") return markSelected(this, name, value, given);
    if (kind === "choices") return this.saySeveral(name, value, given);
    const { implies } = this.fixed;
    const now = again && answers[name] === value ? this.form.filledIn(name, answers, implies) : value;
    const led = [[name, now], ...this.form.implied(name, now, answers, implies)];
    [...led.filter(([, said]) => said === null), ...led.filter(([, said]) => said !== null)].forEach((each) => this.answer(...each));
  }

  // In the order of the options; those of a codebook by name, as they are stored.
  saySeveral(name, value, given) {
    const { options, coded } = this.form.fields[name];
    const now = given.includes(value) ? given.filter((each) => each !== value) : [...given, value];
    const place = (each) => options.findIndex(([known]) => known === each);
    if (!this.form.digits) this.at = name;
    this.answer(name, now.length ? now.sort(coded ? undefined : (one, other) => place(one) - place(other)) : null);
  }

  // An added unit that does not belong is not there any more.
  judge(unit, value) {
    const judged = { ...this.shown().answers[this.unitField], [unit]: value };
    if (value === "no" && !this.fixed.law.units.some((each) => each.unit === unit)) delete judged[unit];
    const sorted = Object.keys(judged).sort().map((name) => [name, judged[name]]);
    this.answer(this.unitField, Object.fromEntries(sorted));
  }

  // What an answer leads to: the dialog or the words that it asks for, or, once all of a stage is
  // answered, the button that says what cannot be undone.
  goOn(stage, name) {
    const shown = this.shown();
    const { fields } = this.form;
    const led = (each) => (fields[each].when || []).some(({ if: wanted }) => wanted && name in wanted);
    const edit = this.form.rowsOf(stage, shown).find((each) => fields[each]?.kind === "edit" && led(each));
    if (edit) openEdit(this, edit, true);
    if (stage.seal && !this.form.missing(stage, shown)) this.focusSeal();
    const row = this.steps.rows.get(this.active());
    if (row instanceof WrittenRow && !this.root.querySelector("dialog[open]")) row.input.focus();
  }

  // What the search box asks of a viewer
  add(unit) {
    this.judge(unit, "yes");
    this.focusWork();
  }

  cardOf(unit) {
    return this.unitsOf(this.shown()).find((each) => each.unit === unit);
  }

  mayAdd(shown) {
    const stage = this.form.stageOf(shown);
    return stage.name !== DONE && stage.fields.includes(this.unitField);
  }

  find() {
    if (this.mayAdd(this.shown())) this.law?.search?.input.focus();
  }

  // A digit answers the row that is marked; where none is, or it has no such answer, it says so.
  digit(number) {
    const row = this.form.digits || this.active();
    if (!this.stageNow()) return;
    if (row === null) this.head.tell(this.words.digit_passed, "bad");
    else if (!this.steps.rows.get(row).pick(number - 1)) this.head.tell(fill(this.words.digit_unknown, { number, what: this.nameOfRow(row) }), "bad");
  }

  // From the first row back is the last, from the last on the first.
  move(by) {
    const shown = this.shown();
    const stage = this.form.stageOf(shown);
    if (stage.name === DONE) return;
    const rows = this.form.rowsOf(stage, shown);
    const from = this.active(shown);
    const to = from === null ? (by < 0 ? rows.length - 1 : 0) : rows.indexOf(from) + by;
    this.at = rows[(to + rows.length) % rows.length];
    this.paint();
  }

  // Goes to the button of the next stage, or submits, once all of this one is answered.
  onward() {
    const shown = this.shown();
    if (this.leaving || this.opening(shown)) return;
    const stage = this.form.stageOf(shown);
    if (this.leavesSeveral(stage, shown)) return;
    if (stage.name !== DONE && this.tellsLack(stage, shown)) return;
    if (stage.seal) this.focusSeal();
    else this.submit();
  }

  // A row of several answers stays in hand until the person goes on to the next.
  leavesSeveral(stage, shown) {
    const leaves = this.at && ["choices", "spans"].includes(this.form.fields[this.at]?.kind) && this.form.missing(stage, shown);
    if (leaves) this.at = null;
    if (leaves) this.paint();
    return Boolean(leaves);
  }

  // Opens the next stage: by its button alone, which says that this cannot be undone.
  reveal(seal) {
    const shown = this.shown();
    const stage = this.stageNow(shown);
    if (stage?.seal === seal && !this.tellsLack(stage, shown)) this.answer(seal, true);
  }

  focusSeal() {
    this.steps.root.querySelector(".step.open .onward")?.focus();
  }

  submit() {
    if (this.fixed.finished) return;
    this.keepTexts();
    const shown = this.shown();
    const stage = this.form.stageOf(shown);
    if (stage.name !== DONE && this.tellsLack(stage, shown)) return;
    if (!stage.seal) return super.submit();
    this.steps.at(stage).missed.say(stage.sealFirst, () => this.form.stageOf(this.shown()).name);
    this.focusSeal();
  }

  // A text takes the focus, or else what is typed next would be taken for keys.
  tellsLack(stage, shown) {
    const lack = () => this.form.lack(stage, this.shown(), this);
    const found = this.form.lack(stage, shown, this);
    if (this.form.fields[found?.[0]]?.part) Object.assign(this, { at: found[0] }).paint(); // opens its part
    const row = found && this.steps.rows.get(found[0]);
    if (row) row.missed.say(found[1], lack);
    else if (found) this.head.say(found[1], "bad"); // no unit is listed yet
    return Boolean(found);
  }

  // The field of words that is marked, else the first there is.
  write() {
    const { fields } = this.form.stageOf(this.shown());
    const rows = this.texts.filter(({ field }) => fields.includes(field));
    (rows.find(({ field }) => field === this.active()) || rows.find(({ root }) => !root.hidden) || rows[0])?.input.focus();
  }
}
