// The state of runs, asked for over plain HTTP: a lost socket, a reload or a restarted server changes nothing.
import { reach } from "./session.js";
import { t, useTexts, voice } from "./texts.js";

const runs = new Map();

export async function api(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await reach(path, options);
  if (answer.status === 204) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error || t("error.server"));
  return data;
}

const FINAL = new Set(["done"]);
const RESTING = new Set(["stopped", "failed", "interrupted"]);

function pause(run) {
  if (run.offline) return 1500;
  const head = run.parts.head;
  if (!head) return 500;
  if (FINAL.has(head.status)) return null;
  if (RESTING.has(head.status) || head.waiting) return document.hidden ? 8000 : 2500;
  return document.hidden ? 3000 : head.phase === "write" ? 300 : 600;
}

async function poll(id) {
  const run = runs.get(id);
  if (!run || run.asking) return run?.asking;
  clearTimeout(run.timer);
  run.asking = ask(id, run);
  await run.asking;
  run.asking = null;
  const wait = pause(run);
  if (run.listeners.size && wait !== null) run.timer = setTimeout(() => poll(id), wait);
}

async function ask(id, run) {
  try {
    const changed = await api(`/runs/${id}?after=${run.version}`);
    if (run.offline || changed) {
      run.offline = false;
      run.error = "";
      if (changed) {
        run.version = changed.version;
        run.parts = { ...run.parts, ...changed.parts };
      }
      run.listeners.forEach((tell) => tell());
    }
  } catch (error) {
    run.offline = true;
    run.error = error instanceof TypeError ? "" : error.message;
    run.listeners.forEach((tell) => tell());
  }
}

function entry(id) {
  if (!runs.has(id)) runs.set(id, { version: 0, parts: {}, listeners: new Set(), offline: false, error: "", asking: null });
  return runs.get(id);
}

// A reload of a conversation that was just begun finds it again, also where the history is folded away.
function keepAddress(thread) {
  if (thread && location.pathname === "/") history.replaceState(history.state, "", `/thread/${thread}`);
}

// The parts of a run, kept up to date while something shows them, and what is said of it: {ready, parts, say, offline, refresh}.
export function useRun(React, id, thread) {
  const ready = useTexts(React);
  const [, tell] = React.useReducer((n) => n + 1, 0);
  const run = entry(id);
  React.useEffect(() => {
    run.listeners.add(tell);
    poll(id);
    keepAddress(thread);
    return () => run.listeners.delete(tell);
  }, [id]);
  return { ready, parts: run.parts, say: voice(run.parts.head?.language), offline: run.offline, error: run.error, refresh: () => poll(id) };
}

export async function act(id, action, body) {
  const result = await api(`/runs/${id}/${action}`, body || {});
  await runs.get(id)?.asking;  // asked before the action: its answer may not know of it
  await poll(id);
  return result;
}
