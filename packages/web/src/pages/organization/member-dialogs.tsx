// What a graver change of a member means, before it is made.
import type { Member, Role } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActs } from '../../components/dialog.tsx'
import { FormFault } from '../../components/form.tsx'
import { tell } from '../../components/toast.tsx'
import { useSending } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { enter } from '../auth/start-session.ts'
import { guardedNames, NewOwner } from './new-owner.tsx'

export type Change =
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role }
  | { readonly kind: 'removal'; readonly member: Member; readonly isOneself: boolean }

type DialogProps = {
  readonly organizationId: number
  readonly members: readonly Member[]
  readonly change: Change | undefined
  readonly onClose: () => void
}

export function ChangeDialog({ change, onClose, ...place }: DialogProps) {
  return (
    <Dialog title={change ? titleOf(change) : ''} isOpen={change !== undefined} onClose={onClose}>
      {change ? <Question {...place} change={change} onClose={onClose} /> : undefined}
    </Dialog>
  )
}

function titleOf(change: Change): string {
  if (change.kind === 'role') return `Make ${change.member.user.name} ${change.role}`
  return change.isOneself ? 'Leave the organization' : `Remove ${change.member.user.name}`
}

type QuestionProps = DialogProps & { readonly change: Change }

function Question({ organizationId, members, change, onClose }: QuestionProps) {
  const sending = useSending(['/new_owner_id'])
  const [guarded, setGuarded] = useState<readonly string[]>([])
  const [newOwnerId, setNewOwnerId] = useState<number>()
  const params = { id: organizationId, user_id: change.member.user.id }
  const { name } = change.member.user
  const make = async (): Promise<void> => {
    const body = newOwnerId === undefined ? {} : { new_owner_id: newOwnerId }
    try {
      if (change.kind === 'role') await client.updateMember({ params, body: { role: change.role, ...body } })
      else await client.removeMember({ params, body })
    } catch (error) {
      const names = guardedNames(error)
      // A question, and no fault, until it was answered.
      if (names.length === 0 || newOwnerId !== undefined) throw error
      return setGuarded(names)
    }
    if (change.kind === 'removal' && change.isOneself) return enter('/')
    await cache.invalidateQueries({ queryKey: keys.members(organizationId) })
    await cache.invalidateQueries({ queryKey: keys.me })
    onClose()
    tell(change.kind === 'role' ? `${name} is ${change.role} now` : `${name} is no longer a member`)
  }
  return (
    <>
      <div className="stack small">
        <Consequences change={change} />
      </div>
      {guarded.length === 0 ? undefined : (
        <NewOwner
          {...{ guarded, members, sending, value: newOwnerId }}
          leaving={change.member.user.id}
          onChoose={setNewOwnerId}
        />
      )}
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={change.kind === 'removal' ? 'danger' : 'primary'}
          isBusy={sending.isBusy}
          lockedBecause={guarded.length > 0 && newOwnerId === undefined ? 'Choose a new owner first' : undefined}
          onClick={() => void sending.send(make)}
        >
          {change.kind === 'role' ? `Make ${change.role}` : change.isOneself ? 'Leave' : 'Remove'}
        </Button>
      </DialogActs>
    </>
  )
}

function Consequences({ change }: { readonly change: Change }) {
  const { name } = change.member.user
  if (change.kind === 'role') {
    return change.role === 'viewer' ? (
      <p>
        A viewer looks and changes nothing. Projects and environments that {name} owns here go to the oldest owner of
        the organization.
      </p>
    ) : (
      <p>This is your own role. You cannot give it back to yourself afterwards.</p>
    )
  }
  const who = change.isOneself ? 'You' : name
  return (
    <>
      <p>{who} can no longer see anything of this organization.</p>
      <p>
        Projects and environments that {change.isOneself ? 'you own' : `${name} owns`} here go to the oldest owner;
        personal tokens bound to the organization end. Nothing that runs is stopped.
      </p>
    </>
  )
}
