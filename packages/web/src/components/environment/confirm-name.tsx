// Protected and sticky environments ask for their name before they are deleted or reset.
import type { Environment } from '@shipway/api'
import { TextField } from '../form.tsx'
import type { Submission } from '../use-submission.ts'

export const needsNameConfirmation = ({ protected: isProtected, sticky }: Environment): boolean => isProtected || sticky

type ConfirmNameProps = {
  readonly name: string
  readonly typed: string
  readonly submission: Submission
  readonly onType: (typed: string) => void
}

export function ConfirmName({ name, typed, submission, onType }: ConfirmNameProps) {
  return (
    <TextField
      label={`Type ${name} to confirm`}
      pointer="/name"
      submission={submission}
      isMono
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => onType(target.value)}
    />
  )
}
