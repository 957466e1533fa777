// Deletes a project after the user has typed its name and confirmed protected environments.
import { ApiError } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Checkbox, FormError, TextField } from '../../../components/form.tsx'
import { Section } from '../../../components/section.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { environmentsQuery } from '../../../data/queries.ts'
import type { SettingsProps } from './settings-props.ts'

export function DeleteProject({ project, disabledReason }: SettingsProps) {
  const [isOpen, setOpen] = useState(false)
  const isDeleting = project.status === 'deleting'
  return (
    <Section title="Delete the project" about="Removes all environments from their servers first, then the project.">
      <Button variant="danger" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        {isDeleting ? 'Abandon unreachable servers…' : 'Delete project…'}
      </Button>
      <Dialog
        title={
          isDeleting
            ? 'Abandon unreachable servers?'
            : `Delete ${project.name} and its ${count(project.environment_count)}?`
        }
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <Question project={project} onClose={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

type QuestionProps = Pick<SettingsProps, 'project'> & { readonly onClose: () => void }

function Question({ project, onClose }: QuestionProps) {
  const { data: environments } = useLiveQuery(environmentsQuery(project.id))
  const protectedOnes = environments?.filter((environment) => environment.protected) ?? []
  const [isConfirmed, setConfirmed] = useState(false)
  const [name, setName] = useState('')
  const submission = useSubmission()
  const navigate = useNavigate()
  const isDeleting = project.status === 'deleting'
  const remove = async (): Promise<void> => {
    const body = { ...(isConfirmed && { confirm_protected: true }), ...(isDeleting && { abandon_servers: true }) }
    await client.deleteProject({ params: { id: project.id }, body })
    onClose()
    const params = { organizationId: project.organization_id }
    if (!isDeleting) await navigate({ to: '/organizations/$organizationId', params })
  }
  const reason =
    name !== project.name
      ? `Type ${project.name} to confirm`
      : environments === undefined && !isDeleting
        ? 'Loading environments'
        : protectedOnes.length > 0 && !isConfirmed && !isDeleting
          ? 'Confirm that protected environments are deleted, too'
          : undefined
  return (
    <>
      <p className="quiet">
        {isDeleting
          ? 'Environments whose removal failed are deleted without running their destroy tasks. Their containers, volumes, files and processes stay on the servers.'
          : 'All environments are removed from their servers first, including data in volumes, then the project is deleted.'}
      </p>
      {protectedOnes.length > 0 && !isDeleting ? (
        <Checkbox
          label={
            <>
              Also remove <b>{protectedOnes.map((environment) => environment.name).join(', ')}</b>, which{' '}
              {protectedOnes.length === 1 ? 'is' : 'are'} protected
            </>
          }
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked)}
        />
      ) : undefined}
      <TextField
        label={`Type ${project.name} to confirm`}
        pointer="/name"
        submission={submission}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormError submission={submission} />
      {submission.error instanceof ApiError && submission.error.code === 'confirmation_required' ? (
        <p className="small quiet">Another user has just protected an environment. Check the list again.</p>
      ) : undefined}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="danger"
          disabledReason={reason}
          isBusy={submission.isBusy}
          onClick={() => void submission.submit(remove)}
        >
          {isDeleting ? 'Abandon servers' : 'Delete project'}
        </Button>
      </DialogButtons>
    </>
  )
}

const count = (environments: number): string => (environments === 1 ? '1 environment' : `${environments} environments`)
