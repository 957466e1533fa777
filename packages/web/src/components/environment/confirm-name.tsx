// What is kept on purpose asks for its name before it goes.
import type { Environment } from '@shipway/api'
import { TextField } from '../form.tsx'
import type { Sending } from '../use-submission.ts'

export const asksForName = ({ protected: isProtected, sticky }: Environment): boolean => isProtected || sticky

type NameFieldProps = {
  readonly name: string
  readonly typed: string
  readonly sending: Sending
  readonly onType: (typed: string) => void
}

export function NameField({ name, typed, sending, onType }: NameFieldProps) {
  return (
    <TextField
      label={`Type ${name} to go on`}
      pointer="/name"
      sending={sending}
      isMono
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => onType(target.value)}
    />
  )
}
