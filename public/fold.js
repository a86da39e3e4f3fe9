// A card that folds: as it should be until the person chooses, then as they chose. One that is ``lazy`` is not
// drawn before it is unfolded; the words in the others are found by the browser's search.
import { useKept } from "./kept.js";

export function Fold({ React, say, name, open, title, note, lazy = false, children }) {
  const [chosen, choose] = useKept(React, name, null);
  const shown = chosen ?? open;
  const drawn = React.useRef(shown);
  drawn.current ||= shown || !lazy;
  const toggled = (event) => event.target === event.currentTarget && event.currentTarget.open !== shown && choose(event.currentTarget.open);
  return React.createElement("details", { className: "rh-card rh-fold rh-section", "data-card": name.split(":")[0], lang: say.language, open: shown, onToggle: toggled },
    React.createElement("summary", null, React.createElement("h2", null, title, " ", React.createElement("span", { className: "rh-faint" }, note))),
    React.createElement("div", { className: "rh-inside" }, drawn.current ? children : null));
}
