// Pictures that are larger than their pane: the wheel zooms, dragging moves, keys do both.

"use strict";

const zoom = (() => {
  const SMALLEST = 0.05;
  const LARGEST = 8;
  let [scale, pane] = [1, null];
  // Whether the scale is the reader's own.
  let isChosen = false;

  function apply(svg) {
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 300 150").split(/[ ,]+/).map(Number);
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
  }

  /** Scales by `factor`; what lies at a point of the pane stays there. */
  function by(factor, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
    const svg = pane.querySelector("svg");
    if (!svg) return;
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    const [left, top] = [(pane.scrollLeft + x) / scale, (pane.scrollTop + y) / scale];
    [scale, isChosen] = [next, true];
    apply(svg);
    pane.scrollLeft = left * scale - x;
    pane.scrollTop = top * scale - y;
  }

  function drag(event) {
    if (event.button !== 0 || !event.target.closest("svg")) return;
    const from = { x: event.clientX + pane.scrollLeft, y: event.clientY + pane.scrollTop };
    const move = (moved) => {
      pane.scrollLeft = from.x - moved.clientX;
      pane.scrollTop = from.y - moved.clientY;
    };
    const end = () => {
      pane.removeEventListener("pointermove", move);
      pane.classList.remove("is-dragged");
    };
    pane.classList.add("is-dragged");
    pane.addEventListener("pointermove", move);
    pane.addEventListener("pointerup", end, { once: true });
    pane.addEventListener("pointerleave", end, { once: true });
  }

  function key(event) {
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (!factor || !pane.querySelector("svg")) return;
    event.preventDefault();
    by(factor);
  }

  return {
    /** Makes `within` a pane whose picture zooms and moves. */
    attach(within) {
      pane = within;
      pane.addEventListener("pointerdown", drag);
      pane.addEventListener("keydown", key);
      pane.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey || !pane.querySelector("svg")) return;
        event.preventDefault();
        const box = pane.getBoundingClientRect();
        by(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
      }, { passive: false });
    },

    by,

    /** Shows a new picture: with `fit` no wider than the pane unless someone zoomed, else as large as the one before;
        `part` in the middle. */
    begin(svg, { fit, part }) {
      const [, , width] = (svg.getAttribute("viewBox") ?? "0 0 300 150").split(/[ ,]+/).map(Number);
      if (fit && !isChosen) scale = Math.min(1, pane.clientWidth / width);
      apply(svg);
      if (!part) return;
      const [box, at] = [pane.getBoundingClientRect(), part.getBoundingClientRect()];
      pane.scrollLeft += at.left + at.width / 2 - box.left - box.width / 2;
      pane.scrollTop += at.top + at.height / 2 - box.top - box.height / 2;
    },

    /** Forgets the scale of the picture before. */
    reset() {
      [scale, isChosen] = [1, false];
    },
  };
})();
