// Deletes an empty organization.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { projectsQuery, serversQuery } from '../../data/queries.ts'
import { startSession } from '../../data/start-session.ts'

type Props = {
  readonly organization: { readonly id: number; readonly name: string }
  readonly disabledReason: string | undefined
}

export function DeleteOrganization({ organization, disabledReason }: Props) {
  const { data: projects } = useLiveQuery(projectsQuery(organization.id))
  const { data: servers } = useLiveQuery(serversQuery(organization.id))
  const [isOpen, setOpen] = useState(false)
  const reason = disabledReason ?? inUse(projects?.length, servers?.length)
  return (
    <Section title="Delete the organization" about="Only an organization without projects and servers can be deleted.">
      <div className="stack">
        <div>
          <Button variant="danger" disabledReason={reason} onClick={() => setOpen(true)}>
            Delete organization…
          </Button>
        </div>
        {reason === undefined ? undefined : <p className="small quiet">{reason}</p>}
      </div>
      <Dialog title={`Delete ${organization.name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Question organization={organization} onClose={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

function inUse(projects: number | undefined, servers: number | undefined): string | undefined {
  if (projects === undefined || servers === undefined) return 'Loading projects and servers'
  if (projects === 0 && servers === 0) return undefined
  const parts = [
    projects > 0 && `${projects} ${projects === 1 ? 'project' : 'projects'}`,
    servers > 0 && `${servers} ${servers === 1 ? 'server' : 'servers'}`,
  ].filter((part) => part !== false)
  return `The organization still has ${parts.join(' and ')}. Delete or remove these first`
}

function Question({ organization, onClose }: Omit<Props, 'disabledReason'> & { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const submission = useSubmission()
  const isNameConfirmed = name === organization.name
  const remove = async (): Promise<void> => {
    await client.deleteOrganization({ params: { id: organization.id } })
    startSession('/')
  }
  return (
    <Form
      label="Delete the organization"
      submission={submission}
      onSubmit={() => isNameConfirmed && void submission.submit(remove)}
    >
      <p className="small">
        All members lose access; invitations and tokens for it stop working. This cannot be undone.
      </p>
      <TextField
        label={`Type ${organization.name} to confirm`}
        pointer=""
        submission={submission}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="danger"
          type="submit"
          isBusy={submission.isBusy}
          disabledReason={isNameConfirmed ? undefined : `Type ${organization.name} to confirm`}
        >
          Delete organization
        </Button>
      </DialogButtons>
    </Form>
  )
}
