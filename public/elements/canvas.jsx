import React from "react"
import { ChevronLeft, ChevronRight, Minus, Plus } from "lucide-react"
import { Button } from "@/components/ui/button"

// The part of the page that has words, so that margins need no room: {left, fit}.
function textWidth(view) {
  if (!view.words.length) return { left: 0, fit: 1 }
  const left = Math.max(0, Math.min(...view.words.map((word) => word.box[0])) - 10)
  const right = Math.min(view.width, Math.max(...view.words.map((word) => word.box[2])) + 10)
  return { left, fit: Math.min(1.6, Math.max(1, view.width / (right - left))) }
}

function Page() {
  const R = window.rabbithole
  const { t } = R
  const ready = R.useTexts(React)
  const [page, setPage] = React.useState(props.page)
  const [zoom, setZoom] = React.useState(0)
  const [view, setView] = React.useState(null)
  const [problem, setProblem] = React.useState("")
  const first = React.useRef(null)
  const frame = React.useRef(null)
  const quote = page === props.page ? props.quote : ""
  const base = `/rabbithole/documents/${encodeURIComponent(props.document)}`
  React.useEffect(() => {
    let here = true
    R.api(`/documents/${encodeURIComponent(props.document)}/pages/${page}?quote=${encodeURIComponent(quote)}`)
      .then((found) => { if (here) { setView(found); setProblem("") } }, (error) => here && setProblem(error.message))
    return () => { here = false }
  }, [page])
  const text = view ? textWidth(view) : null
  const scale = zoom || (text ? text.fit : 1)
  React.useEffect(() => {
    if (!view || !frame.current) return
    frame.current.scrollLeft = (text.left / view.width) * frame.current.scrollWidth
    if (first.current) {
      const place = first.current.getBoundingClientRect(), shown = frame.current.getBoundingClientRect()
      frame.current.scrollTop += place.top - shown.top - shown.height / 2
    }
    if (view.page === props.page || quote) R.arrive(frame.current)
  }, [view])
  if (!ready) return null
  if (problem) return <p className="rh-error" role="alert">{problem}</p>
  if (!view) return <p className="rh-faint" role="status">{t("page.loading")}</p>

  const mark = view.words.findIndex((word) => word.marked)
  const place = (box) => ({
    left: `${(box[0] / view.width) * 100}%`, top: `${(box[1] / view.height) * 100}%`,
    width: `${((box[2] - box[0]) / view.width) * 100}%`, height: `${((box[3] - box[1]) / view.height) * 100}%`,
    fontSize: `calc(${((box[3] - box[1]) / view.width) * 0.74} * var(--rh-page))`,
  })
  const copy = `${base}/marked?page=${view.page}&quote=${encodeURIComponent(quote)}#page=${view.page + 1}`
  return (
    <div className="rh-page" onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); R.closePage() } }}>
      <h2>{view.title}</h2>
      <div className="rh-row">
        <Button size="icon" variant="ghost" aria-label={t("page.previous")} title={t("page.previous")} disabled={view.page === 0} onClick={() => setPage(view.page - 1)}><ChevronLeft /></Button>
        <span className="rh-faint" role="status">{view.label.startsWith("¶") ? `${view.label} / ${view.pages}` : t(view.label === String(view.page + 1) ? "page.same" : "page.of", { label: view.label, n: view.page + 1, all: view.pages })}</span>
        <Button size="icon" variant="ghost" aria-label={t("page.next")} title={t("page.next")} disabled={view.page + 1 >= view.pages} onClick={() => setPage(view.page + 1)}><ChevronRight /></Button>
        <span className="rh-grow" />
        <Button size="icon" variant="ghost" aria-label={t("page.smaller")} title={t("page.smaller")} disabled={scale <= 1} onClick={() => setZoom(Math.max(1, scale - 0.5))}><Minus /></Button>
        <Button size="icon" variant="ghost" aria-label={t("page.larger")} title={t("page.larger")} disabled={scale >= 3} onClick={() => setZoom(Math.min(3, scale + 0.5))}><Plus /></Button>
        <a className="rh-link rh-tight" href={copy} target="_blank" rel="noopener">{t("page.pdf")}</a>
      </div>
      {quote && view.found !== "exact" ? <p className="rh-notice" role="status">{t(`page.found.${view.found}`)}</p> : null}
      <div ref={frame} className="rh-scroll" tabIndex="0" role="document" aria-label={t("page.label", { title: view.title, n: view.page + 1 })}>
        <div className="rh-sheet" style={{ width: `${scale * 100}%`, "--rh-page": `${scale * 100}cqw`, aspectRatio: `${view.width} / ${view.height}` }}>
          <img src={`${base}/pages/${view.page}.png`} alt="" draggable="false" />
          <div className="rh-words">
            {view.words.map((word, index) => {
              const Tag = word.marked ? "mark" : "span"
              return <Tag key={index} ref={index === mark ? first : undefined} style={place(word.box)}>{word.text} </Tag>
            })}
          </div>
        </div>
      </div>
    </div>
  )
}

export default window.rabbithole.steady("Page", props, {}, Page)
