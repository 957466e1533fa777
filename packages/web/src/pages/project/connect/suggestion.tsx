// The `.service.yml` that would work for a repository that has none.
import { CopyButton } from '../../../components/copy-button.tsx'
import styles from './connect.module.css'

export function Suggestion({ text }: { readonly text: string }) {
  return (
    <>
      <p className="small">
        The repository has no <code>.service.yml</code> yet. This one works for its newest commit:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do */}
      <pre className={styles.file} tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton text={text} label="Copy the file" />
      </div>
    </>
  )
}
