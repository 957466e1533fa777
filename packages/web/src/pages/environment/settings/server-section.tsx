// Server and domain of an environment.
import type { Environment } from '@shipway/api'
import { Choice, TextField } from '../../../components/form.tsx'
import { Notice } from '../../../components/states.tsx'
import { Locked, SavedForm, Section } from './section.tsx'
import { type SettingsContext, whyBusy, whyKept } from './settings-context.ts'
import { useSettings } from './use-settings.ts'

export function ServerSection({ context }: { readonly context: SettingsContext }) {
  const { environment, project, lock } = context
  const { draft, touch, submission, form } = useSettings(environment, ['/server_id', '/domain'])
  const { server, domain } = environment
  const servers = project?.servers ?? [server]
  const fieldReason = whyKept(environment) ?? whyBusy(environment)
  const chosen = servers.find(({ id }) => id === draft.server_id)
  const about = 'The server that runs this environment, and its address.'
  if (lock !== undefined || fieldReason !== undefined) {
    const because = lock === undefined ? fieldReason : undefined
    return (
      <Section title="Server and domain" about={about}>
        <Locked label="Server" because={because}>
          {server.name}
        </Locked>
        <Locked label="Domain" because={because}>
          {domain}
        </Locked>
      </Section>
    )
  }
  return (
    <Section title="Server and domain" about={about}>
      <SavedForm label="Server and domain" {...form}>
        {servers.length > 1 ? (
          <Choice
            label="Server"
            pointer="/server_id"
            submission={submission}
            value={draft.server_id ?? server.id}
            onChange={({ target }) => touch({ server_id: Number(target.value) })}
          >
            {servers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        ) : (
          <Locked label="Server" because="The project has no other server">
            {server.name}
          </Locked>
        )}
        {chosen && chosen.id !== server.id ? <Moving environment={environment} to={chosen.name} /> : undefined}
        <TextField
          label="Domain"
          hint={domainHint(project?.domain, project?.custom_domains ?? [])}
          pointer="/domain"
          submission={submission}
          isMono
          spellCheck={false}
          autoCapitalize="off"
          value={draft.domain ?? domain}
          onChange={({ target }) => touch({ domain: target.value })}
        />
      </SavedForm>
    </Section>
  )
}

function Moving({ environment, to }: { readonly environment: Environment; readonly to: string }) {
  const from = environment.server.name
  return (
    <Notice>
      <b>
        Moves from {from} to {to} with the next deployment.
      </b>{' '}
      {from} keeps serving until then. Volumes are not copied: their data stays on {from} until the environment is
      deleted or reset.
    </Notice>
  )
}

function domainHint(base: string | undefined, custom: readonly string[]): string {
  if (base === undefined) return 'Loading the domains of the project'
  const others = custom.length === 0 ? '' : `, or under ${custom.join(', ')}`
  return `Under ${base}${others}. A change takes effect at once: the old address stops answering`
}
