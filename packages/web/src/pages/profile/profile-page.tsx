// Profile of the user: account, security, appearance, tokens, sessions.
import { PageHead } from '../../components/page.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'
import { Account, ChangePassword } from './account.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { CommandLine } from './command-line.tsx'
import { Identity } from './identity.tsx'
import { NotificationChoice } from './notification-choice.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { Tokens } from './tokens.tsx'

export function ProfilePage() {
  const { me } = useCurrentPage()
  return (
    <>
      <PageHead name="Profile" title={me.name} under={<span>{me.email}</span>} />
      {me.organizations.length === 0 && me.needs_two_factor === null ? <Alone /> : undefined}
      <Account me={me} />
      <ChangePassword me={me} />
      <SecondFactor />
      <Identity />
      <ThemeChoice />
      <NotificationChoice />
      <CommandLine />
      <Tokens me={me} />
      <Sessions />
      <AccountDeletion />
    </>
  )
}

function Alone() {
  return <p className="quiet">You are not a member of any organization. Ask an administrator for an invitation.</p>
}
