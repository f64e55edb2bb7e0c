// What the keys do on this screen. While a sentence is pointed at, some of them move it instead.

function taggingKeys(viewer) {
  const reading = (run) => () => viewer.judgment && run(viewer.judgment);
  const either = (pointed, plain) => () => (viewer.pointing?.on ? pointed(viewer.pointing) : plain());
  const digits = TAG_DIGITS.map((digit, index) => ({
    keys: [digit],
    caps: index ? [] : ["1 … 9", "0"],
    words: "key_digit",
    run: () => viewer.digit(digit),
  }));
  return [
    ...digits,
    { keys: ["x"], caps: ["x"], words: "key_not_stated", run: () => viewer.chooseSilent() },
    { keys: ["Enter"], caps: ["↵"], words: "key_onward", run: () => viewer.onward() },
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "key_down", run: either((at) => at.move(1), () => viewer.move(1)) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "key_up", run: either((at) => at.move(-1), () => viewer.move(-1)) },
    { keys: ["J"], caps: ["⇧ j"], words: "key_factor_down", run: either((at) => at.extend(1), () => viewer.moveFactor(1)) },
    { keys: ["K"], caps: ["⇧ k"], words: "key_factor_up", run: either((at) => at.extend(-1), () => viewer.moveFactor(-1)) },
    { keys: ["a"], caps: ["a"], words: "key_suggestion", run: () => viewer.takeSuggestion(0) },
    { keys: ["e"], caps: ["e"], words: "key_point", run: () => viewer.pointing?.begin() },
    { keys: ["ArrowRight"], caps: ["→", "←"], words: "key_word", run: either((at) => at.adjust(1, false), () => viewer.card?.focusOption(1)) },
    { keys: ["ArrowLeft"], caps: [], words: "key_word", run: either((at) => at.adjust(-1, false), () => viewer.card?.focusOption(-1)) },
    { keys: [">"], caps: ["⇧ .", "⇧ ,"], words: "key_word_front", run: either((at) => at.adjust(1, true), () => {}) },
    { keys: ["<"], caps: [], words: "key_word_front", run: either((at) => at.adjust(-1, true), () => {}) },
    { keys: ["v"], caps: ["v"], words: "key_evidence", run: () => viewer.nextEvidence() },
    { keys: [" ", "PageDown"], caps: ["Space", "PgDn"], words: "key_page_down", run: reading((at) => at.scroll(1)) },
    { keys: ["PageUp"], caps: ["PgUp"], words: "key_page_up", run: reading((at) => at.scroll(-1)) },
    { keys: ["]"], caps: ["]"], words: "key_next_section", run: reading((at) => at.step(1)) },
    { keys: ["["], caps: ["["], words: "key_previous_section", run: reading((at) => at.step(-1)) },
    { keys: ["o"], caps: ["o"], words: "key_fold", run: reading((at) => at.toggleHere()) },
    { keys: ["/"], caps: ["/"], words: "key_find", run: reading((at) => at.finder.input.select()) },
    { keys: ["n"], caps: ["n", "⇧ n"], words: "key_found", run: reading((at) => at.finder.step(1)) },
    { keys: ["N"], caps: [], words: "key_found", run: reading((at) => at.finder.step(-1)) },
    { keys: ["+", "="], caps: ["+"], words: "larger", run: reading((at) => at.resize(1)) },
    { keys: ["-"], caps: ["-"], words: "smaller", run: reading((at) => at.resize(-1)) },
    { keys: ["i"], caps: ["i"], words: "key_help_whole", run: () => viewer.toggleHelp() },
    { keys: ["b"], caps: ["b"], words: "key_wise", run: () => viewer.toggleWise() },
    { keys: ["."], caps: ["."], words: "key_next_case", run: () => viewer.along(1) },
    { keys: [","], caps: [","], words: "key_previous_case", run: () => viewer.along(-1) },
    { keys: ["p"], caps: ["p"], words: "progress_over", run: () => viewer.askProgress() },
  ];
}
