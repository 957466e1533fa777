// Places a popover beside the element that it belongs to: below it, or above it if there is more space, and always within the window.
const MARGIN = 6

export function placeNextTo(popover: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const place = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const isBelow = place.bottom + MARGIN + height <= innerHeight || place.top < innerHeight - place.bottom
  const left = align === 'start' ? place.left : place.right - width
  popover.style.top = `${isBelow ? place.bottom + MARGIN : place.top - MARGIN - height}px`
  popover.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
}
