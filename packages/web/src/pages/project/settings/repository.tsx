// Repository address, repository key and webhook secret of a project.
import type { Project, Webhook } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Choice, FormError, TextField } from '../../../components/form.tsx'
import { SavedSection, Section } from '../../../components/section.tsx'
import { Snippet } from '../../../components/snippet.tsx'
import { Notice } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { HOST_NAMES, parseHost } from '../../../text/host.ts'
import type { SettingsProps } from './settings-props.ts'
import { WebhookSecret } from './webhook-secret.tsx'

export function RepositorySettings({ project, disabledReason }: SettingsProps) {
  const submission = useSubmission(['/repo_url', '/repository_host'])
  const draft = useDraft({ repo_url: project.repo_url, repository_host: project.repository_host })
  const [webhook, setWebhook] = useState<Webhook>()
  const save = async (): Promise<void> => {
    const answer = await client.updateProject({ params: { id: project.id }, body: draft.changes })
    draft.reset()
    setWebhook(answer.webhook)
    showToast('Saved')
  }
  return (
    <>
      <SavedSection
        title="Repository"
        about="A different git host gets a new key and a new secret."
        submission={submission}
        isChanged={draft.isChanged}
        disabledReason={disabledReason}
        onSave={() => void submission.submit(save)}
      >
        <TextField
          label="Address"
          pointer="/repo_url"
          submission={submission}
          isMono
          value={draft.fields.repo_url}
          onChange={({ target }) => draft.set('repo_url', target.value)}
        />
        <Choice
          label="Git host"
          pointer="/repository_host"
          submission={submission}
          value={draft.fields.repository_host}
          onChange={({ target }) => draft.set('repository_host', parseHost(target.value))}
        >
          {Object.entries(HOST_NAMES).map(([host, name]) => (
            <option key={host} value={host}>
              {name}
            </option>
          ))}
        </Choice>
        {webhook ? <WebhookSecret webhook={webhook} /> : undefined}
      </SavedSection>
      <Section title="Key and secret" about="The key can only read. The secret signs the deliveries of the git host.">
        <div className="stack">
          <Snippet label="the repository key" text={project.repository_key} />
          <div className="wrapped">
            <NewKey project={project} disabledReason={disabledReason} />
            <NewSecret project={project} disabledReason={disabledReason} />
          </div>
        </div>
      </Section>
    </>
  )
}

function NewKey({ project, disabledReason }: SettingsProps) {
  const [isOpen, setOpen] = useState(false)
  const submission = useSubmission()
  const make = async (): Promise<void> => {
    await client.regenerateRepositoryKey({ params: { id: project.id } })
    setOpen(false)
    showToast('Add the new key above to the git host')
  }
  return (
    <>
      <Button isSmall disabledReason={disabledReason} onClick={() => setOpen(true)}>
        New repository key…
      </Button>
      <Dialog title="Create a new repository key?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="quiet">
          The current key stops working immediately. Deployments fail until you add the new one to the git host; live
          versions are not affected.
        </p>
        <FormError submission={submission} />
        <DialogButtons>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(make)}>
            Create key
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}

function NewSecret({
  project,
  disabledReason,
}: {
  readonly project: Project
  readonly disabledReason: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const [webhook, setWebhook] = useState<Webhook>()
  const submission = useSubmission()
  const make = async (): Promise<void> =>
    setWebhook(await client.regenerateWebhookSecret({ params: { id: project.id } }))
  const close = (): void => {
    setOpen(false)
    setWebhook(undefined)
  }
  return (
    <>
      <Button isSmall disabledReason={disabledReason} onClick={() => setOpen(true)}>
        New webhook secret…
      </Button>
      <Dialog title="Create a new webhook secret?" isOpen={isOpen} onClose={close} isWide>
        {webhook ? (
          <WebhookSecret webhook={webhook} />
        ) : (
          <Notice tone="calm">The current secret stays valid until the first delivery signed with the new one.</Notice>
        )}
        <FormError submission={submission} />
        <DialogButtons>
          <Button onClick={close}>{webhook ? 'Done' : 'Cancel'}</Button>
          {webhook ? undefined : (
            <Button variant="primary" isBusy={submission.isBusy} onClick={() => void submission.submit(make)}>
              Create secret
            </Button>
          )}
        </DialogButtons>
      </Dialog>
    </>
  )
}
