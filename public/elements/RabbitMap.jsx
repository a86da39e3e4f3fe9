import React from "react"
import { Maximize, Minus, Plus, Shrink } from "lucide-react"

const WIDTH = 208, HEIGHT = 44
const INSIDE = WIDTH - 20

// As much of a text as the box holds, measured in the font it is drawn in.
const pen = document.createElement("canvas").getContext("2d")
const clipped = new Map()
function clip(text, size) {
  const key = `${size} ${text}`
  if (clipped.has(key)) return clipped.get(key)
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`
  let shown = text
  for (let end = text.length; end > 1 && pen.measureText(shown).width > INSIDE; end--) shown = text.slice(0, end - 1).trimEnd() + "…"
  clipped.set(key, shown)
  return shown
}

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
  const end = node.label.length <= 27 ? -1 : node.label.lastIndexOf(" ", 27)
  return end < 0 ? [node.label, ""] : [node.label.slice(0, end), node.label.slice(end).trim()]
}

const isShown = (node, all) => all || node.answers || (node.status !== "known" && !node.aside)
const standing = (node) => node.answers ? "answers" : node.status

// Places on the ways from where the research began to this one, and the references between them.
function way(map, target) {
  const nodes = new Set([target]), edges = new Set(), open = [target]
  while (open.length) {
    const at = open.pop()
    map.edges.forEach((edge, index) => {
      if (edge.target !== at || edge.line === "skip" || map.nodes[edge.source].depth >= map.nodes[at].depth) return
      edges.add(index)
      if (!nodes.has(edge.source)) { nodes.add(edge.source); open.push(edge.source) }
    })
  }
  return { nodes, edges }
}

function Node({ node, open, lit, light, first, say }) {
  const { t } = say
  const [document, section] = halves(node)
  const clickable = node.document && node.page != null
  const go = (event) => clickable && open(node, event.currentTarget)
  // One stop for the tab key; the arrows go from place to place.
  const press = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); return go(event) }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const all = [...event.currentTarget.closest("svg").querySelectorAll(".rh-node[role=button]")]
    const next = all[all.indexOf(event.currentTarget) + step]
    if (next) { event.currentTarget.setAttribute("tabindex", "-1"); next.setAttribute("tabindex", "0"); next.focus() }
  }
  const handlers = { onMouseEnter: light, onFocus: light }
  return (
    <g className={`rh-node rh-node-${standing(node)}${lit ? " rh-lit" : ""}`} transform={`translate(${node.x} ${node.y})`} data-status={node.status} {...handlers}
      {...(clickable ? { role: "button", tabIndex: first ? 0 : -1, onClick: go, onKeyDown: press } : { role: "img" })}
      aria-label={`${node.label}, ${t(`map.${standing(node)}`)}`}>
      <title>{node.label}</title>
      <rect width={WIDTH} height={HEIGHT} rx="8" />
      <text x="10" y={section ? 18 : 27}>{clip(document, 12)}</text>
      {section ? <text className="rh-node-section" x="10" y="34">{clip(section, 11)}</text> : null}
    </g>
  )
}

function List({ map, visible, found, open, say }) {
  const { t } = say
  const led = (index) => map.edges.filter((edge) => edge.target === index && edge.line !== "skip").map((edge) => edge.text)[0]
  return (
    <ul className="rh-plain rh-places">
      {map.nodes.map((node, index) => (visible[index] && found(node) ? (
        <li key={index} style={{ paddingLeft: `${node.depth * 1.2}rem` }}>
          {node.document && node.page != null
            ? <button type="button" className="rh-link" onClick={(event) => open(node, event.currentTarget)}>{node.label}</button> : <span>{node.label}</span>}
          <span className="rh-faint"> {t(`map.${standing(node)}`)}{led(index) ? ` · ${led(index)}` : ""}</span>
        </li>
      ) : null))}
    </ul>
  )
}

const SMALLEST = 0.15, LARGEST = 2.5

function Drawn({ map, all, ways, words, light, calls, say }) {
  const { t } = say
  const open = (node, from) => window.rabbithole.openPage(calls.callAction, { document: node.document, page: node.page, quote: "" }, from)
  const visible = map.nodes.map((node) => isShown(node, all))
  const first = map.nodes.findIndex((node, index) => visible[index] && node.document && node.page != null)
  const hit = (node) => words.length > 0 && words.every((word) => node.label.toLowerCase().includes(word))
  return (
    <>
      <title>{t("map.title")}</title>
      {map.edges.map((edge, index) => (visible[edge.source] && visible[edge.target] && (all || edge.line !== "skip") ? (
        <path key={index} className={`rh-edge rh-edge-${edge.line}${ways && ways.edges.has(index) ? " rh-lit" : ""}`} d={curve(map.nodes[edge.source], map.nodes[edge.target])}>
          <title>{[edge.text, t(`decision.${edge.decision}`), edge.reason].filter(Boolean).join(" – ")}</title>
        </path>
      ) : null))}
      {map.nodes.map((node, index) => (visible[index] ? <Node key={index} node={node} open={open} first={index === first} lit={(ways && ways.nodes.has(index)) || hit(node)} light={() => light(index)} say={say} /> : null))}
    </>
  )
}

function RabbitMap(calls) {
  const { callAction } = calls
  const R = window.rabbithole
  const { ready, parts, say } = R.useRun(React, props.run, props.thread)
  const { t, plural } = say
  const [all, setAll] = R.useKept(React, `map:${props.run}`, false)
  const [listed, setListed] = R.useKept(React, `map-list:${props.run}`, false)
  const [scale, setScale] = React.useState(1)
  const [sought, setSought] = React.useState("")
  const [lit, setLit] = React.useState(null)
  const frame = React.useRef(null)
  const [shown, setShown] = React.useState(null)
  const framed = React.useCallback((node) => { frame.current = node; setShown(node) }, [])
  const drag = React.useRef(null)
  const map = parts.map
  const zoom = (factor) => setScale((now) => Math.min(LARGEST, Math.max(SMALLEST, now * factor)))
  React.useEffect(() => {
    if (!shown) return
    // Pinching arrives as a wheel with the control key; a plain wheel scrolls.
    const wheel = (event) => { if (event.ctrlKey) { event.preventDefault(); zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15) } }
    shown.addEventListener("wheel", wheel, { passive: false })
    return () => shown.removeEventListener("wheel", wheel)
  }, [shown])
  const ways = React.useMemo(() => (map && lit !== null ? way(map, lit) : null), [map, lit])
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  // Drawn anew only when what is to be seen changes, not when it is moved or scaled.
  const drawn = React.useMemo(() => map && <Drawn map={map} all={all} ways={ways} words={words} light={setLit} calls={calls} say={say} />, [map, all, ways, sought, ready, say])
  if (!ready || !map || !map.nodes.length) return null
  const open = (node, from) => R.openPage(callAction, { document: node.document, page: node.page, quote: "" }, from)
  const visible = map.nodes.map((node) => isShown(node, all))
  const found = (node) => words.every((word) => node.label.toLowerCase().includes(word))
  const hidden = map.nodes.length - visible.filter(Boolean).length
  const height = all ? map.full_height : map.height
  const { read, missing } = parts.head || { read: 0, missing: 0 }
  const fit = () => setScale(Math.min(1, Math.max(SMALLEST, Math.min(frame.current.clientWidth / map.width, frame.current.clientHeight / height))))
  const keys = (event) => {
    if (event.key === "+") zoom(1.2)
    else if (event.key === "-") zoom(1 / 1.2)
    else if (event.key === "0") fit()
  }
  const grab = (event) => { if (event.button === 0 && !event.target.closest("[role=button]")) drag.current = { x: event.clientX, y: event.clientY, left: frame.current.scrollLeft, top: frame.current.scrollTop } }
  const pull = (event) => {
    if (!drag.current) return
    frame.current.scrollLeft = drag.current.left - (event.clientX - drag.current.x)
    frame.current.scrollTop = drag.current.top - (event.clientY - drag.current.y)
  }
  const drop = () => { drag.current = null }
  const full = (event) => (document.fullscreenElement ? document.exitFullscreen() : event.currentTarget.closest(".rh-inside").requestFullscreen())
  const tool = (name, Sign, act) => <button key={name} type="button" className="rh-tool" title={t(`map.${name}`)} aria-label={t(`map.${name}`)} onClick={act}><Sign aria-hidden="true" /></button>
  return (
    <R.Fold React={React} say={say} name={`map-card:${props.run}`} lazy open={!parts.report} title={t("map.title")} note={`${plural("map.places", read)}${missing ? ` · ${plural("map.gone", missing)}` : ""}`}>
      <div className="rh-row">
        <input type="search" className="rh-input rh-find" placeholder={t("map.find")} aria-label={t("map.find")} value={sought} onChange={(event) => setSought(event.target.value)} />
        {listed ? null : [tool("smaller", Minus, () => zoom(1 / 1.25)), tool("larger", Plus, () => zoom(1.25)), tool("fit", Shrink, fit), tool("full", Maximize, full)]}
        <label className="rh-option"><input type="checkbox" checked={listed} onChange={(event) => setListed(event.target.checked)} /><span>{t("map.list")}</span></label>
      </div>
      {listed ? <List map={map} visible={visible} found={found} open={open} say={say} /> : (
        <div className="rh-map" ref={framed} tabIndex="0" role="group" aria-label={t("map.scroll")} data-lit={ways || words.length ? "" : undefined} onKeyDown={keys}
          onPointerDown={grab} onPointerMove={pull} onPointerUp={drop} onPointerLeave={drop} onMouseLeave={() => setLit(null)} onBlur={() => setLit(null)}>
          <div style={{ width: map.width * scale, height: height * scale }}>
          <svg width={map.width} height={height} viewBox={`0 0 ${map.width} ${height}`} style={{ transform: `scale(${scale})` }}>
            {drawn}
          </svg>
          </div>
        </div>
      )}
      <div className="rh-row rh-legend">
        {map.nodes.some((node) => node.answers) ? <span className="rh-key rh-key-answers">{t("map.answers")}</span> : null}
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
