import React from "react"

function Trace() {
  const R = window.rabbithole
  const { ready, parts, say } = R.useRun(React, props.run, props.thread)
  const { t, plural } = say
  const steps = parts.trace || []
  if (!ready || !steps.length) return null
  return (
    <details lang={say.language} className="rh-card rh-fold" open={!parts.report}>
      <summary><strong>{t("trace.title")}</strong> <span className="rh-faint">{plural("trace.steps", steps.length)}</span></summary>
      <ol>
        {steps.map((one) => (
          <li key={one.step}><strong>{t(`trace.${one.action}`)}:</strong> {one.detail}{one.reason ? <span className="rh-faint"> {one.reason}</span> : null}</li>
        ))}
      </ol>
    </details>
  )
}

export default window.rabbithole.steady("Trace", props, {}, Trace)
