// Compiles phong for Latte with the module, some times over, and gives it garbage.
import { readFile } from "node:fs/promises";

const file = process.argv.at(-1);
const imports = { env: { tgsi_now: () => performance.now() } };
const { instance: { exports: wasm } } = await WebAssembly.instantiate(await readFile(file), imports);

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
const memory = wasm.memory.buffer.byteLength;
for (let run = 0; run < 200; run++) {
  check(told(wasm.tgsi_answer, "{".repeat(run)).error, "garbage is no error");
  told(wasm.tgsi_answer, question);
}
check(wasm.memory.buffer.byteLength === memory, "memory is not given back");
console.log(`node: phong for latte in ${Math.min(...times.slice(5)).toFixed(1)} ms warm, ${memory >> 10} KiB`);
