// Who answers this page: the server that it comes from.

"use strict";

const answers = {
  async setup() {
    return (await fetch("setup")).json();
  },

  /** The answer to `question`; `signal` says that nobody wants it any more. */
  async ask(question, { signal, limit }) {
    const body = JSON.stringify(question);
    if (body.length > limit) throw new Error("The shader is too long for this page.");
    const headers = { "content-type": "application/json" };
    const response = await fetch("answer", { method: "POST", headers, body, signal });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  },
};
