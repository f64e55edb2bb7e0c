// What the acts of citation mapping say.

class MappingFrame extends Frame {
  labels(act) {
    return act.kind === "label" || act.kind === "add";
  }

  subjectOf(act) {
    if (this.labels(act)) return `unit ${act.unit ?? act.unit_id}`;
    return act.kind === "no_provision" ? act.kind : super.subjectOf(act);
  }

  saidBy(act) {
    if (act.kind === "add") return "accept";
    return act.kind === "label" ? act.decision : super.saidBy(act);
  }

  saidNow(act, shown) {
    if (act.kind === "no_provision") return shown.noProvision;
    return this.labels(act) ? shown.decisions[act.unit] ?? null : super.saidNow(act, shown);
  }

  nameOf(act) {
    return this.cardOf(act.unit ?? act.unit_id)?.candidate.label || super.nameOf(act);
  }

  saying(act, value) {
    return this.labels(act) && value ? this.words[value] : super.saying(act, value);
  }
}
