// A part of a page of settings: what it is about, its fields, and a button that saves them together.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Form, FormButtons, FormError } from './form.tsx'
import styles from './section.module.css'
import type { Submission } from './use-submission.ts'

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
  readonly submission: Submission
  readonly onSave: () => void
  /** Whether there is something to save. */
  readonly isChanged: boolean
  /** What the button says. */
  readonly action?: string
  /** Why this person may not. The fields are shown all the same. */
  readonly disabledReason?: string | undefined
}

export function SavedSection({
  title,
  about,
  children,
  submission,
  onSave,
  isChanged,
  disabledReason,
  action = 'Save',
}: SavedProps) {
  return (
    <Section title={title} about={about}>
      <Form submission={submission} onSubmit={onSave} label={title}>
        <fieldset disabled={disabledReason !== undefined} className="stack">
          <legend className="visually-hidden">{title}</legend>
          {children}
        </fieldset>
        <FormError submission={submission} />
        <FormButtons>
          <Button
            type="submit"
            isSmall
            isBusy={submission.isBusy}
            disabledReason={disabledReason ?? (isChanged ? undefined : 'Nothing was changed')}
          >
            {action}
          </Button>
          {disabledReason === undefined ? undefined : <span className="small quiet">{disabledReason}</span>}
        </FormButtons>
      </Form>
    </Section>
  )
}
