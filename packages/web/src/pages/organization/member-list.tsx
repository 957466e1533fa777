// Members of an organization and their roles.
import { type Member, mayGrant, ROLES, type Role } from '@shipway/api'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import list from '../../components/list.module.css'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Tag } from '../../components/page.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { roleIn } from '../../data/disabled-reasons.ts'
import { keys } from '../../data/keys.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { ROLE_DESCRIPTIONS } from '../../text/role.ts'
import { whyLastOwner, whyNotManage } from './manage-members.ts'
import { type Change, ChangeDialog } from './member-dialogs.tsx'
import styles from './organization.module.css'

type ListProps = { readonly organizationId: number; readonly members: readonly Member[] }

export function MemberList({ organizationId, members }: ListProps) {
  const { me } = useCurrentPage()
  const own = roleIn({ me, organizationId })
  const [change, setChange] = useState<Change>()
  const ask = (member: Member, role: Role): void => {
    const isGrave = role === 'viewer' || member.user.id === me.id
    if (isGrave) setChange({ kind: 'role', member, role })
    else void giveRole(organizationId, member, role)
  }
  return (
    <>
      <ul className={`${list.list} ${list.still} ${styles.members}`}>
        {members.map((member) => {
          const isOneself = member.user.id === me.id
          const lock = whyNotManage(members, member, own)
          return (
            <li key={member.user.id}>
              <div className={list.line}>
                <div>
                  <div className="row">
                    <span className="cut strong" title={member.user.name}>
                      {member.user.name}
                    </span>
                    {isOneself ? <Tag>you</Tag> : undefined}
                  </div>
                  <div className="cut small quiet" title={member.user.email}>
                    {member.user.email}
                  </div>
                  {member.has_two_factor === false ? <div className="small quiet">no two-factor codes</div> : undefined}
                </div>
                <RoleMenu member={member} own={own} disabledReason={lock} onChoose={(role) => ask(member, role)} />
                <div className={`${styles.since} small quiet`}>
                  joined <RelativeTime at={member.since} />
                </div>
                <div className={styles.button}>
                  <Button
                    isSmall
                    aria-label={isOneself ? 'Leave the organization' : `Remove ${member.user.name}`}
                    disabledReason={isOneself ? whyLastOwner(members, member.role) : lock}
                    onClick={() => setChange({ kind: 'removal', member, isOneself })}
                  >
                    {isOneself ? 'Leave…' : 'Remove…'}
                  </Button>
                </div>
              </div>
            </li>
          )
        })}
      </ul>
      <ChangeDialog
        organizationId={organizationId}
        members={members}
        change={change}
        onClose={() => setChange(undefined)}
      />
    </>
  )
}

/** Shows errors as a toast, because this change has no dialog. */
async function giveRole(organizationId: number, { user }: Member, role: Role): Promise<void> {
  try {
    await client.updateMember({ params: { id: organizationId, user_id: user.id }, body: { role } })
    showToast(`${user.name} is ${role} now`)
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), { isError: true })
  }
  await cache.invalidateQueries({ queryKey: keys.members(organizationId) })
}

type RoleMenuProps = {
  readonly member: Member
  readonly own: Role | undefined
  readonly disabledReason: string | undefined
  readonly onChoose: (role: Role) => void
}

function RoleMenu({ member: { user, role: current }, own, disabledReason, onChoose }: RoleMenuProps) {
  if (disabledReason !== undefined) {
    return (
      <div className={`${styles.role} small`} title={ROLE_DESCRIPTIONS[current]}>
        {current}
      </div>
    )
  }
  return (
    <div className={styles.role}>
      <Menu
        align="start"
        label={`Role of ${user.name}`}
        trigger={(wiring) => (
          <Button {...wiring} isSmall aria-label={`Role of ${user.name}: ${current}`}>
            {current}
            <ChevronDown size={14} strokeWidth={1.5} aria-hidden="true" />
          </Button>
        )}
      >
        {ROLES.toReversed().map((role) => (
          <MenuItem
            key={role}
            onChoose={() => role !== current && onChoose(role)}
            disabledReason={mayGrant(own, role) ? undefined : 'Only owners can assign this role'}
          >
            <span>
              <span className={role === current ? 'strong' : undefined}>{role}</span>
              <span className={styles.means}>{ROLE_DESCRIPTIONS[role]}</span>
            </span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
