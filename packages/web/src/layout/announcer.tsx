// The one place that speaks to screen readers: phases and ends of deployments, never lines of output.
import { watched } from '../data/observable.ts'

const said = watched('')

export const announce = said.set

export function Announcer() {
  return (
    <div className="unseen" aria-live="polite">
      {said.use()}
    </div>
  )
}
