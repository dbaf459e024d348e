// Who answers this page: WebAssembly in a worker, so that typing never waits for the compiler.

"use strict";

/** Runs in the worker. It has no names from outside but `unlzma`, for their texts are all that the worker gets. */
function worker() {
  let wasm = null;

  /** Gives `text` to `call`, which answers with the place of a length and that many bytes. */
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

  const calls = {
    setup: () => told(wasm.tgsi_setup, ""),
    ask: (question) => told(wasm.tgsi_answer, JSON.stringify(question)),
  };

  /** Starts the module, which comes packed the first time, and gives it back for workers after this one. */
  async function begin({ packed, module }) {
    const compiled = module ?? await WebAssembly.compile(unlzma(packed));
    const imports = { env: { tgsi_now: () => performance.now() } };
    wasm = (await WebAssembly.instantiate(compiled, imports)).exports;
    return compiled;
  }

  self.onmessage = async ({ data: { id, call, given } }) => {
    try {
      self.postMessage({ id, answer: call === "begin" ? await begin(given) : calls[call](given) });
    } catch (error) {
      // A trap leaves the memory in no known state: the page starts a new worker.
      self.postMessage({ id, error: String(error.message ?? error), isBroken: error instanceof WebAssembly.RuntimeError });
    }
  };
}

const answers = (() => {
  let started = null;
  let last = 0;
  const waiting = new Map();

  /** The packed module: a file beside the page, or, where pages may not read files, a script that holds it. */
  async function packed() {
    if (location.protocol !== "file:") {
      const response = await fetch("tgsi.wasm.lzma");
      if (!response.ok) throw new Error(`tgsi.wasm.lzma cannot be loaded: ${response.status}.`);
      return new Uint8Array(await response.arrayBuffer());
    }
    await new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: "tgsi.wasm.js" });
      Object.assign(script, { onload: resolve, onerror: () => reject(new Error("tgsi.wasm.js is missing.")) });
      document.head.append(script);
    });
    return Uint8Array.from(atob(globalThis.packedWasm), (char) => char.charCodeAt(0));
  }

  /** What a worker begins with: the packed module, and once that is unpacked, the module itself. */
  let source = null;

  function send(own, message) {
    const id = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      own.postMessage({ id, ...message });
    });
  }

  async function start() {
    source ??= { packed: await packed() };
    const text = `${unlzma}\n(${worker})()`;
    const own = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    own.onmessage = ({ data: { id, answer, error, isBroken } }) => {
      if (isBroken) started = null;
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new Error(error));
      else resolve(answer);
    };
    source = { module: await send(own, { call: "begin", given: source }) };
    return own;
  }

  async function call(name, given) {
    started ??= start();
    return send(await started, { call: name, given });
  }

  // Questions wait in a row of one: while the worker is busy, only the newest of each kind is kept.
  let row = Promise.resolve();

  return {
    setup: () => call("setup"),

    /** The answer to `question`; `signal` says that nobody wants it any more. */
    ask(question, { signal, limit }) {
      if (question.text.length > limit) return Promise.reject(new Error("The shader is too long for this page."));
      const answer = row.then(() => {
        signal.throwIfAborted();
        return call("ask", question);
      });
      row = answer.catch(() => {});
      return answer.then((answer) => {
        signal.throwIfAborted();
        return answer;
      });
    },
  };
})();
