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

export function watch(node) {
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

export function openPage(call, payload, from) {
  const node = from || document.activeElement;
  watch(node);
  pin(node);
  origin = byKeyboard ? node : null;
  call({ name: "open_page", payload });
}

export function arrive(frame) {
  if (origin && frame) frame.focus({ preventScroll: true });
}

export function closePage() {
  const button = document.querySelector("#side-view-title button, [role=dialog]:has(.rh-page, .rh-documents) > button");
  const back = origin;
  origin = null;
  if (button) button.click();
  if (back && back.isConnected) setTimeout(() => back.focus({ preventScroll: true }), 50);
}
