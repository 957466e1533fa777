// Something to copy: a line for a terminal, an address, a key.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import styles from './snippet.module.css'

type SnippetProps = { readonly text: string; readonly label: string; readonly prompt?: '$' | '#' }

export function Snippet({ text, label, prompt }: SnippetProps) {
  return (
    <div className={styles.snippet}>
      <section className={styles.text} aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do */}
        <code tabIndex={0}>
          {prompt === undefined ? undefined : <span className={styles.prompt}>{prompt} </span>}
          {text}
        </code>
      </section>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  )
}

const TOLD_MS = 2_000

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : Copy
  return (
    <Button look="quiet" isSmall aria-label={label} onClick={() => copy(text).then(() => setCopied(true))}>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </Button>
  )
}

/** Browsers refuse the clipboard to pages that came over plain http; there the old way still works. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
