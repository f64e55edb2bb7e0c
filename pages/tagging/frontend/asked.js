// Which sub-factors are asked, given the answers, and how far the case is. The rule is the server's
// (construction/tagging/codebook.py): a condition holds where every sub-factor that it names is asked
// itself and one of the options that it names is given.

const NOT_STATED = "not_stated";

function chosenOf(answers, key) {
  return answers[key] ? answers[key].options : [];
}

// `subs` are {key, when: {key: [options]}} in the codebook's order; returns those that are asked.
function askedOf(subs, answers) {
  const known = new Map(subs.map((sub) => [sub.key, sub]));
  const held = new Map();
  const asks = (key) => {
    if (held.has(key)) return held.get(key);
    held.set(key, false); // a circle of conditions asks nothing
    const sub = known.get(key);
    const holds = Boolean(sub) && Object.entries(sub.when).every(([other, options]) =>
      asks(other) && chosenOf(answers, other).some((option) => options.includes(option)));
    held.set(key, holds);
    return holds;
  };
  return subs.filter((sub) => asks(sub.key));
}

// {asked, answered, required} of these sub-factors: how many there are, how many have an answer,
// and which required ones have none.
function progressOf(asked, answers) {
  const open = asked.filter((sub) => !answers[sub.key]);
  return {
    asked: asked.length,
    answered: asked.length - open.length,
    required: open.filter((sub) => sub.required),
  };
}

// The next sub-factor without an answer behind `here`, going round; null when all have one.
function nextOpen(asked, answers, here) {
  const at = asked.findIndex((sub) => sub.key === here);
  const round = [...asked.slice(at + 1), ...asked.slice(0, at + 1)];
  return round.find((sub) => !answers[sub.key]) || null;
}

// Answers to what is not asked any more.
function idleOf(asked, answers) {
  const keys = new Set(asked.map((sub) => sub.key));
  return Object.keys(answers).filter((key) => !keys.has(key));
}
