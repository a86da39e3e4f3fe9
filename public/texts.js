// What the chat says, in the language of the browser.
import { reach } from "./session.js";

export const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
const textListeners = new Set();
let texts = null;

export const ready = () => texts !== null;
export const onTexts = (tell) => textListeners.add(tell);

export const t = (key, values, otherwise) => {
  const text = (texts && texts[key]) || (texts ? otherwise || key : "");
  return values ? text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all)) : text;
};
export const plural = (key, count, values) => t(count === 1 ? `${key}.one` : key, { n: number(count), ...values });
export const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
const languages = new Intl.DisplayNames(language, { type: "language" });
export const languageName = (code) => { try { return languages.of(code) } catch { return code } };
export const duration = (seconds) => {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes ? t("time.minutes", { m: minutes, s: String(whole % 60).padStart(2, "0") }) : t("time.seconds", { s: whole });
};

async function loadTexts() {
  try {
    const answer = await reach(`/texts?lang=${language}`);
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

loadTexts();

// A page as people name it; in documents without pages the label names a paragraph: "¶ 12".
// A quotation may end on a later page (last).
export const place = (label, last) => String(label).startsWith("¶") ? label : last ? t("page.range", { first: label, last }) : t("page.short", { page: label });
