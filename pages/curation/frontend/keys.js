// What the keys do on this screen.

function curationKeys(viewer) {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
    keys: [String(number)],
    caps: number === 1 ? ["1 … 9"] : [],
    words: "key_digit",
    run: () => viewer.digit(number),
  }));
  return [
    ...digits,
    { keys: ["Enter"], caps: ["↵"], words: "key_onward", run: () => viewer.onward() },
    { keys: ["j", "ArrowDown"], caps: ["j", "↓"], words: "key_down", run: () => viewer.move(1) },
    { keys: ["k", "ArrowUp"], caps: ["k", "↑"], words: "key_up", run: () => viewer.move(-1) },
    { keys: ["/"], caps: ["/"], words: "key_search", run: () => viewer.find() },
    { keys: ["e"], caps: ["e"], words: "key_edit", run: () => openEdit(viewer) },
    { keys: ["r"], caps: ["r"], words: "key_reason", run: () => viewer.askReason() },
    { keys: ["a"], caps: ["a"], words: "key_law", run: () => viewer.law.read() },
  ];
}
