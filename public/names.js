import { onTexts, ready, t } from "./texts.js";

// The frame's own buttons are pictures without a name.
const NAMES = [
  ["#sidebar-trigger-button", "frame.sidebar"], ["[data-sidebar=rail]", "frame.sidebar"], ["#search-chats-button", "frame.search"],
  ["#new-chat-button", "frame.new"], ["#theme-toggle", "frame.theme"], ["#upload-button", "frame.upload"],
  ["#chat-settings-open-modal", "frame.settings"], ["#chat-submit", "frame.send"], ["#chat-input", "frame.input"],
  ["#side-view-title button", "frame.back"], ["main button:has(> .lucide-arrow-down.size-4)", "frame.down"],
  ["#thread-options", "frame.thread"], ["[data-sidebar=menu-action]", "frame.thread"],
];

function nameFrame() {
  if (!ready()) return;
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

// Before anything is painted: a button without a name is never seen, nor heard.
new MutationObserver(nameFrame).observe(document.documentElement, { childList: true, subtree: true });
onTexts(nameFrame);
