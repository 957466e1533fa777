// Fields of an account: name, e-mail address, new password.
import { TextField } from '../../components/form.tsx'
import type { Submission } from '../../components/use-submission.ts'

type FieldProps = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly submission: Submission
}

export const NameField = ({ value, onValue, submission }: FieldProps) => (
  <TextField
    label="Your name"
    pointer="/name"
    submission={submission}
    autoComplete="name"
    value={value}
    onChange={({ target }) => onValue(target.value)}
  />
)

export const EmailField = ({ value, onValue, submission }: FieldProps) => (
  <TextField
    label="E-mail"
    pointer="/email"
    submission={submission}
    type="email"
    name="email"
    autoComplete="username"
    value={value}
    onChange={({ target }) => onValue(target.value)}
  />
)

type NewPasswordProps = FieldProps & { readonly label?: string; readonly pointer?: string }

export function NewPassword({
  value,
  onValue,
  submission,
  label = 'Password',
  pointer = '/password',
}: NewPasswordProps) {
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
