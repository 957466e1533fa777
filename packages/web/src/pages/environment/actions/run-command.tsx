// Form for a one-off command, and the latest ones.
import type { Environment } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Choice, Form, FormError, TextField } from '../../../components/form.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { whyNotRunCommand } from '../../../data/environment-reasons.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { commandRunsQuery, servicesQuery } from '../../../data/queries.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import overview from '../overview.module.css'
import styles from './actions.module.css'
import { RunList } from './run-list.tsx'

export function RunCommand({ environment }: { readonly environment: Environment }) {
  const { data: runs = [] } = useLiveQuery(commandRunsQuery(environment.id))
  return (
    <>
      <section className="section" aria-labelledby="command">
        <h2 id="command">Run a command</h2>
        <p className={`small quiet ${styles.explanation}`}>
          {runsOnServer(environment)
            ? 'Runs on the server, in the folder of the release that serves, with the current variables.'
            : 'Runs in a new container like that of a service, with its variables, networks and volumes. The container is gone afterwards.'}{' '}
          The audit log keeps the command.
        </p>
        <CommandForm environment={environment} />
      </section>
      {runs.length > 0 ? (
        <section className="section" aria-labelledby="commands">
          <div className={overview.heading}>
            <h2 id="commands">Latest commands</h2>
            <Link
              className="link small"
              to="/environments/$environmentId/deployments"
              params={{ environmentId: environment.id }}
              search={{ kind: 'run' }}
            >
              All commands
            </Link>
          </div>
          <RunList runs={runs} />
        </section>
      ) : undefined}
    </>
  )
}

function CommandForm({ environment }: { readonly environment: Environment }) {
  const { me, organization, project } = useCurrentPage()
  const { data: services = [] } = useLiveQuery(servicesQuery(environment.id))
  const [command, setCommand] = useState('')
  const [service, setService] = useState('')
  const submission = useSubmission(['/command', '/service'])
  const navigate = useNavigate()
  const disabledReason = whyNotRunCommand({ me, organizationId: organization?.id, environment, project })
  const run = async (): Promise<void> => {
    const body = { command, ...(service !== '' && { service }) }
    const { id } = await client.startRun({ params: { id: environment.id }, body })
    const params = { environmentId: environment.id, taskId: id }
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
  }
  const canSubmit = command.trim() !== '' && disabledReason === undefined
  return (
    <Form label="Run a command" submission={submission} onSubmit={() => canSubmit && void submission.submit(run)}>
      <div className={runsOnServer(environment) ? undefined : styles.command}>
        {runsOnServer(environment) ? undefined : (
          <Choice
            label="Service"
            pointer="/service"
            submission={submission}
            value={service}
            onChange={({ target }) => setService(target.value)}
          >
            <option value="">Main service</option>
            {services.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <TextField
          label="Command"
          hint={`Read by a shell ${runsOnServer(environment) ? 'on the server' : 'in the container'}, such as npm run migrate`}
          pointer="/command"
          submission={submission}
          isMono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={command}
          onChange={({ target }) => setCommand(target.value)}
        />
      </div>
      <FormError submission={submission} />
      <div>
        <Button
          type="submit"
          isBusy={submission.isBusy}
          disabledReason={disabledReason}
          waitsFor={command.trim() === '' ? 'Enter a command first' : undefined}
        >
          Run command
        </Button>
      </div>
    </Form>
  )
}

/** Without containers, commands run on the server itself. */
const runsOnServer = ({ effective_recipe }: Environment): boolean => !runsContainers[effective_recipe]
