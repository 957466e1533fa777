// A password that is being chosen.
import { TextField } from '../../components/form.tsx'
import type { Sending } from '../../components/use-submission.ts'

type NewPassword = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly sending: Sending
  readonly label?: string
  readonly pointer?: string
}

export function NewPassword({ value, onValue, sending, label = 'Password', pointer = '/password' }: NewPassword) {
  return (
    <TextField
      label={label}
      pointer={pointer}
      sending={sending}
      hint="Twelve characters or more. A sentence is good."
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  )
}
