// Two-factor codes as JSON. The secret and the recovery codes leave once, when they are made.
import type {
  FirstRecoveryCodes,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor as Shown,
} from '@shipway/api/sign-in/second-factor'
import type { z } from 'zod'
import type { Secret } from '../../secrets/secret.ts'
import type { SecondFactor } from '../../store/credentials/second-factors.ts'
import { presentTime } from './time.ts'

export function presentSecondFactor(factor: SecondFactor | undefined, codesLeft: number): z.input<typeof Shown> {
  const since = factor?.confirmedAt ?? null
  return {
    is_on: since !== null,
    on_since: since === null ? null : presentTime(since),
    recovery_codes_left: codesLeft,
  }
}

type Enrolment = { readonly secret: Secret; readonly uri: Secret; readonly expiresAt: number }

export const presentEnrolment = ({ secret, uri, expiresAt }: Enrolment): z.input<typeof NewSecondFactor> => ({
  secret: secret.reveal(),
  uri: uri.reveal(),
  expires_at: presentTime(expiresAt),
})

type Confirmed = { readonly codes: readonly Secret[]; readonly endedSessions: number }

export const presentFirstRecoveryCodes = ({ codes, endedSessions }: Confirmed): z.input<typeof FirstRecoveryCodes> => ({
  ...presentRecoveryCodes(codes),
  ended_sessions: endedSessions,
})

export const presentRecoveryCodes = (codes: readonly Secret[]): z.input<typeof RecoveryCodes> => ({
  recovery_codes: codes.map((code) => code.reveal()),
})
