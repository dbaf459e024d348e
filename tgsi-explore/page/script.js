// Asks what the compiler makes of the shader, and shows it. All that is known here is lines and columns.

"use strict";

const find = (selector, within = document) => within.querySelector(selector);
const [text, chip, level, precise, example, pass, other, status] =
  ["text", "chip", "level", "precise", "example", "pass", "other", "status"].map((id) => find(`#${id}`));
const editorMarks = find(".editor .marks");
const [listing, otherListing] = document.querySelectorAll(".listing");
const pane = find("#view");
const paint = find(".paint");
const picture = find(".picture");
const message = find(".message");
const tabs = [...document.querySelectorAll("[role=tab]")];

/** Milliseconds without a key before the compiler is asked. */
const PAUSE = 60;

const state = { view: "listing", pass: "lower", setup: null, answer: null, other: null, lit: null, drawn: null, row: null };

// Asking.

let timer = 0;
let running = null;

function askSoon() {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

function post(question, signal) {
  return answers.ask(question, { signal, limit: state.setup.max_body });
}

async function ask() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const begun = performance.now();
  const question = {
    text: text.value, chip: chip.value, level: level.value, precise: precise.checked,
    view: state.view, pass: state.view === "pass" ? state.pass : null,
    row: state.view === "deps" ? cursorRow() : null,
  };
  state.row = question.row;
  remember();
  try {
    const answer = await post(question, signal);
    show(answer);
    status.textContent = `${Math.round(performance.now() - begun)} ms`;
    document.documentElement.dataset.answered = question.view;
    await showBeside(answer, question, signal);
    await showBaseline(answer, question, signal);
  } catch (error) {
    if (error.name !== "AbortError") showMessage(error.message);
  }
}

/** What else can stand beside the answer: another level, another chip, the pass before. */
function besideQuestion(question) {
  const [kind, value] = other.value.split(" ");
  if (question.view !== "listing" && question.view !== "pass") return null;
  if (kind === "level") return { ...question, level: value };
  if (kind === "chip") return { ...question, chip: value };
  if (kind !== "before" || question.view !== "pass") return null;
  const index = [...pass.options].findIndex(({ value }) => value === question.pass);
  return index > 0 ? { ...question, pass: pass.options[index - 1].value } : null;
}

async function showBeside(answer, question, signal) {
  const beside = answer.shown?.kind === "text" ? besideQuestion(question) : null;
  const told = beside && await post(beside, signal);
  const shown = told?.shown;
  state.other = shown?.kind === "text" ? shown : null;
  otherListing.hidden = !shown;
  find("h2", listing).hidden = !shown;
  if (!shown) return;
  const name = ({ chip, level, pass, view }) => [chip, `-${level}`, view === "pass" ? `after ${pass}` : ""].join(" ").trim();
  find("h2", listing).textContent = name(question);
  find("h2", otherListing).textContent = name(beside);
  showText(otherListing, shown.text);
  const [left, right] = [answer.shown, shown].map(({ text }) => text.split("\n"));
  const found = differences(left, right);
  find(".marks", listing).append(...found.left.map(mark("differs")));
  find(".marks", otherListing).append(...found.right.map(mark("differs")));
}

/** The costs without optimisation come later, so that nothing waits for them. */
async function showBaseline(answer, question, signal) {
  if (!answer.costs) return;
  showCosts(answer.costs, null);
  if (question.level === "O0") return;
  const plain = await post({ ...question, level: "O0", view: "costs", pass: null }, signal);
  showCosts(answer.costs, plain.costs);
}

// Showing.

function show(answer) {
  state.answer = answer;
  showProblems(answer.problems);
  showPasses(answer.passes);
  find("#view").classList.toggle("stale", !answer.shown);
  if (!answer.costs) find("#costs").classList.add("stale");
  const shown = answer.shown ?? (state.drawn ? null : { kind: "message", text: "Nothing can be shown before the mistakes are mended." });
  if (shown) {
    state.drawn = answer.shown ? shown.kind : null;
    listing.hidden = shown.kind !== "text";
    picture.hidden = shown.kind !== "picture";
    message.hidden = shown.kind !== "message";
    find("#zoom").hidden = shown.kind !== "picture";
    find("#other-choice").hidden = shown.kind !== "text";
    if (shown.kind !== "text") otherListing.hidden = true;
    if (shown.kind === "text") showText(listing, shown.text);
    if (shown.kind === "picture") showPicture(shown.svg);
    if (shown.kind === "message") message.textContent = shown.text;
  }
  light(null);
}

function showMessage(words) {
  show({ problems: [], instruction_lines: [], costs: null, passes: [], shown: { kind: "message", text: words } });
  status.textContent = "";
}

/** Lines of a listing beyond which its words have no colours: a span for each word costs time. */
const MOST_COLOURED = 4000;

function showText(place, words) {
  const isShort = words.length < 80 * MOST_COLOURED;
  find("pre", place).replaceChildren(isShort ? colours(words, "listing") : words);
  find(".marks", place).replaceChildren();
}

function showPicture(svg) {
  const isFirst = picture.dataset.view !== state.view;
  const isElsewhere = state.view === "deps" && partsOf(new Set(instructionsOfRow(state.row))).length === 0;
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  picture.replaceChildren(document.importNode(parsed.documentElement, true));
  picture.dataset.view = state.view;
  if (isFirst) zoom.reset();
  const part = (isFirst || isElsewhere) && partAtCursor();
  zoom.begin(find("svg", picture), { fit: state.view === "schedule", part });
}

/** The part of the picture that the instruction at the cursor becomes. */
function partAtCursor() {
  const wanted = new Set(instructionsOfRow(cursorRow()));
  return partsOf(wanted)[0] ?? null;
}

/** Parts of the picture that come from some instructions. */
function partsOf(wanted) {
  const parts = [...picture.querySelectorAll("[data-origins]")];
  return parts.filter((part) => part.dataset.origins.split(" ").some((id) => wanted.has(Number(id))));
}

function showPasses(passes) {
  if (passes.length === 0) return;
  pass.replaceChildren(...passes.map(({ name, us, changed }) => {
    const label = `${name} (${us} µs${changed ? "" : ", no change"})`;
    return new Option(label, name, false, name === state.pass);
  }));
}

function element(tag, words, className = "") {
  const made = document.createElement(tag);
  made.textContent = words;
  made.className = className;
  return made;
}

function showProblems(problems) {
  const marks = problems.map((problem) => {
    const [line, from] = problem.start;
    const to = problem.end[0] === line ? problem.end[1] : from + 1;
    const mark = element("span", "", problem.severity);
    Object.assign(mark.style, {
      top: `calc(${line} * var(--row))`, left: `${columns(line, from)}ch`,
      width: `${Math.max(1, columns(line, to) - columns(line, from))}ch`,
    });
    return mark;
  });
  editorMarks.replaceChildren(...marks);
  find("#problems").replaceChildren(...problems.slice(0, 100).map((problem) => {
    const item = element("li", "", problem.severity === "warning" ? "is-warning" : "");
    const button = element("button", "");
    button.append(
      element("b", problem.severity), ` ${problem.start[0] + 1}:${problem.start[1] + 1} ${problem.message} `,
      element("small", problem.help ? `— ${problem.help}` : ""),
    );
    button.addEventListener("click", () => goTo(problem));
    item.append(button);
    return item;
  }));
}

/** How far right a column is, tabs counted. */
function columns(line, column) {
  let at = 0;
  for (const char of lineText(line).slice(0, column)) at += char === "\t" ? 8 - (at % 8) : 1;
  return at;
}

function lineStart(line) {
  let at = 0;
  for (; line > 0; line--) at = text.value.indexOf("\n", at) + 1;
  return at;
}

function lineText(line) {
  return text.value.slice(lineStart(line)).split("\n", 1)[0];
}

function goTo({ start, end }) {
  text.focus();
  text.setSelectionRange(lineStart(start[0]) + start[1], lineStart(end[0]) + end[1]);
  text.scrollTop = Math.max(0, (start[0] - 4) * rowHeight());
}

const COSTS = {
  groups: "Groups", slots: "Slots", literals: "Literals", clauses: "Clauses", fetches: "Fetches",
  gprs: "GPRs", stack: "Stack", dwords: "Words",
};

function showCosts(costs, plain) {
  const names = Object.keys(COSTS);
  const row = (label, cells) => {
    const made = element("tr", "");
    const head = element("th", label);
    head.scope = "row";
    made.append(head, ...cells);
    return made;
  };
  const head = names.map((name) => element("th", COSTS[name]));
  find("#costs thead").replaceChildren(row("", head));
  const rows = [row(`-${level.value}`, names.map((name) => element("td", costs[name])))];
  if (plain) {
    rows.push(row("-O0", names.map((name) => element("td", plain[name]))));
    rows.push(row("saved", names.map((name) => {
      const part = plain[name] ? Math.round(100 * (1 - costs[name] / plain[name])) : 0;
      return element("td", `${part} %`, part > 0 ? "less" : "");
    })));
  }
  find("#costs tbody").replaceChildren(...rows);
  find("#costs").classList.remove("stale");
}

// Lines that belong together.

const rowHeight = () => parseFloat(getComputedStyle(find(".numbers")).lineHeight);

/** The row under the mouse. */
function rowAt(event, box, scrolled) {
  return Math.floor((event.clientY - box.getBoundingClientRect().top + scrolled - 4) / rowHeight());
}

/** Makes a mark of a row. */
function mark(className) {
  return (row) => {
    const made = element("span", "", className);
    made.style.top = `calc(${row} * var(--row))`;
    return made;
  };
}

/** Scrolls `place` so that one of the rows is seen, unless one is. */
function reveal(place, rows, top) {
  if (rows.length === 0) return;
  const height = rowHeight();
  const isSeen = (row) => {
    const at = top + row * height;
    return at >= place.scrollTop && at + height <= place.scrollTop + place.clientHeight;
  };
  if (!rows.some(isSeen)) place.scrollTop = Math.max(0, top + rows[0] * height - place.clientHeight / 3);
}

/** Lights up what comes from some instructions: their source, lines of the listings, parts of pictures. What is pointed
    at in one half is scrolled into view in the other; `from` is the half. */
function light(ids, from = null) {
  const key = ids?.join(" ") ?? null;
  if (state.answer === null || key === state.lit && key !== null) return;
  state.lit = key;
  const wanted = new Set(ids);
  const touches = (origins) => origins.some((id) => wanted.has(id));
  const { instruction_lines: lines, shown } = state.answer;
  document.querySelectorAll(".lit-line").forEach((lit) => lit.remove());
  const sourceRows = [...wanted].map((id) => lines[id]).filter((row) => row != null);
  editorMarks.prepend(...sourceRows.map(mark("lit-line")));
  const rowsOf = (text) => (text?.origins ?? []).flatMap((origins, row) => (touches(origins) ? [row] : []));
  const rows = rowsOf(shown);
  find(".marks", listing).prepend(...rows.map(mark("lit-line")));
  find(".marks", otherListing).prepend(...rowsOf(state.other).map(mark("lit-line")));
  for (const part of picture.querySelectorAll(".lit")) part.classList.remove("lit");
  for (const part of partsOf(wanted)) part.classList.add("lit");
  if (from === "source" && !listing.hidden) reveal(pane, rows, find(".lines", listing).offsetTop);
  if (from === "result") reveal(text, sourceRows, 4);
}

function instructionsOfRow(row) {
  return (state.answer?.instruction_lines ?? []).flatMap((line, id) => (line === row ? [id] : []));
}

const cursorRow = () => text.value.slice(0, text.selectionStart).split("\n").length - 1;

text.addEventListener("mousemove", (event) => {
  light(instructionsOfRow(rowAt(event, text, text.scrollTop)), "source");
});
for (const [place, told] of [[listing, () => state.answer?.shown], [otherListing, () => state.other]]) {
  place.addEventListener("mousemove", (event) => {
    light(told()?.origins?.[rowAt(event, find(".lines", place), 4)] ?? [], "result");
  });
}
picture.addEventListener("mousemove", (event) => {
  const part = event.target.closest?.("[data-origins]");
  light(part ? part.dataset.origins.split(" ").map(Number) : [], "result");
});
for (const place of [text, listing, otherListing, picture]) place.addEventListener("mouseleave", () => light([]));
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== text) return;
  const ids = instructionsOfRow(cursorRow());
  light(ids, "source");
  // The instruction may be in another block than the one that is drawn.
  const isElsewhere = ids.length > 0 && cursorRow() !== state.row && partsOf(new Set(ids)).length === 0;
  if (state.view === "deps" && isElsewhere) askSoon();
});

// The editor.

function number() {
  const count = text.value.split("\n").length;
  const numbers = find(".numbers pre");
  if (numbers.dataset.count === String(count)) return;
  numbers.dataset.count = count;
  numbers.textContent = Array.from({ length: count }, (_, n) => n + 1).join("\n");
}

/** Colours the rows that are seen; the text itself is transparent, so that a long shader costs nothing. */
function colour() {
  const height = rowHeight();
  const first = Math.max(0, Math.floor(text.scrollTop / height) - 2);
  const count = Math.ceil(text.clientHeight / height) + 4;
  const rows = text.value.split("\n").slice(first, first + count);
  paint.replaceChildren(colours(rows.join("\n"), "tgsi"));
  paint.style.transform = `translate(${-text.scrollLeft}px, ${first * height - text.scrollTop}px)`;
}

/** Shows that the text is another one. */
function renew() {
  number();
  colour();
}

text.addEventListener("input", () => {
  renew();
  askSoon();
});
new ResizeObserver(colour).observe(text);
text.addEventListener("scroll", () => {
  colour();
  find(".numbers pre").style.transform = `translateY(${-text.scrollTop}px)`;
  editorMarks.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
});

// Choices.

function choose(view) {
  state.view = view;
  for (const tab of tabs) {
    const chosen = tab.dataset.view === view;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
  find("#pass-choice").hidden = view !== "pass";
  find("#view").setAttribute("aria-labelledby", `tab-${view}`);
}

for (const tab of tabs) {
  tab.addEventListener("click", () => {
    choose(tab.dataset.view);
    ask();
  });
}
find("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
  if (!step || event.target.role !== "tab") return;
  const next = tabs[(tabs.indexOf(event.target) + step) % tabs.length];
  next.focus();
  next.click();
});
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => zoom.by(Number(button.dataset.zoom)));
}
for (const control of [chip, level, precise, other]) control.addEventListener("change", ask);
pass.addEventListener("change", () => {
  state.pass = pass.value;
  ask();
});
example.addEventListener("change", () => {
  const chosen = state.setup.examples.find(({ name }) => name === example.value);
  if (!chosen) return;
  text.value = chosen.text;
  text.scrollTop = 0;
  renew();
  ask();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "F8" || !state.answer?.problems.length) return;
  event.preventDefault();
  const here = cursorRow();
  const { problems } = state.answer;
  goTo(problems.find(({ start }) => start[0] > here) ?? problems[0]);
});
find("#share").addEventListener("click", async () => {
  await remember();
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  status.textContent = "link copied";
});

// The address holds everything behind the `#`, which no server ever sees.

async function pipe(bytes, through) {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function remember() {
  const { name } = state.setup.examples.find((known) => known.text === text.value) ?? { name: "" };
  example.value = name;
  const choices = {
    t: name ? undefined : text.value, e: name || undefined, c: chip.value, o: level.value,
    p: precise.checked, v: state.view, a: state.pass, b: other.value || undefined,
  };
  const bytes = await pipe(new TextEncoder().encode(JSON.stringify(choices)), new CompressionStream("deflate-raw"));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", `#${code}`);
}

async function recall() {
  const code = location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
  if (!code) return false;
  try {
    const bytes = Uint8Array.from(atob(code), (char) => char.charCodeAt(0));
    const choices = JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"))));
    const known = state.setup.examples.find(({ name }) => name === choices.e);
    text.value = choices.t ?? known?.text ?? "";
    if (choices.c) chip.value = choices.c;
    if (choices.o) level.value = choices.o;
    precise.checked = Boolean(choices.p);
    state.pass = choices.a ?? state.pass;
    other.value = choices.b ?? "";
    if (tabs.some((tab) => tab.dataset.view === choices.v)) choose(choices.v);
    return true;
  } catch {
    return false;
  }
}

async function start() {
  try {
    state.setup = await answers.setup();
  } catch (error) {
    message.hidden = false;
    message.textContent = error.message;
    return;
  }
  const groups = Map.groupBy(state.setup.chips, ({ generation }) => generation);
  for (const [generation, chips] of groups) {
    const group = document.createElement("optgroup");
    group.label = generation;
    group.append(...chips.map(({ name }) => new Option(name, name)));
    chip.append(group);
  }
  chip.value = "rv770";
  example.append(...state.setup.examples.map(({ name }) => new Option(name, name)));
  const besides = [["level O0", "-O0"], ["level O1", "-O1"], ["before", "pass before"]];
  for (const { name } of state.setup.chips) besides.push([`chip ${name}`, name]);
  other.append(...besides.map(([value, label]) => new Option(label, value)));
  zoom.attach(pane);
  choose("listing");
  if (!(await recall())) text.value = state.setup.text ?? state.setup.examples[0].text;
  text.setSelectionRange(0, 0);
  renew();
  ask();
}

window.addEventListener("hashchange", async () => {
  if (await recall()) {
    renew();
    ask();
  }
});
start();
