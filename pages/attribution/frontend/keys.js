// What runs for each key of this screen.

function attributionKeys(viewer) {
  return {
    option: (key) => viewer.digit(Number(key)),
    option_next: () => viewer.step(1),
    option_previous: () => viewer.step(-1),
    none: () => viewer.chooseNone(),
    accept: () => viewer.takeSuggestion(),
    go_on: () => viewer.submit(),
    part_next: () => viewer.move(1),
    part_previous: () => viewer.move(-1),
    group_next: () => viewer.moveClaim(1),
    group_previous: () => viewer.moveClaim(-1),
    read: () => viewer.law.read(),
  };
}
