import React from "react"
import { Check, CircleAlert, Loader, Pause, Square } from "lucide-react"
import { Button } from "@/components/ui/button"

const STEPS = ["understand", "plan", "dig", "write", "check"]
const STEP_OF = { understand: 0, plan: 1, dig: 2, validate: 2, write: 3, check: 4, attribute: 4 }

function Progress() {
  const R = window.rabbithole
  const { ready, parts, say, offline, error, refresh } = R.useRun(React, props.run, props.thread)
  const { t, number, plural, duration } = say
  const [problem, setProblem] = React.useState("")
  const [now, setNow] = React.useState(Date.now() / 1000)
  const head = parts.head
  const moving = head && head.status === "running"
  React.useEffect(() => {
    if (!moving) return
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000)
    return () => clearInterval(timer)
  }, [moving])
  if (!ready) return null
  if (!head) return error ? <p className="rh-error" role="alert">{error}</p> : null

  R.setLocal(head.local)
  const act = (action) => R.act(props.run, action).then(() => setProblem(""), (e) => { setProblem(e.message); refresh() })
  const done = head.status === "done"
  const step = done ? STEPS.length : head.mode === "research" ? STEP_OF[head.phase] ?? 0 : -1
  const status = head.waiting ? "waiting" : head.status
  const detail = /^\d+$/.test(head.detail) ? t("rounds.round", { n: head.detail }) : head.detail
  const elapsed = head.seconds + (moving && head.at ? Math.max(0, now - head.at) : 0)  // `at` is 0 while a person is waited for
  const icon = done ? <Check aria-hidden="true" /> : head.waiting ? <Pause aria-hidden="true" />
    : moving ? <Loader className="rh-spin" aria-hidden="true" /> : head.status === "failed" ? <CircleAlert aria-hidden="true" /> : <Square aria-hidden="true" />
  const counters = [["read", head.read, number(head.read)], ["followed", head.followed, number(head.followed)], ["missing", head.missing, number(head.missing)], ["time", 1, duration(elapsed)]].filter(([, met]) => met)
  const resting = ["stopped", "interrupted", "failed"].includes(head.status)
  return (
    <section lang={say.language} className={`rh-card rh-progress${done ? " rh-progress-done" : ""}`} aria-label={t("progress.title")} ref={R.watch}>
      <div className="rh-line">
        <p className={`rh-status rh-status-${status}`} role="status" data-status={status}>
          {icon}<span>{t(`status.${status}`)}{moving && !head.waiting && detail ? `: ${detail}` : ""}</span>
        </p>
        {step >= 0 && !done ? (
          <ol className="rh-steps">
            {STEPS.map((name, index) => (
              <li key={name} className={index < step ? "rh-past" : index === step ? "rh-now" : ""} aria-current={index === step ? "step" : undefined}>
                <span className="rh-dot" aria-hidden="true">{index < step ? "✓" : index + 1}</span>
                <span className="rh-step">{t(`phase.${name}`)}</span>
              </li>
            ))}
          </ol>
        ) : null}
        <dl className="rh-counters">
          {counters.map(([name, , value]) => <div key={name} title={t(`counter.${name}.hint`)}><dt>{t(`counter.${name}`)}</dt><dd>{value}</dd></div>)}
        </dl>
        <span className="rh-acts">
          {moving ? <Button id={`stop-${props.run}`} size="sm" variant="outline" onClick={() => act("stop")}>{t("action.stop")}</Button> : null}
          {resting && head.tasks.length && !parts.report ? <Button id={`partial-${props.run}`} size="sm" variant="outline" onClick={() => act("partial")}>{t("action.partial")}</Button> : null}
          {resting ? <Button id={`continue-${props.run}`} size="sm" onClick={() => act("continue")}>{t("action.continue")}</Button> : null}
          {head.local && !done ? <Button className="rh-leave" size="sm" variant="ghost" title={t("action.leave.hint")} onClick={() => R.leave(setProblem)}>{t("action.leave")}</Button> : null}
        </span>
      </div>
      {offline && !error ? <p className="rh-notice" role="alert">{t("status.offline")}</p> : null}
      {error ? <p className="rh-error" role="alert">{error}</p> : null}
      {head.error ? (
        <div className="rh-error" role="alert"><p>{head.failure ? t(`failure.${head.failure}`) : head.error}</p>
          {head.failure && head.failure !== "unexpected" ? <details><summary>{t("failure.details")}</summary>{head.error}</details> : null}</div>
      ) : null}
      {problem ? <p className="rh-error" role="alert">{problem}</p> : null}
      {head.failed ? <p className="rh-notice" role="status">{plural("warning.model", head.failed)}</p> : null}
      {(parts.warnings || []).map((one) => (
        <p key={one.text} className="rh-notice">{one.degraded ? <strong>{t("warning.degraded")} </strong> : null}{one.text}</p>
      ))}
    </section>
  )
}

export default window.rabbithole.steady("Progress", props, {}, Progress)
