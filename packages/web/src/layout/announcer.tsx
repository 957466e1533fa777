// Live region for screen readers: announces phases and results of deployments, never lines of output.
import { observable } from '../data/observable.ts'

const message = observable('')

export const announce = message.set

export function Announcer() {
  return (
    <div className="visually-hidden" aria-live="polite">
      {message.use()}
    </div>
  )
}
