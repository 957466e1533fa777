// Selects a new owner for protected environments of a member who leaves.
import { ApiError, type Member, mayOwn } from '@shipway/api'
import { Choice } from '../../components/form.tsx'
import type { Submission } from '../../components/use-submission.ts'

type NewOwnerProps = {
  readonly protectedOnes: readonly string[]
  readonly members: readonly Member[]
  readonly leaving: number
  readonly value: number | undefined
  readonly submission: Submission
  readonly onChoose: (userId: number | undefined) => void
}

export function NewOwner({ protectedOnes, members, leaving, value, submission, onChoose }: NewOwnerProps) {
  const candidates = members.filter(({ user, role }) => user.id !== leaving && mayOwn(role))
  return (
    <div className="stack small">
      <p>
        These protected environments need a new owner: <b>{protectedOnes.join(', ')}</b>.
      </p>
      <Choice
        label="New owner"
        hint="Takes over all projects and environments. Administrators can only choose an owner of the organization."
        pointer="/new_owner_id"
        submission={submission}
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">Choose a member</option>
        {candidates.map(({ user, role }) => (
          <option key={user.id} value={user.id}>
            {user.name} ({role})
          </option>
        ))}
      </Choice>
    </div>
  )
}

/** Environments that need a new owner, if the API answered so. */
export function protectedNames(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== 'new_owner_needed') return []
  const environments = error.problem?.environments
  if (!Array.isArray(environments)) return []
  return environments.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' ? [one.name] : [],
  )
}
