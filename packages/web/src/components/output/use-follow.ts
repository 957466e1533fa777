// Follows the newest line, or counts new lines while paused. F toggles it.
import { useEffect, useState } from 'react'

export type Follow = {
  readonly isFollowing: boolean
  readonly newLines: number
  readonly set: (isFollowing: boolean) => void
  readonly pause: () => void
}
type FollowOptions = {
  readonly isActive: boolean
  readonly count: number
  readonly startsPaused: boolean
  /** Called when the user starts or stops following. */
  readonly onChange?: (isFollowing: boolean) => void
}

export function useFollow({ isActive, count, startsPaused, onChange }: FollowOptions): Follow {
  const [pausedAt, setPausedAt] = useState<number | undefined>(isActive && !startsPaused ? undefined : 0)
  const isFollowing = pausedAt === undefined
  const set = (wanted: boolean): void => {
    setPausedAt(wanted ? undefined : count)
    onChange?.(wanted)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key.toLowerCase() !== 'f' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      set(!isFollowing)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return {
    isFollowing,
    newLines: pausedAt === undefined ? 0 : Math.max(0, count - pausedAt),
    set,
    pause: () => isFollowing && set(false),
  }
}
