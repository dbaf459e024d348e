// Asks the server what it makes of the shader, and shows the answer. All that is known here is lines and columns.

const find = (selector, within = document) => within.querySelector(selector);
const [text, chip, level, precise, example, pass, status] =
  ["text", "chip", "level", "precise", "example", "pass", "status"].map((id) => find(`#${id}`));
const editorMarks = find(".editor .marks");
const listing = find(".listing");
const picture = find(".picture");
const message = find(".message");
const tabs = [...document.querySelectorAll("[role=tab]")];

/** Milliseconds without a key before the server is asked. */
const PAUSE = 60;

const state = { view: "listing", pass: "lower", setup: null, answer: null, lit: null };

// Asking.

let timer = 0;
let running = null;

function askSoon() {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

async function post(question, signal) {
  const body = JSON.stringify(question);
  if (body.length > state.setup.max_body) throw new Error("The shader is too long for this page.");
  const headers = { "content-type": "application/json" };
  const response = await fetch("answer", { method: "POST", headers, body, signal });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

async function ask() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const begun = performance.now();
  const question = {
    text: text.value, chip: chip.value, level: level.value, precise: precise.checked,
    view: state.view, pass: state.view === "pass" ? state.pass : null,
  };
  remember();
  try {
    const answer = await post(question, signal);
    show(answer);
    status.textContent = `${Math.round(performance.now() - begun)} ms`;
    document.documentElement.dataset.answered = question.view;
    await showBaseline(answer, question, signal);
  } catch (error) {
    if (error.name !== "AbortError") showMessage(error.message);
  }
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
  const shown = answer.shown;
  if (shown) {
    listing.hidden = shown.kind !== "text";
    picture.hidden = shown.kind !== "picture";
    message.hidden = shown.kind !== "message";
    if (shown.kind === "text") find("pre", listing).textContent = shown.text;
    if (shown.kind === "picture") showPicture(shown.svg);
    if (shown.kind === "message") message.textContent = shown.text;
  }
  light(null);
}

function showMessage(words) {
  show({ problems: [], instruction_lines: [], costs: null, passes: [], shown: { kind: "message", text: words } });
  status.textContent = "";
}

function showPicture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  picture.replaceChildren(document.importNode(parsed.documentElement, true));
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

function lit(className) {
  return (row) => {
    const mark = element("span", "", className);
    mark.style.top = `calc(${row} * var(--row))`;
    return mark;
  };
}

/** Lights up what comes from some instructions: their source, lines of the listing, parts of pictures. */
function light(ids) {
  const key = ids?.join(" ") ?? null;
  if (state.answer === null || key === state.lit && key !== null) return;
  state.lit = key;
  const wanted = new Set(ids);
  const touches = (origins) => origins.some((id) => wanted.has(id));
  const { instruction_lines: lines, shown } = state.answer;
  document.querySelectorAll(".lit-line").forEach((mark) => mark.remove());
  const sourceRows = [...wanted].map((id) => lines[id]).filter((row) => row !== undefined);
  editorMarks.prepend(...sourceRows.map(lit("lit-line")));
  const rows = (shown?.origins ?? []).flatMap((origins, row) => (touches(origins) ? [row] : []));
  find(".marks", listing).replaceChildren(...rows.map(lit("lit-line")));
  for (const part of picture.querySelectorAll("[data-origins]")) {
    part.classList.toggle("lit", touches(part.dataset.origins.split(" ").map(Number)));
  }
}

function instructionsOfRow(row) {
  return (state.answer?.instruction_lines ?? []).flatMap((line, id) => (line === row ? [id] : []));
}

text.addEventListener("mousemove", (event) => light(instructionsOfRow(rowAt(event, text, text.scrollTop))));
listing.addEventListener("mousemove", (event) => {
  light(state.answer?.shown?.origins?.[rowAt(event, listing, 0)] ?? []);
});
picture.addEventListener("mousemove", (event) => {
  const part = event.target.closest?.("[data-origins]");
  light(part ? part.dataset.origins.split(" ").map(Number) : []);
});
for (const place of [text, listing, picture]) place.addEventListener("mouseleave", () => light([]));
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== text) return;
  const before = text.value.slice(0, text.selectionStart);
  light(instructionsOfRow(before.split("\n").length - 1));
});

// The editor.

function number() {
  const count = text.value.split("\n").length;
  const numbers = find(".numbers pre");
  if (numbers.dataset.count === String(count)) return;
  numbers.dataset.count = count;
  numbers.textContent = Array.from({ length: count }, (_, n) => n + 1).join("\n");
}

text.addEventListener("input", () => {
  number();
  askSoon();
});
text.addEventListener("scroll", () => {
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
for (const control of [chip, level, precise]) control.addEventListener("change", ask);
pass.addEventListener("change", () => {
  state.pass = pass.value;
  ask();
});
example.addEventListener("change", () => {
  const chosen = state.setup.examples.find(({ name }) => name === example.value);
  if (!chosen) return;
  text.value = chosen.text;
  text.scrollTop = 0;
  number();
  ask();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "F8" || !state.answer?.problems.length) return;
  event.preventDefault();
  const here = text.value.slice(0, text.selectionStart).split("\n").length - 1;
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
    p: precise.checked, v: state.view, a: state.pass,
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
    if (tabs.some((tab) => tab.dataset.view === choices.v)) choose(choices.v);
    return true;
  } catch {
    return false;
  }
}

async function start() {
  state.setup = await (await fetch("setup")).json();
  const groups = Map.groupBy(state.setup.chips, ({ generation }) => generation);
  for (const [generation, chips] of groups) {
    const group = document.createElement("optgroup");
    group.label = generation;
    group.append(...chips.map(({ name }) => new Option(name, name)));
    chip.append(group);
  }
  chip.value = "rv770";
  example.append(...state.setup.examples.map(({ name }) => new Option(name, name)));
  choose("listing");
  if (!(await recall())) text.value = state.setup.text ?? state.setup.examples[0].text;
  text.setSelectionRange(0, 0);
  number();
  ask();
}

window.addEventListener("hashchange", async () => {
  if (await recall()) {
    number();
    ask();
  }
});
start();
