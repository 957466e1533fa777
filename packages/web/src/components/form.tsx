// Form parts. Errors stand beside their field, and input is never lost.
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { StatusIcon } from '../status/status-icon.tsx'
import styles from './form.module.css'
import type { Submission } from './use-submission.ts'

type FormProps = {
  readonly submission: Submission
  readonly onSubmit: () => void
  readonly children: ReactNode
  readonly label?: string
}

export function Form({ submission, onSubmit, children, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { error } = submission
  // Focuses the first invalid field, so that screen readers announce its error.
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!submission.isBusy) onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** Error that belongs to no single field. */
export function FormError({ submission }: { readonly submission: Submission }) {
  return (
    <p role="alert" className={submission.formError === undefined ? 'visually-hidden' : styles.error}>
      {submission.formError === undefined ? undefined : (
        <>
          <StatusIcon shape="octagon" tone="bad" />
          <span>{submission.formError}</span>
        </>
      )}
    </p>
  )
}

export function FormButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}

type Labelled = {
  readonly label: string
  readonly hint?: ReactNode
  /** JSON pointer of the field in the API's problem details, such as `/name`. */
  readonly pointer: string
  readonly submission: Submission
}

type TextFieldProps = Labelled & { readonly isMono?: boolean; readonly beside?: ReactNode } & Omit<
    ComponentProps<'input'>,
    'className'
  >

export function TextField({ label, hint, pointer, submission, isMono = false, beside, ...input }: TextFieldProps) {
  return (
    <LabelledField label={label} hint={hint} pointer={pointer} submission={submission} beside={beside}>
      {(wiring) => (
        <input {...input} {...wiring} className={isMono ? `${styles.input} ${styles.mono}` : styles.input} />
      )}
    </LabelledField>
  )
}

export function TextArea({
  label,
  hint,
  pointer,
  submission,
  ...input
}: Labelled & Omit<ComponentProps<'textarea'>, 'className'>) {
  return (
    <LabelledField label={label} hint={hint} pointer={pointer} submission={submission}>
      {(wiring) => <textarea rows={5} {...input} {...wiring} className={`${styles.input} ${styles.mono}`} />}
    </LabelledField>
  )
}

type ChoiceProps = Labelled & Omit<ComponentProps<'select'>, 'className'>

export function Choice({ label, hint, pointer, submission, children, ...select }: ChoiceProps) {
  return (
    <LabelledField label={label} hint={hint} pointer={pointer} submission={submission}>
      {(wiring) => (
        <select {...select} {...wiring} className={styles.input}>
          {children}
        </select>
      )}
    </LabelledField>
  )
}

type CheckboxProps = { readonly label: ReactNode; readonly hint?: ReactNode } & Omit<
  ComponentProps<'input'>,
  'className' | 'type'
>

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const hintId = useId()
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} aria-describedby={hint === undefined ? undefined : hintId} />
      <span>{label}</span>
      {hint === undefined ? undefined : (
        <span className={styles.hint} id={hintId}>
          {hint}
        </span>
      )}
    </label>
  )
}

type Wiring = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}
type FrameProps = Labelled & { readonly beside?: ReactNode; readonly children: (wiring: Wiring) => ReactNode }

function LabelledField({ label, hint, pointer, submission, beside, children }: FrameProps) {
  const id = useId()
  const error = submission.fieldErrors.get(pointer)
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <div className="row between">
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {beside}
      </div>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? undefined : (
        <p className={styles.fieldError} id={`${id}-fault`}>
          {error}
        </p>
      )}
      {hint === undefined ? undefined : (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
