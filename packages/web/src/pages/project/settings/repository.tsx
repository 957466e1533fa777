// Where the code comes from, and the two secrets that connect it: the key that reads it, the secret that signs its news.
import type { Project, Webhook } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActs } from '../../../components/dialog.tsx'
import { Choice, FormFault, TextField } from '../../../components/form.tsx'
import { SavedSection, Section } from '../../../components/section.tsx'
import { Snippet } from '../../../components/snippet.tsx'
import { Notice } from '../../../components/states.tsx'
import { tell } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSending } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { HOST_NAMES, hostOf } from '../../../text/host.ts'
import type { SettingsProps } from './settings-props.ts'
import { WebhookSecret } from './webhook-secret.tsx'

export function RepositorySettings({ project, lockedBecause }: SettingsProps) {
  const sending = useSending(['/repo_url', '/repository_host'])
  const draft = useDraft({ repo_url: project.repo_url, repository_host: project.repository_host })
  const [webhook, setWebhook] = useState<Webhook>()
  const save = async (): Promise<void> => {
    const answer = await client.updateProject({ params: { id: project.id }, body: draft.changes })
    draft.reset()
    setWebhook(answer.webhook)
    tell('Saved')
  }
  return (
    <>
      <SavedSection
        title="Repository"
        about="Another git host gets a new key and a new secret, so that nothing the old one knew works there."
        sending={sending}
        isChanged={draft.isChanged}
        lockedBecause={lockedBecause}
        onSave={() => void sending.send(save)}
      >
        <TextField
          label="Address"
          pointer="/repo_url"
          sending={sending}
          isMono
          value={draft.fields.repo_url}
          onChange={({ target }) => draft.set('repo_url', target.value)}
        />
        <Choice
          label="Git host"
          pointer="/repository_host"
          sending={sending}
          value={draft.fields.repository_host}
          onChange={({ target }) => draft.set('repository_host', hostOf(target.value))}
        >
          {Object.entries(HOST_NAMES).map(([host, name]) => (
            <option key={host} value={host}>
              {name}
            </option>
          ))}
        </Choice>
        {webhook ? <WebhookSecret webhook={webhook} /> : undefined}
      </SavedSection>
      <Section title="Key and secret" about="The key only reads. The secret signs what the git host tells.">
        <div className="stack">
          <Snippet label="the repository key" text={project.repository_key} />
          <div className="wrapped">
            <NewKey project={project} lockedBecause={lockedBecause} />
            <NewSecret project={project} lockedBecause={lockedBecause} />
          </div>
        </div>
      </Section>
    </>
  )
}

function NewKey({ project, lockedBecause }: SettingsProps) {
  const [isOpen, setOpen] = useState(false)
  const sending = useSending()
  const make = async (): Promise<void> => {
    await client.regenerateRepositoryKey({ params: { id: project.id } })
    setOpen(false)
    tell('The new key is shown above. Add it to the git host')
  }
  return (
    <>
      <Button isSmall lockedBecause={lockedBecause} onClick={() => setOpen(true)}>
        New repository key…
      </Button>
      <Dialog title="Make a new repository key?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="quiet">
          The present key stops to work at once. Until you have added the new one to the git host, deployments fail when
          they fetch the source; what serves goes on serving.
        </p>
        <FormFault sending={sending} />
        <DialogActs>
          <Button onClick={() => setOpen(false)}>Keep the key</Button>
          <Button look="danger" isBusy={sending.isBusy} onClick={() => void sending.send(make)}>
            Make a new key
          </Button>
        </DialogActs>
      </Dialog>
    </>
  )
}

function NewSecret({
  project,
  lockedBecause,
}: {
  readonly project: Project
  readonly lockedBecause: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const [webhook, setWebhook] = useState<Webhook>()
  const sending = useSending()
  const make = async (): Promise<void> =>
    setWebhook(await client.regenerateWebhookSecret({ params: { id: project.id } }))
  const close = (): void => {
    setOpen(false)
    setWebhook(undefined)
  }
  return (
    <>
      <Button isSmall lockedBecause={lockedBecause} onClick={() => setOpen(true)}>
        New webhook secret…
      </Button>
      <Dialog title="Make a new webhook secret?" isOpen={isOpen} onClose={close} isWide>
        {webhook ? (
          <WebhookSecret webhook={webhook} />
        ) : (
          <Notice tone="calm">
            The present secret stays valid until the first delivery that is signed with the new one.
          </Notice>
        )}
        <FormFault sending={sending} />
        <DialogActs>
          <Button onClick={close}>{webhook ? 'Done' : 'Cancel'}</Button>
          {webhook ? undefined : (
            <Button look="primary" isBusy={sending.isBusy} onClick={() => void sending.send(make)}>
              Make a new secret
            </Button>
          )}
        </DialogActs>
      </Dialog>
    </>
  )
}
