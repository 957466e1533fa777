// Field for a code of an authenticator app. Accepts letters too, because recovery codes contain them.
import { TextField } from './form.tsx'
import type { Submission } from './use-submission.ts'

type CodeFieldProps = {
  readonly submission: Submission
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
}

export const CodeField = ({ submission, value, onValue, hint }: CodeFieldProps) => (
  <TextField
    label="Code from your authenticator app"
    pointer="/otp"
    submission={submission}
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
