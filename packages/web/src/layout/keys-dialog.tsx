// Lists the keyboard shortcuts. `?` opens it, unless the user is typing.
import { useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { observable } from '../data/observable.ts'
import styles from './layout.module.css'

export const keysAreShown = observable(false)

const KEYS: readonly { readonly keys: readonly string[]; readonly words: string }[] = [
  { keys: ['Ctrl K'], words: 'Search, go to a page, or start an action' },
  { keys: ['/'], words: 'Filter the list of the page' },
  { keys: ['F'], words: 'Follow the output of a task, or stop following' },
  { keys: ['Ctrl F'], words: 'Search in the output, when it has the focus' },
  { keys: ['Enter', 'Shift Enter'], words: 'Next or previous match of the search' },
  { keys: ['Esc'], words: 'Close a dialog or a menu, or clear the search' },
  { keys: ['?'], words: 'Show this list' },
]

export function KeysDialog() {
  const isOpen = keysAreShown.use()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '?' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      keysAreShown.set(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const close = (): void => keysAreShown.set(false)
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={close}>
      <dl className={styles.keys}>
        {KEYS.map(({ keys, words }) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <DialogButtons>
        <Button onClick={close}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
