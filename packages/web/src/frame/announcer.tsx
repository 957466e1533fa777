// The one place that speaks to screen readers: phases and ends of deployments, never lines of output.
import { useSyncExternalStore } from 'react'

let said = ''
const watchers = new Set<() => void>()

export function announce(sentence: string): void {
  said = sentence
  for (const watcher of watchers) watcher()
}

export function Announcer() {
  const sentence = useSyncExternalStore(watch, () => said)
  return (
    <div className="unseen" aria-live="polite">
      {sentence}
    </div>
  )
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
