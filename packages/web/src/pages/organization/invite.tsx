// Invites a member by mail, or shows the link if the platform sends no mail.
import { mayGrant, ROLES, type Role } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons, ShownOnce } from '../../components/dialog.tsx'
import { Choice, Form, FormError, TextField } from '../../components/form.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { roleIn } from '../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { ROLE_DESCRIPTIONS } from '../../text/role.ts'
import { invitationsQuery } from './invitations-query.ts'

type InviteProps = { readonly organizationId: number; readonly isOpen: boolean; readonly onClose: () => void }
type Link = { readonly email: string; readonly url: string }

export function Invite({ organizationId, isOpen, onClose }: InviteProps) {
  const [link, setLink] = useState<Link>()
  const close = (): void => {
    setLink(undefined)
    onClose()
  }
  return (
    <Dialog title={link ? `The link for ${link.email}` : 'Invite member'} isOpen={isOpen} onClose={close} isWide>
      {link ? (
        <HandOn link={link} onClose={close} />
      ) : (
        <InviteForm organizationId={organizationId} onLink={setLink} onClose={close} />
      )}
    </Dialog>
  )
}

type FormProps = Omit<InviteProps, 'isOpen'> & { readonly onLink: (link: Link) => void }

function InviteForm({ organizationId, onLink, onClose }: FormProps) {
  const { me } = useCurrentPage()
  const own = roleIn({ me, organizationId })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const submission = useSubmission(['/email', '/role'])
  const invite = async (): Promise<void> => {
    const { url } = await client.createInvitation({ params: { id: organizationId }, body: { email, role } })
    await cache.invalidateQueries({ queryKey: invitationsQuery(organizationId).queryKey })
    if (url !== null) return onLink({ email, url })
    showToast(`An invitation is on its way to ${email}`)
    onClose()
  }
  return (
    <Form label="Invite member" submission={submission} onSubmit={() => void submission.submit(invite)}>
      <TextField
        label="E-mail"
        pointer="/email"
        submission={submission}
        hint="The link works once, within seven days, for this address only. A new invitation replaces the previous one."
        type="email"
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Choice
        label="Role"
        pointer="/role"
        submission={submission}
        hint={`${ROLE_DESCRIPTIONS[role]}. You can assign roles up to your own.`}
        value={role}
        onChange={({ target }) => setRole(ROLES.find((known) => known === target.value) ?? 'member')}
      >
        {ROLES.map((known) => (
          <option key={known} value={known} disabled={!mayGrant(own, known)}>
            {known}
          </option>
        ))}
      </Choice>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Invite
        </Button>
      </DialogButtons>
    </Form>
  )
}

function HandOn({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  return (
    <>
      <p className="small">
        This platform sends no mail. Send this link to {link.email} yourself; everyone who has it can join as that
        person.
      </p>
      <Snippet label="the link of the invitation" text={link.url} />
      <ShownOnce tone="calm">
        It is shown only once. To send mails, the operator of the platform sets <code>SHIPWAY_SMTP_URL</code>.
      </ShownOnce>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  )
}
