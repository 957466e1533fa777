// A part of a page of settings: what it is about, its fields, and a button that saves them together.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Form, FormActs, FormFault } from './form.tsx'
import styles from './section.module.css'
import type { Sending } from './use-submission.ts'

type SectionProps = { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.about}>
        <h2>{title}</h2>
        {about === undefined ? undefined : <p className="small quiet">{about}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}

type SavedProps = SectionProps & {
  readonly sending: Sending
  readonly onSave: () => void
  /** Whether there is something to save. */
  readonly isChanged: boolean
  /** What the button says. */
  readonly act?: string
  /** Why this person may not. The fields are shown all the same. */
  readonly lockedBecause?: string | undefined
}

export function SavedSection({
  title,
  about,
  children,
  sending,
  onSave,
  isChanged,
  lockedBecause,
  act = 'Save',
}: SavedProps) {
  return (
    <Section title={title} about={about}>
      <Form sending={sending} onSend={onSave} label={title}>
        <fieldset disabled={lockedBecause !== undefined} className="stack">
          <legend className="unseen">{title}</legend>
          {children}
        </fieldset>
        <FormFault sending={sending} />
        <FormActs>
          <Button
            type="submit"
            isSmall
            isBusy={sending.isBusy}
            lockedBecause={lockedBecause ?? (isChanged ? undefined : 'Nothing was changed')}
          >
            {act}
          </Button>
          {lockedBecause === undefined ? undefined : <span className="small quiet">{lockedBecause}</span>}
        </FormActs>
      </Form>
    </Section>
  )
}
