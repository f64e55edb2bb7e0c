// Which digit chooses which option: the ten commonest, 1 to 9 and then 0.

const TAG_DIGITS = KEY_MAP.option.keys;

// `options` are keys in the codebook's order, `counts` says how often this person gave each. Up to
// ten all have their place as digit. Of more, the ten commonest have one, in the codebook's order.
function digitsOf(options, counts) {
  const order = new Map(options.map((key, index) => [key, index]));
  const often = (key) => counts[key] || 0;
  const ranked = [...options].sort((one, other) => often(other) - often(one) || order.get(one) - order.get(other));
  const common = ranked.slice(0, TAG_DIGITS.length).sort((one, other) => order.get(one) - order.get(other));
  return new Map(common.map((key, index) => [key, TAG_DIGITS[index]]));
}
