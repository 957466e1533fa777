// Tells apart what somebody scrolls from what the page scrolls: going up pauses following, coming to the end goes on with it.
import { type UIEvent, useRef } from 'react'

type Following = { readonly isFollowing: boolean; readonly onFollow: (isFollowing: boolean) => void }

/** How long after a turn of the wheel or a touch the place still moves because of it. */
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
    onScroll: ({ currentTarget: place }: UIEvent<HTMLElement>) => {
      const moved = place.scrollTop - last.current
      last.current = place.scrollTop
      if (performance.now() - handAt.current > HAND_MS) return
      const isAtEnd = place.scrollHeight - place.clientHeight - place.scrollTop < NEAR_PX
      if (isFollowing && moved < 0 && !isAtEnd) onFollow(false)
      else if (!isFollowing && moved > 0 && isAtEnd) onFollow(true)
    },
  }
}
