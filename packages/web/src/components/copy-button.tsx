// Button that copies a text and confirms it for a moment.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

type CopyProps = {
  /** A function builds long texts only when needed. */
  readonly text: string | (() => string)
  readonly label: string
  /** Label of the button; null shows the icon only. */
  readonly words?: string | null
  readonly variant?: 'plain' | 'quiet'
}

const SHOWN_MS = 2_000

export function CopyButton({ text, label, words = 'Copy', variant = 'quiet' }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : Copy
  const copyText = (): Promise<void> => copy(typeof text === 'string' ? text : text()).then(() => setCopied(true))
  return (
    <Button
      variant={variant}
      isSmall
      isIcon={words === null}
      aria-label={label}
      title={label}
      onClick={() => void copyText()}
    >
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      <span aria-live="polite" className={words === null ? 'visually-hidden' : undefined}>
        {isCopied ? 'Copied' : words}
      </span>
    </Button>
  )
}

/** Browsers have no clipboard API on pages served over plain http, so those fall back to execCommand. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
