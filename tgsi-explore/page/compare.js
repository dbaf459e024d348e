// Differences of two texts, line by line.

"use strict";

/** Lines beyond which two texts are not compared: the time grows with lines times differences. */
const MOST_LINES = 6000;
/** Differences beyond which two texts have nothing in common that would help. */
const MOST_DIFFERENCES = 1500;

/** Numbers of the lines of `left` and of `right` that the other has not: the shortest way between them, after Myers. */
function differences(left, right) {
  const none = { left: [], right: [] };
  let from = 0;
  let [ends, rends] = [left.length, right.length];
  while (from < ends && from < rends && left[from] === right[from]) from++;
  while (ends > from && rends > from && left[ends - 1] === right[rends - 1]) [ends, rends] = [ends - 1, rends - 1];
  const a = left.slice(from, ends);
  const b = right.slice(from, rends);
  if (a.length + b.length > MOST_LINES) return none;
  const trail = shortestTrail(a, b);
  if (!trail) return none;
  const found = walkBack(a, b, trail);
  return { left: found.left.map((line) => line + from), right: found.right.map((line) => line + from) };
}

/** For each number of differences how far each diagonal gets. */
function shortestTrail(a, b) {
  let reach = new Map([[1, 0]]);
  const trail = [];
  for (let steps = 0; steps <= Math.min(a.length + b.length, MOST_DIFFERENCES); steps++) {
    trail.push(new Map(reach));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const down = diagonal === -steps
        || (diagonal !== steps && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));
      let x = down ? reach.get(diagonal + 1) : reach.get(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return trail;
    }
  }
  return null;
}

function walkBack(a, b, trail) {
  const found = { left: [], right: [] };
  let [x, y] = [a.length, b.length];
  for (let steps = trail.length - 1; steps >= 0; steps--) {
    const reach = trail[steps];
    const diagonal = x - y;
    const down = diagonal === -steps
      || (diagonal !== steps && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));
    const before = down ? diagonal + 1 : diagonal - 1;
    const px = reach.get(before) ?? 0;
    const py = px - before;
    while (x > Math.max(px, 0) && y > Math.max(py, 0)) [x, y] = [x - 1, y - 1];
    if (steps > 0) {
      if (down) found.right.push(py);
      else found.left.push(px);
    }
    [x, y] = [px, py];
  }
  return found;
}
