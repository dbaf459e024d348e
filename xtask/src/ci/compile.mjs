// Unpacks the module as the page does, compiles phong for Latte with it, some times over, and gives it garbage: of other shaders
// for as many seconds as FUZZ_SECONDS says.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const [folder, module] = process.argv.slice(-2);
const script = await readFile(join(folder, "answers.js"), "utf8");
// The part before the answers, which need a page.
const unlzma = new Function(`${script.split("// Who answers")[0]}; return unlzma;`)();
const unpacked = unlzma(new Uint8Array(await readFile(join(folder, "tgsi.wasm.lzma"))));
check(Buffer.compare(unpacked, await readFile(module)) === 0, "the module is not what was packed");
const imports = { env: { tgsi_now: () => performance.now() } };
const { instance: { exports: wasm } } = await WebAssembly.instantiate(unpacked, imports);

function told(call, text) {
  const bytes = new TextEncoder().encode(text);
  const place = wasm.tgsi_alloc(bytes.length);
  new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  const answer = call(place, bytes.length);
  const length = new DataView(wasm.memory.buffer).getUint32(answer, true);
  const json = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, answer + 4, length));
  wasm.tgsi_free(answer, length + 4);
  return JSON.parse(json);
}

function check(holds, what) {
  if (holds) return;
  console.error(`node: ${what}`);
  process.exit(1);
}

const setup = told(wasm.tgsi_setup, "");
const phong = setup.examples.find(({ name }) => name === "phong.frag").text;
const question = JSON.stringify({ text: phong, chip: "latte" });
const times = [];
for (let run = 0; run < 20; run++) {
  const begun = performance.now();
  const answer = told(wasm.tgsi_answer, question);
  times.push(performance.now() - begun);
  check(answer.costs?.dwords > 0, `phong has no words: ${JSON.stringify(answer.problems)}`);
  check(answer.shown?.text.includes("EXP_DONE"), "phong's listing has no export");
  check(answer.costs.compile_us > 0, "the clock stands still");
}

/** Numbers that look random, the same in every run. */
let seed = 26n;
function random(below) {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(seed >> 33n) % below;
}

/** `text` with some of its characters changed, dropped or doubled. */
function mutated(text) {
  let made = text;
  for (let left = random(6); left > 0; left--) {
    const at = random(made.length + 1);
    const kept = made.slice(at + random(3) * random(12));
    made = made.slice(0, at) + ["", String.fromCharCode(random(256)), made.slice(at, at + random(20))][random(3)] + kept;
  }
  return made;
}

const end = performance.now() + 1000 * Number(process.env.FUZZ_SECONDS ?? 2);
const [chips, views] = [setup.chips.map(({ name }) => name), ["listing", "schedule", "cfg", "deps", "passes", "costs"]];
let rounds = 0;
for (; performance.now() < end; rounds++) {
  const { text } = setup.examples[random(setup.examples.length)];
  const asked = JSON.stringify({
    text: mutated(text), chip: [...chips, "voodoo"][random(chips.length + 1)],
    level: ["O0", "O1", "O2"][random(3)], view: views[random(views.length)],
  });
  const answer = told(wasm.tgsi_answer, random(4) ? asked : mutated(asked));
  check(answer.error || answer.problems, `neither an answer nor an error: ${asked}`);
  const internal = JSON.stringify(answer).match(/internal error[^"]*/);
  check(!internal, `${internal}: ${asked}`);
}
console.log(`node: garbage: ${rounds} rounds`);

told(wasm.tgsi_answer, question);
const memory = wasm.memory.buffer.byteLength;
for (let run = 0; run < 200; run++) {
  check(told(wasm.tgsi_answer, "{".repeat(run)).error, "garbage is no error");
  told(wasm.tgsi_answer, question);
}
check(wasm.memory.buffer.byteLength === memory, "memory is not given back");
console.log(`node: phong for latte in ${Math.min(...times.slice(5)).toFixed(1)} ms warm, ${memory >> 10} KiB`);
