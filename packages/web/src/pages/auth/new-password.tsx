// Field for a new password.
import { TextField } from '../../components/form.tsx'
import type { Submission } from '../../components/use-submission.ts'

type NewPassword = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly submission: Submission
  readonly label?: string
  readonly pointer?: string
}

export function NewPassword({ value, onValue, submission, label = 'Password', pointer = '/password' }: NewPassword) {
  return (
    <TextField
      label={label}
      pointer={pointer}
      submission={submission}
      hint="At least 12 characters. A sentence works well."
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  )
}
