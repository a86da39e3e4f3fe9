// What the chat says: the frame in the language of the browser, what belongs to a run in that of its report.
import { reach } from "./session.js";

export const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
const textListeners = new Set();
const voices = new Map();
let texts = null;

export const ready = () => texts !== null;
export const onTexts = (tell) => textListeners.add(tell);

function voiceOf(language) {
  const t = (key, values, otherwise) => {
    const text = (texts && texts[language][key]) || (texts ? otherwise || key : "");
    return values ? text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all)) : text;
  };
  const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
  const plural = (key, count, values) => t(count === 1 ? `${key}.one` : key, { n: number(count), ...values });
  const names = new Intl.DisplayNames(language, { type: "language" });
  const languageName = (code) => { try { return names.of(code) } catch { return code } };
  const duration = (seconds) => {
    const whole = Math.max(0, Math.round(seconds));
    const minutes = Math.floor(whole / 60);
    return minutes ? t("time.minutes", { m: minutes, s: String(whole % 60).padStart(2, "0") }) : t("time.seconds", { s: whole });
  };
  // A page as people name it; in documents without pages the label names a paragraph: "¶ 12".
  // A quotation may end on a later page (last).
  const place = (label, last) => String(label).startsWith("¶") ? label : last ? t("page.range", { first: label, last }) : t("page.short", { page: label });
  return { language, t, number, plural, languageName, duration, place };
}

// The texts of a language ("de", "en"); of the browser's where it is not known.
export function voice(wanted) {
  const known = wanted || language;
  if (!voices.has(known)) voices.set(known, voiceOf(known));
  return voices.get(known);
}

export const { t, number, plural, languageName } = voice();

async function loadTexts() {
  try {
    const answer = await reach("/texts");
    if (!answer.ok) throw new Error(answer.statusText);
    texts = await answer.json();
    textListeners.forEach((tell) => tell());
  } catch {
    setTimeout(loadTexts, 1500);
  }
}

export function useTexts(React) {
  const [, tell] = React.useReducer((n) => n + 1, 0);
  React.useEffect(() => {
    textListeners.add(tell);
    tell();
    return () => textListeners.delete(tell);
  }, []);
  return ready();
}

// Another language for menus and field was chosen in the settings: the server reads the cookie, and the page before anything else.
addEventListener("message", ({ data, origin }) => {
  if (origin !== location.origin || !data || data.rabbithole !== "language") return;
  const keep = ["de", "en"].includes(data.language) ? `${data.language}; max-age=31536000` : "; max-age=0";
  document.cookie = `rabbithole-language=${keep}; path=/; samesite=lax`;
  location.reload();
});

loadTexts();
