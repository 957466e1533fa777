// Requires two-factor codes: shows who would be locked out before it is turned on.
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import { FormError } from './form.tsx'
import { Section } from './section.tsx'
import { useSubmission } from './use-submission.ts'

type Person = { readonly id: number; readonly name: string; readonly email: string }

type SettingProps = {
  readonly about: string
  readonly isOn: boolean
  readonly disabledReason?: string | undefined
  /** Undefined while they are loaded. */
  readonly without: readonly Person[] | undefined
  readonly onSave: (isOn: boolean) => Promise<void>
}

/** More are only counted. */
const MOST_NAMED = 10

export function TwoFactorSetting({ about, isOn, disabledReason, without, onSave }: SettingProps) {
  const [isOpen, setOpen] = useState(false)
  const submission = useSubmission()
  const close = (): void => setOpen(false)
  const save = (): void =>
    void submission.submit(async () => {
      await onSave(!isOn)
      close()
    })
  return (
    <Section title="Required two-factor codes" about={about}>
      <div className="stack">
        <p className="small">{isOn ? 'Required.' : 'Not required: each user decides.'}</p>
        <div className="wrapped">
          <Button disabledReason={disabledReason} onClick={() => setOpen(true)}>
            {isOn ? 'Stop requiring codes…' : 'Require codes…'}
          </Button>
        </div>
      </div>
      <Dialog title={isOn ? 'Stop requiring codes' : 'Require two-factor codes'} isOpen={isOpen} onClose={close}>
        {isOn ? (
          <p className="small">
            Accounts that are locked out get their access back. A stolen password is enough again.
          </p>
        ) : (
          <LockedOut without={without} />
        )}
        <FormError submission={submission} />
        <DialogButtons>
          <Button onClick={close}>Cancel</Button>
          <Button variant={isOn ? 'danger' : 'primary'} isBusy={submission.isBusy} onClick={save}>
            {isOn ? 'Stop requiring codes' : 'Require codes'}
          </Button>
        </DialogButtons>
      </Dialog>
    </Section>
  )
}

function LockedOut({ without }: Pick<SettingProps, 'without'>) {
  if (without === undefined) return <p className="small">Looking up who has no codes …</p>
  if (without.length === 0) return <p className="small">All users have turned codes on: this locks out no one.</p>
  const more = without.length - MOST_NAMED
  return (
    <>
      <p className="small">Locked out until they turn on codes in their profile, with all their tokens:</p>
      <ul className="small">
        {without.slice(0, MOST_NAMED).map(({ id, name, email }) => (
          <li key={id}>
            {name} <span className="quiet">{email}</span>
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : undefined}
      </ul>
    </>
  )
}
