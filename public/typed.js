// What was typed, or sent, while the session was gone reached nobody: it stands in the composer again.
const TYPED = "rabbithole:typed", TYPED_SECONDS = 120, SENT_SECONDS = 60;
const TRIES = 60;
const typed = { text: "", at: 0 }, sent = { text: "", at: 0, path: "", before: 0 };
const composer = () => document.querySelector("#chat-input");
const written = (node) => (node.value ?? node.innerText).trim();
const letters = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "");  // a page shows them with or without their markup
// A question may be asked twice: what counts is whether it stands there once more than before it was sent.
const said = () => [...document.querySelectorAll("[data-step-type=user_message]")];
const times = (text) => said().filter((one) => letters(one.innerText).includes(letters(text).slice(0, 200))).length;
document.addEventListener("input", ({ target }) => {
  const node = target.closest?.("#chat-input");
  if (node) Object.assign(typed, { text: written(node), at: Date.now() });
});
addEventListener("keydown", ({ key, shiftKey, target }) => {
  if (key === "Enter" && !shiftKey && target.closest?.("#chat-input")) keepSent();
}, true);
addEventListener("click", ({ target }) => target.closest?.("#chat-submit") && keepSent(), true);

export function keepTyped() {
  if (!typed.text || Date.now() - typed.at > TYPED_SECONDS * 1000) return;
  const before = sent.text === typed.text ? sent.before : times(typed.text);
  sessionStorage.setItem(TYPED, JSON.stringify({ text: typed.text, before }));
}

function keepSent() {
  const text = composer() ? written(composer()) : "";
  if (text) Object.assign(sent, { text, at: Date.now(), path: location.pathname, before: times(text) });
}

function putBack(text) {
  composer().focus();
  document.execCommand("insertText", false, text);
  return written(composer()) !== "";
}

// A question stands in the field again, with the word marked that another shall replace; what was typed meanwhile stays.
export function askAgain(text, word) {
  const field = composer();
  if (!field) return;
  field.focus();
  if (!written(field)) putBack(text);
  setTimeout(mark, 100, field, word);  // the frame sets the cursor once it has seen the text
}

function mark(field, word) {
  const at = field.value.indexOf(word);
  if (at >= 0) field.setSelectionRange(at, at + word.length);
}

// A conversation is shown some time after the field; only then it can be told whether the text has arrived.
function bringBackTyped(tries = TRIES) {
  const kept = JSON.parse(sessionStorage.getItem(TYPED) || "null");
  if (!kept || !tries) return;
  const waits = location.pathname.startsWith("/thread/") && !said().length && tries > TRIES / 2;
  if (!composer() || waits) setTimeout(bringBackTyped, 500, tries - 1);
  else setTimeout(() => {
    if (times(kept.text) > kept.before || written(composer()) || putBack(kept.text)) sessionStorage.removeItem(TYPED);
    else bringBackTyped(tries - 1);
  }, 1500);
}

// A frame that connects again shows the conversation as the server knows it: what it does not know is gone.
function bringBackSent() {
  const age = (Date.now() - sent.at) / 1000;
  if (sent.path === "/") sent.path = location.pathname;  // the conversation begun by it, before the person opens another
  if (!sent.text || age < 3 || !composer()) return;
  const moved = sent.path !== location.pathname;
  if (age > SENT_SECONDS || moved) sent.text = "";
  else if (times(sent.text) <= sent.before && !written(composer()) && putBack(sent.text)) sent.text = "";
}

// The server could not take it up now: it stands in the field again. The answer may come before the frame has emptied the field.
addEventListener("message", ({ data, origin }) => {
  if (origin === location.origin && data && data.rabbithole === "typed") setTimeout(giveBack, 300, String(data.text));
});

function giveBack(text, tries = 12, put = false) {
  const there = composer() ? written(composer()) : "";
  const same = letters(there) === letters(text);
  if (!tries || (there && !same) || (put && same)) return;
  if (!there) putBack(text);
  setTimeout(giveBack, 300, text, tries - 1, !there);
}

setInterval(bringBackSent, 1500);
bringBackTyped();
