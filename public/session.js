import { keepTyped } from "./typed.js";

// The frame's own session ends with the server, and some time after its connection: then the page is loaded anew.
// It comes back as it was, and what is typed reaches the server again.
const BEAT_SECONDS = 20;
let alive = null, heard = Date.now(), lost = false;

async function listen() {
  const before = heard, was = lost;
  try {
    const answer = await fetch("/rabbithole/alive", { credentials: "same-origin" });
    const found = await answer.json();
    const gap = (Date.now() - before) / 1000;
    heard = Date.now();
    lost = false;
    const over = alive && ((was && gap > alive.session) || gap > alive.session + 3 * BEAT_SECONDS);
    const other = alive && alive.boot !== found.boot;
    alive = found;
    if (over || other) {
      addEventListener("pagehide", keepTyped);
      location.reload();
      await new Promise(() => {});  // nothing more is shown of the page that goes
    }
  } catch {
    lost = true;
  }
}

// Asks our part of the server; a question that does not arrive says that the connection is lost, one that does that it is back.
export async function reach(path, options) {
  const answer = await fetch(`/rabbithole${path}`, { credentials: "same-origin", ...options })
    .catch((error) => { lost = true; throw error; });
  if (lost) await listen();
  return answer;
}

listen();
setInterval(() => lost || listen(), BEAT_SECONDS * 1000);
setInterval(() => lost && listen(), 1500);
