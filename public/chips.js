// Citations in a text: pointing at a number shows the words it stands for, pressing it opens their page.
const TALLEST = 270;  // pixels of the words shown, which are cut after seven lines

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
  const rest = () => tip && show(box.current.querySelector(".rh-chip:focus-visible"));  // the pointer left: who came by keyboard still reads
  const chips = {
    onClick: (event) => chip(event) && open(chip(event).dataset.marker, chip(event).dataset.quote, chip(event)),
    onMouseOver: (event) => (chip(event) ? show(chip(event)) : rest()), onMouseLeave: rest,
    onFocus: (event) => show(chip(event)), onBlur: () => setTip(null),
  };
  const shown = tip && h("div", { className: "rh-tip", role: "tooltip", style: tip.at },
    h("strong", null, `${tip.one.where}, ${place(tip.one.label, tip.one.last)}`),
    tip.quote ? h("q", null, tip.quote) : null,
    h("span", { className: tip.one.verified ? "rh-good" : "rh-warn" }, t(tip.one.verified ? "quote.verified" : "quote.unverified")));
  const dismiss = (event) => event.key === "Escape" && setTip(null);
  return { box, chips, open, tip: shown, dismiss };
}
