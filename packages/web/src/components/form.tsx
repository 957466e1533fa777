// Forms: what is wrong stands beside the field it is about, and whatever was typed stays.
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { Sign } from '../status/status-icon.tsx'
import styles from './form.module.css'
import type { Sending } from './use-submission.ts'

type FormProps = {
  readonly sending: Sending
  readonly onSend: () => void
  readonly children: ReactNode
  readonly label?: string
}

export function Form({ sending, onSend, children, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { error } = sending
  // Whoever sent it goes on at the first field that has a fault, and hears which.
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
        if (!sending.isBusy) onSend()
      }}
    >
      {children}
    </form>
  )
}

/** The sentence of a problem that belongs to no field. */
export function FormFault({ sending }: { readonly sending: Sending }) {
  return (
    <p role="alert" className={sending.fault === undefined ? 'unseen' : styles.told}>
      {sending.fault === undefined ? undefined : (
        <>
          <Sign silhouette="octagon" tone="bad" />
          <span>{sending.fault}</span>
        </>
      )}
    </p>
  )
}

export function FormActs({ children }: { readonly children: ReactNode }) {
  return <div className={styles.acts}>{children}</div>
}

type Labelled = {
  readonly label: string
  readonly hint?: ReactNode
  /** Where the platform points to when it finds fault with the field, such as `/name`. */
  readonly pointer: string
  readonly sending: Sending
}

type TextFieldProps = Labelled & { readonly isMono?: boolean; readonly beside?: ReactNode } & Omit<
    ComponentProps<'input'>,
    'className'
  >

export function TextField({ label, hint, pointer, sending, isMono = false, beside, ...input }: TextFieldProps) {
  return (
    <FieldFrame {...{ label, hint, pointer, sending, beside }}>
      {(wiring) => (
        <input {...input} {...wiring} className={isMono ? `${styles.input} ${styles.mono}` : styles.input} />
      )}
    </FieldFrame>
  )
}

export function TextArea({
  label,
  hint,
  pointer,
  sending,
  ...input
}: Labelled & Omit<ComponentProps<'textarea'>, 'className'>) {
  return (
    <FieldFrame {...{ label, hint, pointer, sending }}>
      {(wiring) => <textarea rows={5} {...input} {...wiring} className={`${styles.input} ${styles.mono}`} />}
    </FieldFrame>
  )
}

type ChoiceProps = Labelled & Omit<ComponentProps<'select'>, 'className'>

export function Choice({ label, hint, pointer, sending, children, ...select }: ChoiceProps) {
  return (
    <FieldFrame {...{ label, hint, pointer, sending }}>
      {(wiring) => (
        <select {...select} {...wiring} className={styles.input}>
          {children}
        </select>
      )}
    </FieldFrame>
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

function FieldFrame({ label, hint, pointer, sending, beside, children }: FrameProps) {
  const id = useId()
  const fault = sending.faults.get(pointer)
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ')
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
        'aria-invalid': fault === undefined ? undefined : true,
      })}
      {fault === undefined ? undefined : (
        <p className={styles.fault} id={`${id}-fault`}>
          {fault}
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
