// Where the boxes stand: what cites the centre to its left, what the centre cites to its right.
// The same graph always gets the same picture: order is the server's, and nothing is random.

const BOX = { width: 206, height: 42, gap: 9, aisle: 60, tight: 18, rows: 9 };
const ROOMY = { width: 206, aisle: 60, tight: 18 };
const SLIM = { width: 150, aisle: 34, tight: 12 }; // three columns stay legible in a narrow pane
const SLIM_BELOW = 600; // pixels

// Node id → lane: 0 the centre, 1 and 2 to the right, -1 and -2 to the left, by hops.
function lanesOf(nodes, edges, centre) {
  const lanes = new Map([[centre, 0]]);
  const links = edges.filter((edge) => edge.source !== edge.target);
  for (const { source, target } of links) if (source === centre) lanes.set(target, 1);
  for (const { source, target } of links) if (target === centre && !lanes.has(source)) lanes.set(source, -1);
  const first = new Map(lanes);
  for (const { source, target } of links) {
    for (const [near, far] of [[source, target], [target, source]]) {
      const lane = first.get(near);
      if (lane && !lanes.has(far)) lanes.set(far, 2 * lane);
    }
  }
  for (const node of nodes) if (!lanes.has(node.id)) lanes.set(node.id, 2);
  return lanes;
}

// Nodes of an outer lane follow their neighbours in the inner one, so that few lines cross.
function ordered(members, lane, edges, rows) {
  if (Math.abs(lane) < 2) return members;
  const mean = (id) => {
    const near = edges
      .map(({ source, target }) => (source === id ? target : target === id ? source : null))
      .filter((other) => rows.has(other))
      .map((other) => rows.get(other));
    return near.length ? near.reduce((sum, row) => sum + row, 0) / near.length : Infinity;
  };
  const keyed = members.map((node, at) => [mean(node.id), at, node]);
  keyed.sort((one, two) => (one[0] === two[0] ? one[1] - two[1] : one[0] - two[0]));
  return keyed.map(([, , node]) => node);
}

// Returns id → {x, y, lane, column, row}: the middle of each box; the centre is at 0, 0.
function layOut(nodes, edges, centre) {
  const lanes = lanesOf(nodes, edges, centre);
  const places = new Map();
  const rows = new Map();
  let column = 0;
  for (const side of [1, -1]) {
    let x = 0;
    column = 0;
    for (const depth of side > 0 ? [0, 1, 2] : [1, 2]) {
      const lane = side * depth;
      const inLane = nodes.filter((node) => lanes.get(node.id) === lane);
      const members = ordered(inLane, lane, edges, rows);
      const columns = Math.ceil(members.length / BOX.rows);
      const height = Math.ceil(members.length / Math.max(columns, 1));
      for (let at = 0; at < columns; at += 1) {
        if (depth) x += BOX.width + (at ? BOX.tight : BOX.aisle);
        if (depth) column += side;
        const stack = members.slice(at * height, (at + 1) * height);
        stack.forEach((node, row) => {
          const y = (row - (stack.length - 1) / 2) * (BOX.height + BOX.gap);
          rows.set(node.id, y);
          places.set(node.id, { x: side * x, y, lane, column, row });
        });
      }
    }
  }
  return places;
}

// The curve from one box to another, its middle and which way it arrives.
function curve(from, to, shift) {
  const half = BOX.width / 2;
  const [y1, y2] = [from.y + shift, to.y + shift];
  if (from.column === to.column) {
    const side = from.x < 0 ? -1 : 1;
    const [x1, x2] = [from.x + side * half, to.x + side * half];
    const bulge = side * (26 + Math.min(30, Math.abs(y2 - y1) / 12));
    const path = `M${x1} ${y1}C${x1 + bulge} ${y1} ${x2 + bulge} ${y2} ${x2} ${y2}`;
    return { path, x: x1 + 0.75 * bulge, y: (y1 + y2) / 2, end: [x2, y2], heading: -side };
  }
  const way = from.x < to.x ? 1 : -1;
  const [x1, x2] = [from.x + way * half, to.x - way * half];
  const bend = way * Math.max(30, Math.abs(x2 - x1) / 2);
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return { path, x: (x1 + x2) / 2, y: (y1 + y2) / 2, end: [x2, y2], heading: way };
}
