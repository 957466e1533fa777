// The end of an organization that has nothing left.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActs } from '../../components/dialog.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useTold } from '../../data/live-query.ts'
import { projectsQuery, serversQuery } from '../../data/queries.ts'
import { enter } from '../auth/start-session.ts'

type Props = {
  readonly organization: { readonly id: number; readonly name: string }
  readonly lockedBecause: string | undefined
}

export function DeleteOrganization({ organization, lockedBecause }: Props) {
  const { data: projects = [] } = useTold(projectsQuery(organization.id))
  const { data: servers = [] } = useTold(serversQuery(organization.id))
  const [isOpen, setOpen] = useState(false)
  const lock = lockedBecause ?? inUse(projects.length, servers.length)
  return (
    <Section title="Delete the organization" about="Only one without projects and servers can be deleted.">
      <div className="stack">
        <div>
          <Button look="danger" lockedBecause={lock} onClick={() => setOpen(true)}>
            Delete organization…
          </Button>
        </div>
        {lock === undefined ? undefined : <p className="small quiet">{lock}</p>}
      </div>
      <Dialog title={`Delete ${organization.name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Question organization={organization} onClose={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

function inUse(projects: number, servers: number): string | undefined {
  if (projects === 0 && servers === 0) return undefined
  const parts = [
    projects > 0 && `${projects} ${projects === 1 ? 'project' : 'projects'}`,
    servers > 0 && `${servers} ${servers === 1 ? 'server' : 'servers'}`,
  ].filter((part) => part !== false)
  return `It still has ${parts.join(' and ')}. Delete or remove these first`
}

function Question({ organization, onClose }: Omit<Props, 'lockedBecause'> & { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const sending = useSending()
  const isNamed = name === organization.name
  const remove = async (): Promise<void> => {
    await client.deleteOrganization({ params: { id: organization.id } })
    enter('/')
  }
  return (
    <Form label="Delete the organization" sending={sending} onSend={() => isNamed && void sending.send(remove)}>
      <p className="small">
        Its members can no longer see it; invitations and tokens bound to it end. This cannot be undone.
      </p>
      <TextField
        label={`Type ${organization.name} to confirm`}
        pointer=""
        sending={sending}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          type="submit"
          isBusy={sending.isBusy}
          lockedBecause={isNamed ? undefined : 'Type the name of the organization first'}
        >
          Delete organization
        </Button>
      </DialogActs>
    </Form>
  )
}
