// A button that copies a text which is made when it is pressed, and says for a moment that it was.
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copy } from './snippet.tsx'

type CopyTextProps = {
  readonly textOf: () => string
  /** The words on it; without them it is an icon with this name. */
  readonly label?: string
  readonly children?: ReactNode
}

const TOLD_MS = 2_000

export function CopyTextButton({ textOf, label, children }: CopyTextProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : Copy
  const named = children === undefined && {
    isIcon: true,
    look: 'quiet' as const,
    title: label,
    'aria-label': isCopied ? 'Copied' : label,
  }
  return (
    <Button isSmall {...named} onClick={() => void copy(textOf()).then(() => setCopied(true))}>
      <Icon size={children === undefined ? 15 : 14} strokeWidth={1.5} aria-hidden="true" />
      {children === undefined ? undefined : <span aria-live="polite">{isCopied ? 'Copied' : children}</span>}
    </Button>
  )
}
