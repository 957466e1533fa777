// Two-factor codes: turn on, turn off, renew recovery codes.
import type { SecondFactor as State } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Section } from '../../components/section.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { formatDate } from '../../text/ago.ts'
import { NewSecondFactor } from './new-second-factor.tsx'
import { ReauthenticateForm } from './reauthenticate-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { secondFactorQuery } from './second-factor-query.ts'

export function SecondFactor() {
  const { data, error, refetch } = useQuery(secondFactorQuery)
  return (
    <Section
      title="Two-factor codes"
      about="Signing in also requires a code from your authenticator app. A stolen password alone is not enough."
    >
      {data ? (
        <Appearance state={data} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={1} what="Loading two-factor codes" />
      )}
    </Section>
  )
}

type DialogName = 'on' | 'codes' | 'off' | undefined

function Appearance({ state }: { readonly state: State }) {
  const [open, setOpen] = useState<DialogName>()
  const close = (): void => {
    setOpen(undefined)
    void cache.invalidateQueries({ queryKey: keys.secondFactor })
    void cache.invalidateQueries({ queryKey: keys.me })
  }
  return (
    <div className="stack">
      <p className="small">{sentenceOf(state)}</p>
      <div className="wrapped">
        {state.is_on ? (
          <>
            <Button onClick={() => setOpen('codes')}>New recovery codes…</Button>
            <Button onClick={() => setOpen('off')}>Turn off…</Button>
          </>
        ) : (
          <Button onClick={() => setOpen('on')}>Turn on…</Button>
        )}
      </div>
      <Dialog title="Turn on two-factor codes" isOpen={open === 'on'} onClose={close} isWide>
        <NewSecondFactor onClose={close} />
      </Dialog>
      <Dialog title="New recovery codes" isOpen={open === 'codes'} onClose={close} isWide>
        <Renew onClose={close} />
      </Dialog>
      <Dialog title="Turn off two-factor codes" isOpen={open === 'off'} onClose={close}>
        <TurnOff onClose={close} />
      </Dialog>
    </div>
  )
}

function sentenceOf({ is_on, on_since, recovery_codes_left }: State): string {
  if (!is_on || on_since === null) return 'Off: your password alone signs you in.'
  const left = recovery_codes_left === 1 ? 'one recovery code is' : `${recovery_codes_left} recovery codes are`
  const more = recovery_codes_left < 4 ? ' Create new ones before they run out.' : ''
  return `On since ${formatDate(new Date(on_since))}; ${left} left.${more}`
}

function Renew({ onClose }: { readonly onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ReauthenticateForm
      label="New recovery codes"
      submitLabel="Create new codes"
      onClose={onClose}
      onConfirm={async (body) => setCodes((await client.renewRecoveryCodes({ body })).recovery_codes)}
    >
      <p className="small">Ten new codes replace all earlier ones, which stop working.</p>
    </ReauthenticateForm>
  )
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReauthenticateForm
      label="Turn off two-factor codes"
      submitLabel="Turn off"
      variant="danger"
      onClose={onClose}
      onConfirm={async (body) => {
        await client.stopSecondFactor({ body })
        onClose()
        showToast('Two-factor codes are off')
      }}
    >
      <p className="small">Your password alone will sign you in. The recovery codes stop working.</p>
    </ReauthenticateForm>
  )
}
