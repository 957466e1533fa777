// Sections of the environment's settings, with their own save button or read-only.
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Form, FormButtons, FormError } from '../../../components/form.tsx'
import { useUnsaved } from '../../../components/unsaved.ts'
import type { Submission } from '../../../components/use-submission.ts'
import styles from './settings.module.css'

type SectionProps = { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {about === undefined ? undefined : <p className="small quiet">{about}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  )
}

type SavedProps = {
  readonly label: string
  readonly submission: Submission
  readonly isChanged: boolean
  /** What has to be entered before the form can be saved. */
  readonly waitsFor?: string | undefined
  readonly onSave: () => void
  readonly onUndo: () => void
  readonly children: ReactNode
}

export function SavedForm({ label, submission, isChanged, waitsFor, onSave, onUndo, children }: SavedProps) {
  useUnsaved(isChanged)
  return (
    <Form label={label} submission={submission} onSubmit={() => isChanged && waitsFor === undefined && onSave()}>
      {children}
      <FormError submission={submission} />
      <FormButtons>
        <Button
          type="submit"
          isBusy={submission.isBusy}
          waitsFor={isChanged ? waitsFor : 'No changes to save'}
          aria-label={`Save: ${label}`}
        >
          Save
        </Button>
        {isChanged ? (
          <Button variant="quiet" onClick={onUndo}>
            Undo
          </Button>
        ) : undefined}
      </FormButtons>
    </Form>
  )
}

type LockedProps = {
  readonly label: string
  readonly children: ReactNode
  /** Omitted if the top of the page already says it. */
  readonly because?: string | undefined
  readonly hint?: ReactNode
}

export function Locked({ label, children, because, hint }: LockedProps) {
  return (
    <div className={styles.locked}>
      <div className={styles.label}>{label}</div>
      <div className={styles.value}>
        <Lock size={14} strokeWidth={1.5} aria-hidden="true" />
        <span className="visually-hidden">Locked: </span>
        <span className={styles.text}>{children}</span>
      </div>
      {because === undefined ? undefined : <p className="tiny faint">{because}</p>}
      {hint === undefined ? undefined : <p className="tiny faint">{hint}</p>}
    </div>
  )
}
