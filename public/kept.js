// Like useState, and still there after the element is drawn anew or the page is loaded again.
export function useKept(React, key, initial) {
  const name = `rabbithole:${key}`;
  const [value, set] = React.useState(() => {
    try {
      const stored = sessionStorage.getItem(name);
      return stored === null ? initial : JSON.parse(stored);
    } catch {
      return initial;
    }
  });
  const keep = (next) => set((before) => {
    const after = typeof next === "function" ? next(before) : next;
    try {
      sessionStorage.setItem(name, JSON.stringify(after));
    } catch { /* a full storage costs the draft after a reload, nothing else */ }
    return after;
  });
  return [value, keep];
}

const NEAR = 200;  // px from the top of the window: whoever has moved on keeps their place
const SETTLES = 150;  // ms in which what arrived is drawn, before it is brought into sight
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

// When the person last scrolled or pressed something; who writes has their eyes on the field, which does not move.
let acted = 0;
const act = ({ type, target }) => { if (type !== "keydown" || !target.matches?.("input, textarea")) acted = performance.now(); };
for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(name, act, { capture: true, passive: true });

// The question above an element, for which it is the answer.
function questionOf(node) {
  const above = [...document.querySelectorAll("[data-step-type=user_message]")].filter((one) => one.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
  return above.pop() || node;
}

// Brings what now waits for the person into sight, once; and once more under the key ``final``, because what stands
// above it (the progress, then one line) is lower by then. An answer comes with its question above it (``answers``).
// Nothing moves for a person who works in the element already, or has turned to something since it arrived.
export function useArrival(React, key, final = "", answers = false) {
  const ref = React.useRef(null);
  const first = () => (answers ? questionOf(ref.current) : ref.current);
  const free = (since) => acted < since && !ref.current.contains(document.activeElement);
  const bring = (name, wanted) => {
    if (!name || !ref.current || sessionStorage.getItem(`rabbithole:seen:${name}`)) return;
    sessionStorage.setItem(`rabbithole:seen:${name}`, "1");
    const since = performance.now();
    setTimeout(() => {
      if (ref.current && wanted() && free(since)) first().scrollIntoView({ block: "start", behavior: CALM.matches ? "instant" : "smooth" });
    }, SETTLES);
  };
  React.useEffect(() => bring(key, () => true), [key]);
  React.useEffect(() => bring(final, () => Math.abs(first().getBoundingClientRect().top) < NEAR), [final]);
  return ref;
}
