// What became of a text: pieces [kind, text] with "same", "removed" and "inserted".

const MOST_STEPS = 4_000_000; // of comparing two lists; beyond, all is replaced

// Words, spaces and single signs.
function tokensOf(text) {
  return text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) || [];
}

// The pieces between two lists of tokens, by the longest common run of tokens.
function listDiff(before, after) {
  const [start, wentTo, cameTo] = changedStretch(before, after);
  const same = (tokens) => tokens.map((each) => ["same", each]);
  const middle = middleDiff(before.slice(start, wentTo), after.slice(start, cameTo));
  return joinedPieces([...same(before.slice(0, start)), ...middle, ...same(before.slice(wentTo))]);
}

// Where a text, or a list, became another: [start, end of what went, end of what came].
function changedStretch(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [start, before.length - tail, after.length - tail];
}

function middleDiff(old, now) {
  if ((old.length + 1) * (now.length + 1) > MOST_STEPS) {
    return [...old.map((each) => ["removed", each]), ...now.map((each) => ["inserted", each])];
  }
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width); // common tokens from here on
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = old[i] === now[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const pieces = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      pieces.push(["same", old[i]]);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      pieces.push(["removed", old[i]]);
      i += 1;
    } else {
      pieces.push(["inserted", now[j]]);
      j += 1;
    }
  }
  return pieces;
}

// Neighbours of one kind as one piece; of a run of changes, what went stands before what came.
function joinedPieces(pieces) {
  const joined = [];
  let run = { removed: "", inserted: "" };
  const end = () => {
    for (const kind of ["removed", "inserted"]) if (run[kind]) joined.push([kind, run[kind]]);
    run = { removed: "", inserted: "" };
  };
  for (const [kind, text] of pieces) {
    if (kind !== "same") run[kind] += text;
    else {
      end();
      if (joined.length && joined[joined.length - 1][0] === "same") joined[joined.length - 1][1] += text;
      else joined.push(["same", text]);
    }
  }
  end();
  return joined;
}

// Word by word; a word that mostly stayed is compared letter by letter.
function textDiff(before, after) {
  const runs = listDiff(tokensOf(before), tokensOf(after));
  const finer = [];
  for (let at = 0; at < runs.length; at += 1) {
    const [kind, text] = runs[at];
    const next = runs[at + 1];
    const letters = kind === "removed" && next && next[0] === "inserted" ? listDiff([...text], [...next[1]]) : null;
    if (letters && mostlySame(letters, text, next[1])) {
      finer.push(...letters);
      at += 1;
    } else finer.push([kind, text]);
  }
  return finer;
}

function mostlySame(pieces, before, after) {
  const same = pieces.reduce((sum, [kind, text]) => sum + (kind === "same" ? text.length : 0), 0);
  return same * 2 >= Math.max(before.length, after.length);
}

// The pieces of a text that changed, as nodes.
function diffNodes(before, after) {
  const tags = { inserted: "ins", removed: "del", same: "span" };
  return textDiff(before, after).map(([kind, text]) => element(tags[kind], {}, text));
}
