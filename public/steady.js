// The frame evaluates an element's code anew whenever its connection, its person or what it waits for changes. React would
// take each new function for another element: everything would be drawn anew, and focus, tooltips and what is unfolded lost.
// So the function evaluated first stays, and is handed the newest calls of the frame.
const elements = new Map();

export function steady(name, props, calls, Element) {
  const key = `${name} ${JSON.stringify(props)}`;
  const known = elements.get(key);
  if (known) {
    Object.assign(known.calls, calls);
    return known.Element;
  }
  const first = { calls: { ...calls }, Element: () => Element(first.calls) };
  elements.set(key, first);
  return first.Element;
}
