// An answer to a sub-factor: its options in the codebook's order, and the evidence for each.

// The answer with an option taken or, where it is there, left; null when nothing remains.
function toggled(sub, given, key) {
  const options = given ? given.options : [];
  const evidence = given ? given.evidence : [];
  if (options.includes(key)) return answerOf(sub, options.filter((each) => each !== key), evidence);
  const alone = sub.exclusive || key === NOT_STATED || options.includes(NOT_STATED);
  return answerOf(sub, alone ? [key] : [...options, key], evidence);
}

// Options that an answer has and the codebook has no more.
function goneOptions(sub, given) {
  const known = new Set([...sub.options.map((option) => option.key), NOT_STATED]);
  return given ? given.options.filter((key) => !known.has(key)) : [];
}

// The answer in the form in which the server keeps it. Evidence goes with its option, and what the
// codebook has no more goes with the first change.
function answerOf(sub, options, evidence) {
  const order = [...sub.options.map((option) => option.key), NOT_STATED];
  const sorted = order.filter((key) => options.includes(key));
  if (!sorted.length) return null;
  const kept = evidence.filter(({ option }) => option !== NOT_STATED && sorted.includes(option));
  return { options: sorted, evidence: sortedEvidence(kept) };
}

function sortedEvidence(evidence) {
  const seen = new Map(evidence.map((each) => [`${each.start} ${each.end} ${each.option}`, each]));
  const plain = [...seen.values()].map(({ option, start, end, quote }) => ({ option, start, end, quote }));
  return plain.sort((one, other) => one.start - other.start || one.end - other.end || (one.option < other.option ? -1 : 1));
}

// With evidence for an option, which is taken if it is not yet. What says nothing has no evidence.
function withEvidence(sub, given, key, { start, end, quote }) {
  if (key === NOT_STATED) return given || answerOf(sub, [key], []);
  const said = given && given.options.includes(key) ? given : toggled(sub, given, key);
  return answerOf(sub, said.options, [...said.evidence, { option: key, start, end, quote }]);
}

function withoutEvidence(sub, given, gone) {
  const same = (each) => each.option === gone.option && each.start === gone.start && each.end === gone.end;
  return answerOf(sub, given.options, given.evidence.filter((each) => !same(each)));
}
