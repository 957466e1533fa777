// Places a popover beside the element that it belongs to: below it, or above it if there is more space, and always within the window.
const MARGIN = 6

export function placeNextTo(popover: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const rectangle = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const isBelow = rectangle.bottom + MARGIN + height <= innerHeight || rectangle.top < innerHeight - rectangle.bottom
  const left = align === 'start' ? rectangle.left : rectangle.right - width
  popover.style.top = `${isBelow ? rectangle.bottom + MARGIN : rectangle.top - MARGIN - height}px`
  popover.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
}
