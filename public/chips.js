// Citations in a text: pointing at a number shows the words it stands for, pressing it opens their page.
const TALLEST = 270;  // pixels of the words shown, which are cut after seven lines
const REST = 400;  // ms that the pointer rests on a number before the words cover the text

// The browser also reports a pointer that rests while the page is scrolled below it: at the place where it was.
let pointer = null, moved = false;
document.addEventListener("mousemove", ({ clientX, clientY }) => {
  moved = !pointer || pointer.x !== clientX || pointer.y !== clientY;
  pointer = { x: clientX, y: clientY };
}, true);

// Below the number, or above it where the field for the question would cover the words and there is more room.
function besides(place, frame) {
  const edge = (name, side, otherwise) => document.querySelector(name)?.getBoundingClientRect()[side] ?? otherwise;
  const below = edge("#message-composer", "top", window.innerHeight) - place.bottom;
  const above = place.top - edge("#header", "bottom", 0);
  return below < TALLEST && above > below ? { bottom: frame.bottom - place.top + 6 } : { top: place.bottom - frame.top + 6 };
}

export function useChips(React, R, say, citations, callAction) {
  const { place, t } = say;
  const h = React.createElement;
  const [tip, setTip] = React.useState(null);
  const box = React.useRef(null);
  const of = (marker) => citations && citations[marker];
  const open = (marker, quote, from) => {
    const one = of(marker);
    if (one) R.openPage(callAction, { document: one.document, page: one.page, quote: quote || one.quote }, from);
  };
  const chip = (event) => event.target.closest && event.target.closest(".rh-chip");
  const show = (found) => {
    const one = found && of(found.dataset.marker);
    if (!one) return setTip(null);
    const place = found.getBoundingClientRect(), frame = box.current.getBoundingClientRect();
    const left = Math.max(0, Math.min(place.left - frame.left, frame.width - 330));
    return setTip({ one, quote: found.dataset.quote || one.quote, at: { left, ...besides(place, frame) } });
  };
  const rest = React.useRef({ marker: null, timer: 0 });
  const forget = () => { clearTimeout(rest.current.timer); rest.current = { marker: null, timer: 0 }; };
  React.useEffect(() => forget, []);
  // Who came by keyboard still reads when the pointer leaves.
  const leave = () => { forget(); if (tip) show(box.current.querySelector(".rh-chip:focus-visible")); };
  const over = (event) => {
    const marker = chip(event);
    if (!marker || !moved || marker === rest.current.marker) return;
    forget();
    rest.current = { marker, timer: setTimeout(() => box.current && marker.matches(":hover") && show(marker), REST) };
  };
  const chips = {
    onClick: (event) => { const marker = chip(event); if (marker) { forget(); open(marker.dataset.marker, marker.dataset.quote, marker); } },
    onMouseMove: over, onMouseOut: (event) => chip(event) && !chip(event).contains(event.relatedTarget) && leave(), onMouseLeave: leave,
    onFocus: (event) => chip(event)?.matches(":focus-visible") && show(chip(event)), onBlur: () => setTip(null),
  };
  const shown = tip && h("div", { className: "rh-tip", role: "tooltip", style: tip.at },
    h("strong", null, `${tip.one.where}, ${place(tip.one.label, tip.one.last)}`),
    tip.quote ? h("q", null, tip.quote) : null,
    h("span", { className: tip.one.verified ? "rh-faint" : "rh-warn" }, t(tip.one.verified ? "quote.verified" : "quote.unverified")));
  const dismiss = (event) => event.key === "Escape" && setTip(null);
  return { box, chips, open, tip: shown, dismiss };
}
