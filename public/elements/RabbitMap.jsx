import React from "react"

const WIDTH = 208, HEIGHT = 44
const clip = (text, limit) => (text.length > limit ? text.slice(0, limit - 1).trimEnd() + "…" : text)

function curve(source, target) {
  const x1 = source.x + WIDTH, y1 = source.y + HEIGHT / 2, y2 = target.y + HEIGHT / 2
  if (target.x > x1) {
    const middle = (x1 + target.x) / 2
    return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${target.x} ${y2}`
  }
  const x2 = target.x + WIDTH, bend = Math.max(x1, x2) + 40
  return `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`
}

// Document and section; a missing document's name goes over two lines.
function halves(node) {
  const at = node.label.indexOf(", ")
  if (node.document) return at < 0 ? [node.label, ""] : [node.label.slice(0, at), node.label.slice(at + 2)]
  const end = node.label.length <= 27 ? 27 : Math.max(node.label.lastIndexOf(" ", 27), 12)
  return [node.label.slice(0, end), node.label.slice(end).trim()]
}

function Node({ node, open }) {
  const { t } = window.rabbithole
  const [document, section] = halves(node)
  const clickable = node.document && node.page != null
  const go = (event) => clickable && open(node, event.currentTarget)
  const press = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(event) }
  }
  return (
    <g className={`rh-node rh-node-${node.status}`} transform={`translate(${node.x} ${node.y})`} data-status={node.status}
      {...(clickable ? { role: "button", tabIndex: 0, onClick: go, onKeyDown: press } : { role: "img" })}
      aria-label={`${node.label}, ${t(`map.${node.status}`)}`}>
      <title>{node.label}</title>
      <rect width={WIDTH} height={HEIGHT} rx="8" />
      <text x="10" y={section ? 18 : 27}>{clip(document, 27)}</text>
      {section ? <text className="rh-node-section" x="10" y="34">{clip(section, 31)}</text> : null}
    </g>
  )
}

function RabbitMap({ callAction }) {
  const R = window.rabbithole
  const { t, plural } = R
  const { ready, parts } = R.useRun(React, props.run, props.thread)
  const [all, setAll] = R.useKept(React, `map:${props.run}`, false)
  const map = parts.map
  if (!ready || !map || !map.nodes.length) return null
  const open = (node, from) => R.openPage(callAction, { document: node.document, page: node.page, quote: "" }, from)
  const visible = map.nodes.map((node) => all || node.status !== "known")
  const edges = map.edges.filter((edge) => visible[edge.source] && visible[edge.target] && (all || edge.line !== "skip"))
  const hidden = map.nodes.length - visible.filter(Boolean).length
  const height = all ? map.full_height : map.height
  const read = map.nodes.filter((node) => node.status === "read").length
  const missing = map.nodes.filter((node) => node.status === "missing").length
  return (
    <R.Fold React={React} name={`map-card:${props.run}`} open={!parts.report} title={t("map.title")} note={`${plural("map.places", read)}${missing ? ` · ${plural("map.gone", missing)}` : ""}`}>
      <div className="rh-map" tabIndex="0" role="group" aria-label={t("map.scroll")}>
        <svg width={map.width} height={height} viewBox={`0 0 ${map.width} ${height}`}>
          <title>{t("map.title")}</title>
          {edges.map((edge, index) => (
            <path key={index} className={`rh-edge rh-edge-${edge.line}`} d={curve(map.nodes[edge.source], map.nodes[edge.target])}>
              <title>{[edge.text, t(`decision.${edge.decision}`), edge.reason].filter(Boolean).join(" – ")}</title>
            </path>
          ))}
          {map.nodes.map((node, index) => (visible[index] ? <Node key={index} node={node} open={open} /> : null))}
        </svg>
      </div>
      <div className="rh-row rh-legend">
        <span className="rh-key rh-key-follow">{t("map.line.follow")}</span>
        <span className="rh-key rh-key-missing">{t("map.line.missing")}</span>
        {all ? <span className="rh-key rh-key-skip">{t("map.line.skip")}</span> : null}
        <span className="rh-grow" />
        {hidden || all ? (
          <label className="rh-option"><input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /><span>{t("map.all", { n: hidden })}</span></label>
        ) : null}
        <a className="rh-link" href={`/rabbithole/runs/${props.run}/export/svg`} download>{t("export.svg")}</a>
      </div>
    </R.Fold>
  )
}

export default window.rabbithole.steady("RabbitMap", props, { callAction }, RabbitMap)
