// The documents beside the conversation: what is held, what of it is searched, and how. Below the field stands what is chosen.
import { corrections } from "./corrections.js";
import { make } from "./make.js";
import { api } from "./runs.js";
import { languageName, number, onTexts, plural, ready, t } from "./texts.js";

const MODES = ["research", "answer", "plain"], DEEPEST = 5, SHOWN = 300;
let known = null;
let ticked = new Set();
let keeping = Promise.resolve();

async function load() {
  await keeping.catch(() => {});  // else what was chosen just now would be shown as it was before
  known = await api("/library");
  const { collections, documents } = known.scope;
  ticked = new Set(known.documents.filter((one) => documents.includes(one.id) || collections.includes(one.collection)).map((one) => one.id));
  showLine();
}

// Whole collections are kept by name, so that documents added later belong to them.
function chosen() {
  const of = (collection) => known.documents.filter((one) => one.collection === collection);
  const whole = [...new Set(known.documents.map((one) => one.collection))].filter((name) => of(name).every((one) => ticked.has(one.id)));
  const covered = known.documents.filter((one) => whole.includes(one.collection)).length;
  return ticked.size === covered ? { collections: whole, documents: [] } : { collections: [], documents: [...ticked] };
}

async function keep() {
  Object.assign(known.scope, chosen());
  showLine();
  keeping = api("/library/scope", known.scope);
  await keeping;
}

function said() {
  const { collections, documents } = known.scope;
  if (documents.length) {
    const names = known.documents.filter((one) => documents.includes(one.id)).map((one) => one.name);
    return names.length > 2 ? plural("scope.documents", names.length) : names.join(", ");
  }
  return collections.length ? collections.join(", ") : t("scope.all");
}

function followed() {
  const { mode, depth } = known.scope;
  return depth && mode !== "plain" ? plural("scope.follow", depth) : t("scope.follow.none");
}

// Small below the field; above it, and with a way back, where not everything is searched: a choice stays for new conversations.
function showLine() {
  const composer = document.querySelector("#message-composer");
  if (!ready() || !composer) return;
  let line = document.querySelector("#rh-scope");
  if (!line) {
    line = make("button", { id: "rh-scope", type: "button", title: t("scope.open"), onclick: open });
    make("div", { id: "rh-scope-bar" }, line, make("button", { id: "rh-scope-all", type: "button", className: "rh-link", onclick: searchAll }, t("scope.everything")));
  }
  const limited = Boolean(known && (known.scope.collections.length || known.scope.documents.length));
  const bar = line.parentElement;
  bar.toggleAttribute("data-limited", limited);
  if (limited ? bar.nextElementSibling !== composer : bar.previousElementSibling !== composer) composer[limited ? "before" : "after"](bar);
  const text = known ? t(limited ? "scope.line.limited" : "scope.line", { what: said(), mode: t(`mode.${known.scope.mode}`), follow: followed() }) : t("scope.open");
  if (line.textContent !== text) line.textContent = text;
}

function searchAll() {
  ticked.clear();
  keep();
  document.querySelector("#chat-input")?.focus();
}

function choice(id, label, values, value, change) {
  const options = values.map(([key, text]) => make("option", { value: key, selected: String(key) === String(value) }, text));
  return make("label", { className: "rh-option" }, make("span", { className: "rh-faint" }, label), make("select", { id, className: "rh-input", onchange: (event) => change(event.target.value) }, ...options));
}

function row(one, redraw, panel) {
  const tick = (event) => { event.target.checked ? ticked.add(one.id) : ticked.delete(one.id); keep().then(() => redraw()); };
  const only = () => { ticked = new Set([one.id]); keep(); panel.close(); document.querySelector("#chat-input")?.focus(); };
  const about = [one.title === one.name ? "" : one.title, one.year, plural("start.pages", one.pages), one.language === "und" ? "" : languageName(one.language)];
  return make("li", { className: "rh-document", "data-document": one.id },
    make("input", { type: "checkbox", checked: ticked.has(one.id), "aria-label": t("documents.tick", { name: one.name }), onchange: tick }),
    make("div", { className: "rh-grow" },
      make("a", { className: "rh-link", href: `/rabbithole/documents/${encodeURIComponent(one.id)}/file`, target: "_blank", rel: "noopener", title: one.file }, one.name),
      make("div", { className: "rh-faint" }, about.filter(Boolean).join(" · ")),
      ...one.warnings.map((text) => make("div", { className: "rh-warn rh-small" }, `⚠ ${text}`))),
    make("button", { type: "button", className: "rh-link rh-small", onclick: only }, t("documents.ask")),
    known.editable ? corrections(one, (said) => load().then(() => redraw(said, one.id))) : null);
}

function group(name, rows, redraw, panel) {
  const all = known.documents.filter((one) => one.collection === name);
  const on = all.filter((one) => ticked.has(one.id)).length;
  const tick = (event) => { all.forEach((one) => (event.target.checked ? ticked.add(one.id) : ticked.delete(one.id))); keep().then(() => redraw()); };
  const box = make("input", { type: "checkbox", checked: on === all.length, indeterminate: on > 0 && on < all.length, onchange: tick });
  return make("section", { "aria-label": name },
    make("h3", {}, make("label", { className: "rh-option" }, box, make("span", {}, name), make("span", { className: "rh-faint" }, plural("start.documents", all.length)))),
    make("ul", { className: "rh-plain" }, ...rows.map((one) => row(one, redraw, panel)),
      ...known.unread.filter((one) => one.collection === name).map((one) =>
        make("li", { className: "rh-document rh-warn rh-small" }, `⚠ ${t("documents.unread", { name: one.file, why: one.reason })}`))));
}

async function open() {
  const panel = make("dialog", { className: "rh-documents", "aria-label": t("documents.title") });
  const list = make("div", { className: "rh-scroll-list", tabIndex: 0, role: "group", "aria-label": t("documents.title") });
  const search = make("input", { type: "search", className: "rh-input", placeholder: t("documents.search"), "aria-label": t("documents.search"), oninput: () => redraw(),
    // The browser would only empty the field.
    onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); panel.close(); } } });
  const state = make("p", { className: "rh-faint", role: "status" });
  const redraw = (said, at) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (one) => `${one.name} ${one.title} ${one.file} ${one.year || ""} ${one.collection}`.toLowerCase();
    const found = known.documents.filter((one) => words.every((word) => text(one).includes(word)));
    const shown = found.slice(0, SHOWN), names = [...new Set(shown.map((one) => one.collection))];
    list.replaceChildren(...names.map((name) => group(name, shown.filter((one) => one.collection === name), redraw, panel)));
    list.querySelector(`[data-document="${at}"] summary`)?.focus();
    state.replaceChildren(said ? `${said} ` : "", found.length ? "" : `${t("history.none")} `, ticked.size ? plural("documents.chosen", ticked.size) : t("documents.all"),
      found.length > shown.length ? ` ${t("documents.more", { n: number(found.length - shown.length) })}` : "",
      ticked.size ? make("button", { type: "button", className: "rh-link", onclick: () => { ticked.clear(); keep().then(() => redraw()); } }, t("documents.reset")) : "");
  };
  const set = (name) => (value) => { known.scope[name] = name === "depth" ? Number(value) : value; keep(); };
  panel.addEventListener("close", () => panel.remove());
  panel.addEventListener("click", (event) => event.target === panel && panel.close());
  document.body.append(panel);
  panel.showModal();
  try {
    await load();
  } catch (error) {
    panel.replaceChildren(make("p", { className: "rh-error", role: "alert" }, error.message));
    return;
  }
  panel.replaceChildren(
    make("div", { className: "rh-row" }, make("h2", { className: "rh-grow" }, t("documents.title")), make("button", { type: "button", className: "rh-link", onclick: () => panel.close() }, t("documents.close"))),
    make("div", { className: "rh-row" },
      choice("rh-mode", t("settings.mode"), MODES.map((mode) => [mode, t(`mode.${mode}`)]), known.scope.mode, set("mode")),
      choice("rh-depth", t("settings.depth"), [...Array(DEEPEST + 1).keys()].map((depth) => [depth, number(depth)]), known.scope.depth, set("depth"))),
    search, state, list);
  redraw();
  search.focus();
}

export { open as openDocuments };
onTexts(showLine);
new MutationObserver(() => document.querySelector("#rh-scope") || showLine()).observe(document.documentElement, { childList: true, subtree: true });
load().catch(() => setTimeout(() => load().catch(() => {}), 3000));
