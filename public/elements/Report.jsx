import React from "react"
import { Check, Copy } from "lucide-react"

const FORMS = ["md", "html", "pdf", "docx", "zip", "json"]

function Verification({ report, say }) {
  const { t, plural } = say
  const { quotations_verified: good, quotations: all } = report.checks
  if (!all && !report.weak.length) return null
  const line = <><strong>{t("verify.title")}</strong> <span className={good === all ? "rh-faint" : "rh-warn"}>{plural("verify.count", all, { good, all })}</span></>
  if (!report.weak.length && !report.calls) return <p className="rh-fold">{line}</p>  // without a model every sentence is a quotation
  return (
    <details className="rh-fold">
      <summary>{line}{report.weak.length ? <span className="rh-warn"> · {plural("verify.weak", report.weak.length)}</span> : null}</summary>
      <ul>{report.weak.map((one, index) => <li key={index}>{one.text} <span className="rh-faint">{one.marker}</span></li>)}</ul>
      {report.weak.length ? null : <p className="rh-faint">{t("verify.none")}</p>}
    </details>
  )
}

function Source({ marker, one, open, say }) {
  const { t, place } = say
  return (
    <li className="rh-source"><span>[{marker}]</span><div>
      <button type="button" className="rh-link" title={one.title} onClick={(event) => open(marker, "", event.currentTarget)}>{one.where}, {place(one.label, one.last)}</button>
      {one.verified ? null : <em className="rh-warn"> {t("quote.unverified")}</em>}
      {one.quote ? <blockquote className="rh-quote">{one.quote}</blockquote> : null}</div></li>
  )
}

function Sources({ report, open, say }) {
  const { t, plural } = say
  const further = Object.keys(report.citations).filter((marker) => !report.sources.includes(marker))
  const counts = [report.sources.length ? plural("sources.count", report.sources.length) : "", further.length ? plural("sources.further", further.length) : ""]
  if (!counts.some(Boolean)) return null
  const list = (markers) => <ol className="rh-plain">{markers.map((marker) => <Source key={marker} marker={marker} one={report.citations[marker]} open={open} say={say} />)}</ol>
  return (
    <details className="rh-fold">
      <summary><strong>{t("sources.title")}</strong> <span className="rh-faint">{counts.filter(Boolean).join(" · ")}</span></summary>
      {list(report.sources)}
      {further.length ? <><h3>{t("sources.further.title")}</h3>{list(further)}</> : null}
    </details>
  )
}

// What the answer is, in one line above it. That words are on their page makes an answer no better, so it is never said
// in the colour of success, and without an answer only where some are not.
function AnswerHead({ report, say }) {
  const { t, plural } = say
  const { status, title: level } = report.answer
  const { parts, parts_answered: answered, quotations_verified: good, quotations: all } = report.checks
  const title = status === "partly" && parts > 1 ? t("answer.parts", { answered, parts }) : t(level)
  return (
    <p className="rh-answer-head">
      <strong>{title}</strong>
      {all && (good < all || status !== "none") ? <span className={good < all ? "rh-warn" : "rh-faint"}>{plural("answer.quotations", all, { good, all })}</span> : null}
    </p>
  )
}

function Contents({ rows, say }) {
  const { t } = say
  if (rows.length < 2) return null
  const go = (event, id) => {
    event.preventDefault()
    const heading = document.getElementById(id)
    heading.scrollIntoView({ block: "start" })
    heading.focus({ preventScroll: true })
    history.replaceState(history.state, "", `#${id}`)
  }
  return (
    <nav className="rh-contents" aria-label={t("contents.title")}>
      <ul className="rh-plain">{rows.map((one) => <li key={one.id}><a className="rh-link" href={`#${one.id}`} onClick={(event) => go(event, one.id)}>{one.title}</a></li>)}</ul>
    </nav>
  )
}

function Missing({ rows, say }) {
  const { t, plural } = say
  if (!rows.length) return null
  return (
    <details className="rh-fold">
      <summary><strong>{t("missing.title")}</strong> <span className="rh-faint">({rows.length})</span></summary>
      <p className="rh-faint">{t("missing.hint")}</p>
      <ul>{rows.map((one) => <li key={one.name}><strong>{one.name}</strong> <span className="rh-faint">{plural("missing.count", one.count)}: {one.cited_by.join("; ")}</span></li>)}</ul>
    </details>
  )
}

// A link to the report: its address where the server is one person's, else one that others who log in can open.
function Share({ run, say }) {
  const R = window.rabbithole
  const { t } = say
  const [link, setLink] = React.useState(null)
  const [said, setSaid] = React.useState("")
  React.useEffect(() => { R.api(`/runs/${run}/link`).then(setLink, () => setLink(null)) }, [run])
  if (!link) return null
  const fail = (e) => setSaid(e.message)
  const give = (path) => { setLink({ ...link, path }); return R.copy(`${location.origin}${path}`).then(() => setSaid(t("share.copied"))) }
  const share = () => (link.path ? give(link.path) : R.api(`/runs/${run}/share`, {}).then((made) => give(made.path))).catch(fail)
  const withdraw = () => R.api(`/runs/${run}/unshare`, {}).then(() => { setLink({ ...link, path: "" }); setSaid(t("share.withdrawn")) }, fail)
  const hint = t(link.login ? "share.hint" : "share.hint.local")
  return (
    <p className="rh-row">
      <span className="rh-faint">{t("share.title")}</span>
      <button type="button" className="rh-link" title={hint} onClick={share}>{t("share.copy")}</button>
      {link.login && link.path ? <button type="button" className="rh-link" onClick={withdraw}>{t("share.withdraw")}</button> : null}
      <span className="rh-faint" role="status">{said || (link.login && link.path ? hint : "")}</span>
    </p>
  )
}

function Report({ callAction, sendUserMessage }) {
  const R = window.rabbithole
  const { ready, parts, say } = R.useRun(React, props.run, props.thread)
  const { t, number, duration, place } = say
  const [over, setOver] = React.useState(null)
  const [copied, setCopied] = React.useState("")
  const answer = React.useRef(null)
  const report = parts.report
  const { box, chips, open, tip, dismiss } = R.useChips(React, R, say, report && report.citations, callAction)
  const draft = parts.draft
  const here = R.useArrival(React, ready && ((draft && draft.html) || report) ? `${props.run}:report` : "", report && parts.head?.status === "done" ? `${props.run}:final` : "", true)
  if (!ready || (!report && !(draft && draft.html))) return null

  const line = (marker) => { const one = report.citations[marker]; return `${one.where}, ${place(one.label, one.last)}${one.title && !one.where.startsWith(one.title) ? ` (${one.title})` : ""}` }
  const copy = (node, what) => R.copy(R.withSources(node, line)).then(() => { setCopied(what); setTimeout(() => setCopied(""), 2500) })
  // A paragraph under the pointer offers to be copied with its sources.
  const hover = (event) => {
    const prose = event.target.closest(".rh-prose")
    if (!prose || event.pointerType === "touch") return
    let block = event.target
    while (block !== prose && block.parentElement !== prose) block = block.parentElement
    if (block === prose || block === over?.block || !block.querySelector(".rh-chip")) return
    setOver({ block, top: block.getBoundingClientRect().top - box.current.getBoundingClientRect().top })
  }
  if (!report) {
    return (
      <section ref={here} lang={say.language} className="rh-card rh-report" aria-label={t("report.title")} aria-busy="true">
        <p className="rh-faint">{draft.attempt ? t("report.again") : t("report.writing")}</p>
        <div className="rh-prose" dangerouslySetInnerHTML={{ __html: draft.html }} />
      </section>
    )
  }
  return (
    <section lang={say.language} className="rh-card rh-report" aria-label={t("report.title")} ref={(node) => { box.current = node; here.current = node }} onKeyDown={dismiss} onPointerOver={hover} onPointerLeave={() => setOver(null)}>
      {report.partial ? <p className="rh-notice">{t("report.partial")}</p> : null}
      <p className="rh-faint rh-scope">{t(`mode.${report.mode}`)} · {report.collections.length ? report.collections.join(", ") : t("scope.all")}{report.within.length ? ` · ${report.within.join(", ")}` : ""}{report.understood ? <> · {t("report.understood", { query: report.understood })}</> : null}</p>
      {report.answer.html ? (
        <div className={`rh-answer rh-answer-${report.answer.status}`} ref={answer}>
          <AnswerHead report={report} say={say} />
          <div className="rh-prose" dangerouslySetInnerHTML={{ __html: report.answer.html }} {...chips} />
        </div>
      ) : null}
      <Contents rows={report.contents} say={say} />
      <div className="rh-prose" dangerouslySetInnerHTML={{ __html: report.html }} {...chips} />
      {over ? <button type="button" className="rh-copy" style={{ top: over.top }} title={t("copy.paragraph")} aria-label={t("copy.paragraph")} onClick={() => copy(over.block, "paragraph")}>{copied === "paragraph" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}</button> : null}
      {tip}
      <R.Next React={React} say={say} rows={report.next} ask={sendUserMessage} query={parts.head.query} absent={report.answer.absent} />
      <div className="rh-after">
        <Sources report={report} open={open} say={say} />
        <Verification report={report} say={say} />
        {report.appendix ? (
          <details className="rh-fold"><summary><strong>{t("appendix.title")}</strong></summary>
            <div className="rh-prose" dangerouslySetInnerHTML={{ __html: report.appendix }} {...chips} /></details>
        ) : null}
        <Missing rows={report.missing} say={say} />
        {report.warnings.length ? (
          <details className="rh-fold"><summary><strong>{t("warnings.title")}</strong> <span className="rh-faint">({report.warnings.length})</span></summary>
            <ul>{report.warnings.map((one) => <li key={one}>{one}</li>)}</ul></details>
        ) : null}
        <p className="rh-faint">{t(report.calls ? "cost.line" : "cost.line.plain", { reasoner: t(`reasoner.short.${report.reasoner}`, undefined, report.reasoner || "–"), calls: number(report.calls), tokens: number(report.tokens), time: duration(report.seconds) })}</p>
        <div className="rh-row">
          <button type="button" className="rh-link" onClick={() => copy(answer.current || box.current, "answer")}>{t(copied === "answer" ? "copy.done" : "copy.answer")}</button>
          <span className="rh-faint">{t("export.title")}</span>
          {FORMS.map((form) => <a key={form} className="rh-link" href={`/rabbithole/runs/${props.run}/export/${form}`} download>{t(`export.${form}`)}</a>)}
        </div>
        <Share run={props.run} say={say} />
      </div>
    </section>
  )
}

export default window.rabbithole.steady("Report", props, { callAction, sendUserMessage }, Report)
