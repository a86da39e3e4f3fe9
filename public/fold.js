// A card that folds: as it should be until the person chooses, then as they chose. What was never unfolded is not drawn:
// tasks and map of a large research are five sixths of a report's nodes.
import { useKept } from "./kept.js";

export function Fold({ React, name, open, title, note, children }) {
  const [chosen, choose] = useKept(React, name, null);
  const shown = chosen ?? open;
  const drawn = React.useRef(shown);
  drawn.current ||= shown;
  const toggled = (event) => event.target === event.currentTarget && event.currentTarget.open !== shown && choose(event.currentTarget.open);
  return React.createElement("details", { className: "rh-card rh-fold rh-section", open: shown, onToggle: toggled },
    React.createElement("summary", null, React.createElement("h2", null, title, " ", React.createElement("span", { className: "rh-faint" }, note))),
    React.createElement("div", { className: "rh-inside" }, drawn.current ? children : null));
}
