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

// Brings what now waits for the person into sight, once.
export function useArrival(React, key) {
  const ref = React.useRef(null);
  React.useEffect(() => {
    if (!key || !ref.current) return;
    const name = `rabbithole:seen:${key}`;
    if (sessionStorage.getItem(name)) return;
    sessionStorage.setItem(name, "1");
    const node = ref.current;
    setTimeout(() => node.scrollIntoView({ block: "start", behavior: "smooth" }), 150);
  }, [key]);
  return ref;
}
