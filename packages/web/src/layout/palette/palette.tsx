// Command palette (Ctrl-K). Disabled entries are listed with their reason.
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Modal } from '../../components/dialog.tsx'
import { Region } from '../../components/region.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import { useEntries } from './entries.ts'
import { type Entry, findEntries, piecesOf } from './find-entries.ts'
import styles from './palette.module.css'

type PaletteProps = { readonly isOpen: boolean; readonly onOpen: () => void; readonly onClose: () => void }

export function Palette({ isOpen, onOpen, onClose }: PaletteProps) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      onOpen()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onOpen])
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      closesOnOutsideClick
      className={styles.palette}
      aria-label="Search or go to"
    >
      <Region name="The search" onClose={onClose}>
        <Searching onClose={onClose} />
      </Region>
    </Modal>
  )
}

function Searching({ onClose }: Pick<PaletteProps, 'onClose'>) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const found = findEntries(useEntries(), typed)
  const chosen = found[Math.min(at, found.length - 1)]
  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined || entry.disabledReason !== undefined) return
    onClose()
    entry.choose()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((Math.min(at, found.length - 1) + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') choose(chosen)
  }
  return (
    <>
      <div className={styles.ask}>
        <Search size={16} strokeWidth={1.5} aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
          autoFocus
          role="combobox"
          aria-label="Search or go to"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={chosen && `${listId}-${chosen.id}`}
          placeholder="Search or go to"
          value={typed}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div className={styles.found} id={listId} role="listbox" aria-label="Results">
        {found.length === 0 ? <p className={styles.group}>Nothing matches “{typed}”.</p> : undefined}
        {found.map((entry, index) => (
          <FoundEntry
            key={entry.id}
            id={`${listId}-${entry.id}`}
            entry={entry}
            typed={typed}
            heading={headingAt(found, index)}
            isChosen={entry === chosen}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      <div className={styles.foot} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
      </div>
    </>
  )
}

const groupOf = ({ group, disabledReason }: Entry): string => (disabledReason === undefined ? group : 'Unavailable')

function headingAt(found: readonly Entry[], index: number): string | undefined {
  const [entry, before] = [found[index], found[index - 1]]
  if (entry === undefined) return undefined
  return before === undefined || groupOf(before) !== groupOf(entry) ? groupOf(entry) : undefined
}

type FoundProps = {
  readonly id: string
  readonly entry: Entry
  readonly typed: string
  readonly heading: string | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function FoundEntry({ id, entry, typed, heading, isChosen, onChoose }: FoundProps) {
  useEffect(() => {
    if (isChosen) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, id])
  return (
    <>
      {heading === undefined ? undefined : (
        <div className={styles.group} role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and names the chosen entry */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        className={styles.item}
        aria-selected={isChosen}
        aria-disabled={entry.disabledReason !== undefined || undefined}
        onClick={onChoose}
      >
        {entry.disabledReason === undefined ? undefined : <StatusIcon shape="slashed" tone="quiet" />}
        <span className="cut">
          {piecesOf(entry.name, typed).map(({ text, isTyped }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name
            isTyped ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </span>
        <span className={styles.detail}>{entry.disabledReason ?? entry.detail}</span>
      </div>
    </>
  )
}
