// Sections of settings pages, with or without a save button.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Form, FormButtons, FormError } from './form.tsx'
import { Region } from './region.tsx'
import styles from './section.module.css'
import { useUnsaved } from './unsaved.ts'
import type { Submission } from './use-submission.ts'

type SectionProps = { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.about}>
        <h2>{title}</h2>
        {about === undefined ? undefined : <p className="small quiet">{about}</p>}
      </div>
      <div>
        <Region name={title}>{children}</Region>
      </div>
    </section>
  )
}

type SavedProps = SectionProps & {
  readonly submission: Submission
  readonly onSave: () => void
  readonly isChanged: boolean
  /** Label of the save button. */
  readonly submitLabel?: string
  /** What the save button waits for while nothing is changed. */
  readonly waitsFor?: string
  /** Why the user may not save. The fields are shown read-only. */
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
  submitLabel = 'Save',
  waitsFor = 'No changes to save',
}: SavedProps) {
  useUnsaved(isChanged)
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
            disabledReason={disabledReason}
            waitsFor={isChanged ? undefined : waitsFor}
          >
            {submitLabel}
          </Button>
          {disabledReason === undefined ? undefined : <span className="small quiet">{disabledReason}</span>}
        </FormButtons>
      </Form>
    </Section>
  )
}
