// Text of a report for elsewhere: its words, the numbers of its citations, and below them where each stands.
const BLOCKS = new Set(["P", "LI", "BLOCKQUOTE", "UL", "OL", "TABLE", "H1", "H2", "H3", "H4", "PRE"]);

function words(node) {
  const copy = node.cloneNode(true);
  copy.querySelectorAll(".rh-chip").forEach((chip) => chip.replaceWith(`[${chip.dataset.marker}]`));
  copy.querySelectorAll("tr").forEach((row) => row.replaceWith(`${[...row.cells].map((cell) => cell.textContent.trim()).join("\t")}\n`));
  return copy.textContent.trim();
}

function blocks(node) {
  const inner = [...node.children].filter((child) => BLOCKS.has(child.tagName));
  if (!inner.length || node.tagName === "TABLE") return [words(node)];
  return inner.flatMap((child) => blocks(child).map((text) => (child.tagName === "LI" ? `- ${text}` : text)));
}

// ``line`` says of a marker where it stands.
export function withSources(node, line) {
  const markers = [...new Set([...node.querySelectorAll(".rh-chip")].map((chip) => chip.dataset.marker))];
  return [blocks(node).filter(Boolean).join("\n\n"), markers.map((marker) => `[${marker}] ${line(marker)}`).join("\n")].filter(Boolean).join("\n\n");
}

// Without the browser's leave (plain http on another machine) the text is selected in a field and copied from there.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
