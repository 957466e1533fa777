// Whether the page is as narrow as a phone. The style sheets know by themselves; this is for what they cannot do.
import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 720px)')

export const useIsPhone = (): boolean => useSyncExternalStore(watch, () => narrow.matches)

function watch(watcher: () => void): () => void {
  narrow.addEventListener('change', watcher)
  return () => narrow.removeEventListener('change', watcher)
}
