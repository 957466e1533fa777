// Detects scrolling by the user: scrolling up pauses following, reaching the end resumes it.
import { type UIEvent, useRef } from 'react'

type Following = { readonly isFollowing: boolean; readonly onFollow: (isFollowing: boolean) => void }

/** Inertia: scroll events within this time count as the user's. */
const HAND_MS = 600
const NEAR_PX = 8

export function useScrolling({ isFollowing, onFollow }: Following) {
  const handAt = useRef(Number.NEGATIVE_INFINITY)
  const last = useRef(0)
  const byHand = (): void => {
    handAt.current = performance.now()
  }
  return {
    onWheel: byHand,
    onTouchMove: byHand,
    onKeyDown: byHand,
    onPointerDown: byHand,
    onPointerMove: ({ buttons }: { readonly buttons: number }) => buttons !== 0 && byHand(),
    onScroll: ({ currentTarget: pane }: UIEvent<HTMLElement>) => {
      const moved = pane.scrollTop - last.current
      last.current = pane.scrollTop
      if (performance.now() - handAt.current > HAND_MS) return
      const isAtEnd = pane.scrollHeight - pane.clientHeight - pane.scrollTop < NEAR_PX
      if (isFollowing && moved < 0 && !isAtEnd) onFollow(false)
      else if (!isFollowing && moved > 0 && isAtEnd) onFollow(true)
    },
  }
}
