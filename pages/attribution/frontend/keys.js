// What the keys do on this screen.

function attributionKeys(viewer) {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
    keys: [String(number)],
    caps: number === 1 ? ["1 … 9"] : [],
    words: "key_digit",
    run: () => viewer.digit(number),
  }));
  return [
    ...digits,
    { keys: ["ArrowRight"], caps: ["→", "←"], words: "key_step", run: () => viewer.step(1) },
    { keys: ["ArrowLeft"], caps: [], words: "key_step", run: () => viewer.step(-1) },
    { keys: ["x"], caps: ["x"], words: "key_none", run: () => viewer.chooseNone() },
    { keys: ["a"], caps: ["a"], words: "key_suggestion", run: () => viewer.takeSuggestion() },
    { keys: ["Enter"], caps: ["↵"], words: "key_onward", run: () => viewer.submit() },
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "key_down", run: () => viewer.move(1) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "key_up", run: () => viewer.move(-1) },
    { keys: ["J"], caps: ["⇧ j"], words: "key_claim_down", run: () => viewer.moveClaim(1) },
    { keys: ["K"], caps: ["⇧ k"], words: "key_claim_up", run: () => viewer.moveClaim(-1) },
    { keys: ["l"], caps: ["l"], words: "key_law", run: () => viewer.law.read() },
  ];
}
