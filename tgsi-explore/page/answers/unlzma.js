// Unpacks the compiler: browsers know gzip, but LZMA makes it a quarter smaller.

"use strict";

/** The contents of a `.lzma` file whose header has their size. The decoder is that of the LZMA specification. */
function unlzma(packed) {
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
  const lc = packed[0] % 9;
  const lowMask = (1 << (Math.floor(packed[0] / 9) % 5)) - 1;
  const posMask = (1 << Math.floor(packed[0] / 45)) - 1;
  const out = new Uint8Array(size);
  const models = (count) => new Uint16Array(count).fill(1024);
  let [at, range, code] = [13, 0xffffffff, 0];
  for (let count = 0; count < 5; count++) code = (code << 8 | packed[at++]) >>> 0;

  function shift() {
    if (range >= 0x1000000) return;
    range = range * 256;
    code = code * 256 + packed[at++];
  }
  function bit(model, index) {
    const chance = model[index];
    const bound = (range >>> 11) * chance;
    const isSet = code >= bound;
    if (isSet) [code, range] = [code - bound, range - bound];
    else range = bound;
    model[index] = isSet ? chance - (chance >> 5) : chance + ((2048 - chance) >> 5);
    shift();
    return isSet ? 1 : 0;
  }
  function direct(count) {
    let value = 0;
    for (; count > 0; count--) {
      range = Math.floor(range / 2);
      const isSet = code >= range;
      if (isSet) code -= range;
      value = value * 2 + (isSet ? 1 : 0);
      shift();
    }
    return value;
  }
  function tree(model, base, count) {
    let node = 1;
    for (let left = count; left > 0; left--) node = node << 1 | bit(model, base + node);
    return node - (1 << count);
  }
  function reversed(model, base, count) {
    let [node, value] = [1, 0];
    for (let place = 0; place < count; place++) {
      const one = bit(model, base + node);
      node = node << 1 | one;
      value |= one << place;
    }
    return value;
  }

  const lengths = () => ({ choice: models(2), low: models(16 << 3), mid: models(16 << 3), high: models(256) });
  function length({ choice, low, mid, high }, pos) {
    if (!bit(choice, 0)) return 2 + tree(low, pos << 3, 3);
    if (!bit(choice, 1)) return 10 + tree(mid, pos << 3, 3);
    return 18 + tree(high, 0, 8);
  }
  const [slots, special, aligned] = [models(4 << 6), models(115), models(16)];
  function distance(length) {
    const slot = tree(slots, Math.min(length - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | slot & 1) << count;
    if (slot < 14) return base + reversed(special, base - slot, count);
    return base + direct(count - 4) * 16 + reversed(aligned, 0, 4);
  }
  const literals = models(0x300 << (lc + Math.log2(lowMask + 1)));
  function literal(n, state, back) {
    const before = n > 0 ? out[n - 1] : 0;
    const base = 0x300 * (((n & lowMask) << lc) + (before >> (8 - lc)));
    let symbol = 1;
    for (let match = back; state >= 7 && symbol < 256; match <<= 1) {
      const wanted = match >> 7 & 1;
      const one = bit(literals, base + ((1 + wanted) << 8) + symbol);
      symbol = symbol << 1 | one;
      if (one !== wanted) break;
    }
    while (symbol < 256) symbol = symbol << 1 | bit(literals, base + symbol);
    return symbol & 255;
  }

  const [isMatch, isLong, isRepeat, isOlder, isSecond, isThird] = [192, 192, 12, 12, 12, 12].map(models);
  const [matches, repeats] = [lengths(), lengths()];
  let [state, recent] = [0, [0, 0, 0, 0]];
  /** Which of the recent distances is meant. */
  const older = () => (!bit(isOlder, state) ? 0 : !bit(isSecond, state) ? 1 : !bit(isThird, state) ? 2 : 3);
  for (let n = 0; n < size;) {
    const pos = n & posMask;
    if (!bit(isMatch, state << 4 | pos)) {
      out[n] = literal(n, state, out[n - recent[0] - 1]);
      n++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count;
    if (bit(isRepeat, state)) {
      const which = older();
      const isShort = which === 0 && !bit(isLong, state << 4 | pos);
      recent.unshift(...recent.splice(which, 1));
      count = isShort ? 1 : length(repeats, pos);
      state = state < 7 ? (isShort ? 9 : 8) : 11;
    } else {
      count = length(matches, pos);
      recent = [distance(count), ...recent.slice(0, 3)];
      state = state < 7 ? 7 : 10;
    }
    for (const end = Math.min(size, n + count); n < end; n++) out[n] = out[n - recent[0] - 1];
  }
  return out;
}
