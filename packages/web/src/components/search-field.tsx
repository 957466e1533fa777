// Text field that filters the list below it.
import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import styles from './search-field.module.css'

type SearchFieldProps = {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Key that focuses the field from anywhere on the page, unless the user is typing. */
  readonly shortcut?: string
}

export function SearchField({ label, placeholder, value, onChange, shortcut }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== shortcut || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [shortcut])
  return (
    <label className={styles.field}>
      <Search size={14} strokeWidth={1.5} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input ref={field} placeholder={placeholder} value={value} onChange={({ target }) => onChange(target.value)} />
      {shortcut === undefined ? undefined : <kbd>{shortcut}</kbd>}
    </label>
  )
}
