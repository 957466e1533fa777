// A code of an authenticator app. Letters can be typed as well: recovery codes have some.
import { TextField } from './form.tsx'
import type { Sending } from './use-submission.ts'

type CodeFieldProps = {
  readonly sending: Sending
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
}

export const CodeField = ({ sending, value, onValue, hint }: CodeFieldProps) => (
  <TextField
    label="Code of your authenticator app"
    pointer="/otp"
    sending={sending}
    hint={hint}
    isMono
    name="otp"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={40}
    value={value}
    onChange={({ target }) => onValue(target.value)}
  />
)
