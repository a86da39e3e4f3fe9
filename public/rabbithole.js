// What the elements of the chat share: texts, the state of runs, drafts that survive a reload.
// State is asked for over plain HTTP, so a lost socket, a reload or a restarted server changes nothing.
(() => {
  const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
  document.documentElement.lang = language;
  // Light or dark as the person's system is, until they choose otherwise.
  if (!localStorage.getItem("vite-ui-theme")) localStorage.setItem("vite-ui-theme", "system");
  const runs = new Map();
  const textListeners = new Set();
  let texts = null;

  const t = (key, values, otherwise) => {
    const text = (texts && texts[key]) || (texts ? otherwise || key : "");
    return values ? text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all)) : text;
  };
  const plural = (key, count, values) => t(count === 1 ? `${key}.one` : key, { n: number(count), ...values });
  const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
  const percent = (value) => new Intl.NumberFormat(language, { style: "percent" }).format(value);
  const languages = new Intl.DisplayNames(language, { type: "language" });
  const languageName = (code) => { try { return languages.of(code) } catch { return code } };
  const duration = (seconds) => {
    const whole = Math.max(0, Math.round(seconds));
    const minutes = Math.floor(whole / 60);
    return minutes ? t("time.minutes", { m: minutes, s: String(whole % 60).padStart(2, "0") }) : t("time.seconds", { s: whole });
  };

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

  // What was typed, or sent, while the session was gone reached nobody: it stands in the composer again.
  const TYPED = "rabbithole:typed", TYPED_SECONDS = 120, SENT_SECONDS = 60;
  const typed = { text: "", at: 0 }, sent = { text: "", at: 0, path: "" };
  const composer = () => document.querySelector("#chat-input");
  const written = (node) => (node.value ?? node.innerText).trim();
  const letters = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "");  // a page shows them with or without their markup
  const shows = (text) => letters(document.body.innerText).includes(letters(text).slice(0, 200));
  document.addEventListener("input", ({ target }) => {
    const node = target.closest?.("#chat-input");
    if (node) Object.assign(typed, { text: written(node), at: Date.now() });
  });
  addEventListener("keydown", ({ key, shiftKey, target }) => {
    if (key === "Enter" && !shiftKey && target.closest?.("#chat-input")) keepSent();
  }, true);
  addEventListener("click", ({ target }) => target.closest?.("#chat-submit") && keepSent(), true);

  function keepTyped() {
    if (typed.text && Date.now() - typed.at < TYPED_SECONDS * 1000) sessionStorage.setItem(TYPED, typed.text);
  }

  function keepSent() {
    const text = composer() ? written(composer()) : "";
    if (text) Object.assign(sent, { text, at: Date.now(), path: location.pathname });
  }

  function putBack(text) {
    composer().focus();
    document.execCommand("insertText", false, text);
    return written(composer()) !== "";
  }

  function bringBackTyped(tries = 40) {
    const text = sessionStorage.getItem(TYPED);
    if (!text || !tries) return;
    if (!composer()) setTimeout(bringBackTyped, 250, tries - 1);
    else setTimeout(() => {
      if (shows(text) || written(composer()) || putBack(text)) sessionStorage.removeItem(TYPED);
      else bringBackTyped(tries - 1);
    }, 1500);
  }

  // A frame that connects again shows the conversation as the server knows it: what it does not know is gone.
  function bringBackSent() {
    const age = (Date.now() - sent.at) / 1000;
    if (!sent.text || age < 3 || !composer()) return;
    if (sent.path === "/") sent.path = location.pathname;  // the conversation begun by it
    const moved = sent.path !== location.pathname;
    if (age > SENT_SECONDS || moved) sent.text = "";
    else if (!shows(sent.text) && !written(composer()) && putBack(sent.text)) sent.text = "";
  }
  setInterval(bringBackSent, 1500);
  bringBackTyped();
  listen();
  setInterval(() => lost || listen(), BEAT_SECONDS * 1000);
  setInterval(() => lost && listen(), 1500);

  async function api(path, body) {
    const options = body === undefined ? {} : {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    };
    const answer = await fetch(`/rabbithole${path}`, { credentials: "same-origin", ...options })
      .catch((error) => { lost = true; throw error; });
    if (lost) await listen();
    if (answer.status === 204) return null;
    const data = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(data.error || t("error.server"));
    return data;
  }

  async function loadTexts() {
    try {
      texts = await api(`/texts?lang=${language}`);
      textListeners.forEach((tell) => tell());
    } catch {
      setTimeout(loadTexts, 1500);
    }
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
    if (!run || run.busy) return;
    clearTimeout(run.timer);
    run.busy = true;
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
    run.busy = false;
    const wait = pause(run);
    if (run.listeners.size && wait !== null) run.timer = setTimeout(() => poll(id), wait);
  }

  function entry(id) {
    if (!runs.has(id)) runs.set(id, { version: 0, parts: {}, listeners: new Set(), offline: false, error: "", busy: false });
    return runs.get(id);
  }

  // A reload of a conversation that was just begun finds it again, also where the history is folded away.
  function keepAddress(thread) {
    if (thread && location.pathname === "/") history.replaceState(history.state, "", `/thread/${thread}`);
  }

  function useTexts(React) {
    const [, tell] = React.useReducer((n) => n + 1, 0);
    React.useEffect(() => {
      textListeners.add(tell);
      tell();
      return () => textListeners.delete(tell);
    }, []);
    return texts !== null;
  }

  // The parts of a run, kept up to date while something shows them: {ready, parts, offline, refresh}.
  function useRun(React, id, thread) {
    const ready = useTexts(React);
    const [, tell] = React.useReducer((n) => n + 1, 0);
    const run = entry(id);
    React.useEffect(() => {
      run.listeners.add(tell);
      poll(id);
      keepAddress(thread);
      return () => run.listeners.delete(tell);
    }, [id]);
    return { ready, parts: run.parts, offline: run.offline, error: run.error, refresh: () => poll(id) };
  }

  // Like useState, and still there after the element is drawn anew or the page is loaded again.
  function useKept(React, key, initial) {
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

  // Without a login there is nobody to log out.
  function setLocal(local) {
    document.documentElement.toggleAttribute("data-local", Boolean(local));
  }

  // Brings what now waits for the person into sight, once.
  function useArrival(React, key) {
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

  // What is read stays where it is while the chat becomes narrower or wider: a page opens beside it, or closes.
  const scrollers = new WeakSet();
  let anchor = null;

  function scrollerOf(node) {
    for (let at = node.parentElement; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at;
    }
    return null;
  }

  function pin(node) {
    const scroller = node && scrollerOf(node);
    if (scroller) anchor = { node, scroller, top: node.getBoundingClientRect().top - scroller.getBoundingClientRect().top };
  }

  function pinMiddle(scroller) {
    const box = scroller.getBoundingClientRect();
    const node = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * 0.45);
    if (node && scroller.contains(node)) pin(node);
  }

  function watch(node) {
    const scroller = node && scrollerOf(node);
    if (!scroller || scrollers.has(scroller)) return;
    scrollers.add(scroller);
    let width = scroller.clientWidth;
    scroller.addEventListener("scroll", () => scroller.clientWidth === width && pinMiddle(scroller), { passive: true });
    new ResizeObserver(() => {
      if (scroller.clientWidth === width) return;
      width = scroller.clientWidth;
      if (!anchor || anchor.scroller !== scroller || !anchor.node.isConnected) return;
      scroller.scrollTop += anchor.node.getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.top;
    }).observe(scroller);
  }

  // Opens a page beside the chat. Who came by keyboard is taken there, and back again by Escape.
  let byKeyboard = false;
  let origin = null;
  document.addEventListener("keydown", () => { byKeyboard = true; }, true);
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, true);

  function openPage(call, payload, from) {
    const node = from || document.activeElement;
    watch(node);
    pin(node);
    origin = byKeyboard ? node : null;
    call({ name: "open_page", payload });
  }

  function arrive(frame) {
    if (origin && frame) frame.focus({ preventScroll: true });
  }

  function closePage() {
    const button = document.querySelector("#side-view-title button, [role=dialog]:has(.rh-page) > button");
    const back = origin;
    origin = null;
    if (button) button.click();
    if (back && back.isConnected) setTimeout(() => back.focus({ preventScroll: true }), 50);
  }

  // The frame's own buttons are pictures without a name.
  const NAMES = [
    ["#sidebar-trigger-button", "frame.sidebar"], ["[data-sidebar=rail]", "frame.sidebar"], ["#search-chats-button", "frame.search"],
    ["#new-chat-button", "frame.new"], ["#theme-toggle", "frame.theme"], ["#upload-button", "frame.upload"],
    ["#chat-settings-open-modal", "frame.settings"], ["#chat-submit", "frame.send"], ["#chat-input", "frame.input"],
    ["#side-view-title button", "frame.back"], ["main button:has(> .lucide-arrow-down.size-4)", "frame.down"],
    ["#thread-options", "frame.thread"], ["[data-sidebar=menu-action]", "frame.thread"],
  ];

  function nameFrame() {
    if (!texts) return;
    for (const [selector, key] of NAMES) {
      for (const node of document.querySelectorAll(selector)) {
        if (node.dataset.named === key) continue;
        node.dataset.named = key;
        node.setAttribute("aria-label", t(key));
        if (node.tagName === "BUTTON") node.title = t(key);
        node.querySelectorAll(".sr-only").forEach((hidden) => { hidden.textContent = t(key); });
      }
    }
  }

  let naming = 0;
  new MutationObserver(() => {
    if (!naming) naming = setTimeout(() => { naming = 0; nameFrame(); }, 200);
  }).observe(document.documentElement, { childList: true, subtree: true });

  async function act(id, action, body) {
    const result = await api(`/runs/${id}/${action}`, body || {});
    await poll(id);
    return result;
  }

  window.rabbithole = { api, act, t, plural, number, percent, duration, language, languageName, useTexts, useRun, useKept, useArrival, setLocal, openPage, arrive, closePage, watch };
  loadTexts();
})();
