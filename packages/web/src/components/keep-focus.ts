// Moves the focus to the page if the element that has it is removed, such as the button of a row that was just deleted. Ends when the focus
// moves on.
export function keepFocus(element: Element | null): void {
  const check = (): void => {
    const { activeElement } = document
    if (activeElement === element) return
    observer.disconnect()
    if (activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true, subtree: true })
  check()
}
