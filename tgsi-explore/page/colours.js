// Colours for words: of TGSI in the editor, and of listings. A word's kind is decided by its spelling alone.

"use strict";

const colours = (() => {
  /** What TGSI's words are; the first that fits holds. */
  const TGSI = [
    ["comment", /\/\/.*|^\s*#.*/],
    ["string", /"[^"]*"/],
    ["number", /(?<![\w.])-?(?:0x[\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)(?![\w])/],
    ["file", /\b(?:IN|OUT|TEMP|CONST|IMM|IMMX|ADDR|SAMP|SVIEW|SV|PRED|IMAGE|BUFFER|MEMORY|RES|LOOP|HWATOMIC)(?=\[)/],
    ["directive", /\b(?:FRAG|VERT|GEOM|TESS_CTRL|TESS_EVAL|COMP|DCL|PROPERTY|IMM|END)\b/],
    ["opcode", /(?<=^\s*(?:\d+:\s*)?)[A-Z][A-Z0-9_]*/],
  ];

  /** What a listing's words are. */
  const LISTING = [
    ["comment", /;.*|\/\/.*/],
    ["number", /(?<![\w.])-?(?:0x[\da-fA-F]+|\d+\.\d+(?:[eE][-+]?\d+)?)(?![\w])/],
    ["file", /\b(?:R|T|KC\d|PV|PS|AR|C|V|S|T)(?:\d+|\[[^\]]*\])(?=\.|\b)/],
    ["directive", /(?<=^\s*(?:\d+\s+)?)[xyzwt]:/],
    ["opcode", /\b[A-Z][A-Z0-9_]{2,}\b/],
  ];

  function compiled(kinds) {
    return new RegExp(kinds.map(([name, { source }]) => `(?<${name}>${source})`).join("|"), "gm");
  }

  const patterns = { tgsi: compiled(TGSI), listing: compiled(LISTING) };

  /** A fragment with `text`, each known word in a span of its kind. */
  return function paint(text, language) {
    const made = document.createDocumentFragment();
    let done = 0;
    for (const found of text.matchAll(patterns[language])) {
      const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
      if (found.index > done) made.append(text.slice(done, found.index));
      const span = document.createElement("span");
      span.className = `is-${kind}`;
      span.textContent = found[0];
      made.append(span);
      done = found.index + found[0].length;
    }
    made.append(text.slice(done));
    return made;
  };
})();
