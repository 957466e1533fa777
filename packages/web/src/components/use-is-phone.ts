// Whether the viewport is as narrow as a phone, for what CSS cannot do.
import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 720px)')

export const useIsPhone = (): boolean => useSyncExternalStore(watch, () => narrow.matches)

function watch(watcher: () => void): () => void {
  narrow.addEventListener('change', watcher)
  return () => narrow.removeEventListener('change', watcher)
}
