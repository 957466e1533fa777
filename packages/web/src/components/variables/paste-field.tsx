// Field for a whole `.env`: pasted, dropped, chosen as a file, or typed. Pasted text is never rendered.
import { FileKey2 } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useId, useState } from 'react'
import { Button } from '../button.tsx'
import styles from './variables.module.css'

/** Twice the size of all variables together. Anything longer is the wrong file. */
const MOST_CHARACTERS = 2 * 1024 * 1024
const TOO_LONG = 'This is longer than all variables can be together. Is it the right file?'

export function PasteField({ onText }: { readonly onText: (text: string) => void }) {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const id = useId()
  const take = (text: string): void => {
    setTyped('')
    if (text.length > MOST_CHARACTERS) setFault(TOO_LONG)
    else if (text.trim() !== '') onText(text)
  }
  const read = (file: File | undefined): void => {
    if (file === undefined) return
    if (file.size > MOST_CHARACTERS) setFault(TOO_LONG)
    else file.text().then(take, () => setFault('The file could not be read. Paste its text instead'))
  }
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault()
    take(event.clipboardData.getData('text/plain'))
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    const file = event.dataTransfer.files[0]
    if (file) read(file)
    else take(event.dataTransfer.getData('text/plain'))
  }
  return (
    <div className={styles.zone}>
      <FileKey2 size={16} strokeWidth={1.5} aria-hidden="true" />
      <label className="visually-hidden" htmlFor={id}>
        Paste a whole .env
      </label>
      <textarea
        id={id}
        rows={1}
        placeholder="Paste a whole .env here"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onPaste={onPaste}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
        onChange={({ target }) => setTyped(target.value)}
      />
      {typed === '' ? (
        <label className={styles.file}>
          Choose a file
          <input
            type="file"
            className="visually-hidden"
            onChange={({ target }) => {
              read(target.files?.[0])
              target.value = ''
            }}
          />
        </label>
      ) : (
        <Button isSmall onClick={() => take(typed)}>
          Review
        </Button>
      )}
      {fault === undefined ? undefined : (
        <p className={`small bad ${styles.zoneFault}`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
