// Field for the e-mail address of an account.
import { TextField } from '../../components/form.tsx'
import type { Submission } from '../../components/use-submission.ts'

type EmailFieldProps = {
  readonly label: string
  readonly pointer: string
  readonly submission: Submission
  readonly value: string
  readonly onValue: (email: string) => void
}

export const EmailField = ({ label, pointer, submission, value, onValue }: EmailFieldProps) => (
  <TextField
    label={label}
    pointer={pointer}
    submission={submission}
    type="email"
    autoComplete="off"
    value={value}
    onChange={({ target }) => onValue(target.value)}
  />
)
