import { closePage } from "./beside.js";
import { onTexts, ready, t } from "./texts.js";

// The frame's own buttons are pictures without a name.
const NAMES = [
  ["#sidebar-trigger-button", "frame.sidebar"], ["[data-sidebar=rail]", "frame.sidebar"], ["#search-chats-button", "frame.search"],
  ["#new-chat-button", "frame.new"], ["#theme-toggle", "frame.theme"], ["#upload-button", "frame.upload"],
  ["#chat-settings-open-modal", "frame.settings"], ["#chat-submit", "frame.send"], ["#chat-input", "frame.input"],
  ["#side-view-title button", "frame.back"], ["main button:has(> .lucide-arrow-down.size-4)", "frame.down"],
  ["#thread-options", "frame.thread"], ["[data-sidebar=menu-action]", "frame.thread"],
  ["main button.undefined", "frame.copy"], ["[role=separator]", "frame.width"],
  [".inline-pdf", "frame.pdf"],
];

// Parts of the page that can be jumped to.
const LANDMARKS = [["[data-sidebar=sidebar]", "navigation", "frame.history"], ["#header", "banner", "frame.banner"]];

function skipLink() {
  if (document.querySelector(".rh-skip") || !document.querySelector("#chat-input")) return;
  const link = document.createElement("a");
  link.className = "rh-skip";
  link.href = "#chat-input";
  link.textContent = t("frame.skip");
  link.addEventListener("click", (event) => { event.preventDefault(); document.querySelector("#chat-input")?.focus(); });
  document.body.prepend(link);
}

// A long question is scrolled in its place, so the keyboard must reach it.
const sized = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollHeight > target.clientHeight || target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

// What the frame says wrongly of its parts: a list of no items, a button that is none, a reference to nothing.
function mend() {
  for (const list of document.querySelectorAll("ul[data-sidebar=menu]:not([role]):has(> :not(li))")) list.setAttribute("role", "presentation");
  for (const button of document.querySelectorAll("#thread-options:not([role])")) button.setAttribute("role", "button");
  for (const dialog of document.querySelectorAll("[role=dialog]:has(.rh-page):not([aria-label])")) {
    dialog.setAttribute("aria-label", t("frame.beside"));
    dialog.removeAttribute("aria-labelledby");
  }
  for (const question of document.querySelectorAll("[data-step-type=user_message] .message-content:not([data-sized])")) {
    question.dataset.sized = "";
    sized.observe(question);
  }
  for (const handle of document.querySelectorAll("[role=separator][aria-controls]")) {
    if (!document.getElementById(handle.getAttribute("aria-controls"))) handle.removeAttribute("aria-controls");
  }
}

function nameFrame() {
  if (!ready()) return;
  skipLink();
  mend();
  for (const [selector, role, key] of LANDMARKS) {
    for (const node of document.querySelectorAll(selector)) {
      if (node.getAttribute("role") !== role) node.setAttribute("role", role);
      if (node.getAttribute("aria-label") !== t(key)) node.setAttribute("aria-label", t(key));
    }
  }
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

// Escape closes a page beside the chat however it was opened; Enter in a line of a dialog confirms it.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.key === "Escape" && document.querySelector(".rh-page, .rh-documents") && !document.querySelector("[role=dialog]:not(:has(.rh-page, .rh-documents))")) closePage();
  const dialog = event.key === "Enter" && event.target.closest?.("[role=dialog], [role=alertdialog]");
  if (dialog && event.target.matches("input:not([type=checkbox]), [role=dialog], [role=alertdialog]")) dialog.querySelector("#confirm, button[type=submit]")?.click();
});

// Before anything is painted: a button without a name is never seen, nor heard.
new MutationObserver(nameFrame).observe(document.documentElement, { childList: true, subtree: true });
onTexts(nameFrame);
