// Text to copy: a command, an address, a key.
import { CopyButton } from './copy-button.tsx'
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
