// Confirms changes of members that have consequences.
import type { Member, Role } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { startSession } from '../../data/start-session.ts'
import { NewOwner, protectedNames } from './new-owner.tsx'

export type Change =
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role }
  | { readonly kind: 'removal'; readonly member: Member; readonly isOneself: boolean }

type DialogProps = {
  readonly organizationId: number
  readonly members: readonly Member[]
  readonly change: Change | undefined
  readonly onClose: () => void
}

export function ChangeDialog({ change, onClose, ...rest }: DialogProps) {
  return (
    <Dialog title={change ? dialogTitle(change) : ''} isOpen={change !== undefined} onClose={onClose}>
      {change ? <Question {...rest} change={change} onClose={onClose} /> : undefined}
    </Dialog>
  )
}

function dialogTitle(change: Change): string {
  if (change.kind === 'role') return `Make ${change.member.user.name} ${change.role}`
  return change.isOneself ? 'Leave the organization' : `Remove ${change.member.user.name}`
}

type QuestionProps = DialogProps & { readonly change: Change }

function Question({ organizationId, members, change, onClose }: QuestionProps) {
  const submission = useSubmission(['/new_owner_id'])
  const [protectedOnes, setGuarded] = useState<readonly string[]>([])
  const [newOwnerId, setNewOwnerId] = useState<number>()
  const params = { id: organizationId, user_id: change.member.user.id }
  const { name } = change.member.user
  const make = async (): Promise<void> => {
    const body = newOwnerId === undefined ? {} : { new_owner_id: newOwnerId }
    try {
      if (change.kind === 'role') await client.updateMember({ params, body: { role: change.role, ...body } })
      else await client.removeMember({ params, body })
    } catch (error) {
      const names = protectedNames(error)
      // Asks for a new owner first; an error only if that failed, too.
      if (names.length === 0 || newOwnerId !== undefined) throw error
      return setGuarded(names)
    }
    if (change.kind === 'removal' && change.isOneself) return startSession('/')
    await cache.invalidateQueries({ queryKey: keys.members(organizationId) })
    await cache.invalidateQueries({ queryKey: keys.me })
    onClose()
    showToast(change.kind === 'role' ? `${name} is ${change.role} now` : `${name} is no longer a member`)
  }
  return (
    <>
      <div className="stack small">
        <Consequences change={change} />
      </div>
      {protectedOnes.length === 0 ? undefined : (
        <NewOwner
          protectedOnes={protectedOnes}
          members={members}
          submission={submission}
          value={newOwnerId}
          leaving={change.member.user.id}
          onChoose={setNewOwnerId}
        />
      )}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant={change.kind === 'removal' ? 'danger' : 'primary'}
          isBusy={submission.isBusy}
          waitsFor={protectedOnes.length > 0 && newOwnerId === undefined ? 'Choose a new owner first' : undefined}
          onClick={() => void submission.submit(make)}
        >
          {change.kind === 'role' ? `Make ${change.role}` : change.isOneself ? 'Leave' : 'Remove'}
        </Button>
      </DialogButtons>
    </>
  )
}

function Consequences({ change }: { readonly change: Change }) {
  const { name } = change.member.user
  if (change.kind === 'role') {
    return change.role === 'viewer' ? (
      <p>
        Viewers have read-only access. Projects and environments that {name} owns go to the longest-standing owner of
        the organization.
      </p>
    ) : (
      <p>This is your own role. You cannot change it back yourself.</p>
    )
  }
  const who = change.isOneself ? 'You' : name
  return (
    <>
      <p>{who} will lose access to this organization.</p>
      <p>
        Projects and environments that {change.isOneself ? 'you own' : `${name} owns`} here go to the longest-standing
        owner; personal tokens for this organization stop working. Running deployments continue.
      </p>
    </>
  )
}
