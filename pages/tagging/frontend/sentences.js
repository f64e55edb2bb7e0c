// Sentences and words of a judgment: what the keyboard steps over to point at evidence.

// An end that is none follows a number or an initial ("2024. 3. 5.", "J. Doe").
const SENTENCE_END = /(?<![.!?])(?:(?<![0-9A-Z])[.!?]|[.!?]{2})[.!?]*["'”’」』)\]]*(?=\s)|[。！？；]+["'”’」』）]*/gu;

// The sentences of [start, end) as [from, to], without white space at their ends.
function sentencesOf(text, start, end) {
  const found = [];
  const add = (from, to) => {
    const stretch = tidied(text, from, to);
    if (stretch) found.push(stretch);
    return Math.max(to, stretch ? stretch[1] : 0);
  };
  for (const [from, to] of lineSpans(text, start, end)) {
    let at = from;
    for (const stop of text.slice(from, to).matchAll(SENTENCE_END)) {
      const behind = from + stop.index + stop[0].length;
      if (behind > at) at = add(at, behind);
    }
    if (to > at) add(at, to);
  }
  return found;
}

// The words in a stretch as [from, to], in order: where a narrowed or widened selection may begin or
// end. Writing without spaces is cut at its commas.
function wordsOf(text, start, end) {
  const stretch = text.slice(start, end);
  const cut = /\s/.test(stretch.trim()) ? /\S+/gu : /[^，、,：:]+[，、,：:]?/gu;
  return [...stretch.matchAll(cut)].map((word) => [start + word.index, start + word.index + word[0].length]);
}
