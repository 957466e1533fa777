// The way to a GitHub App: begins at GitHub, and takes what GitHub sends back.
import type { AppSetup, GitConnection } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { AuthLayout, AuthSubmit, Fields } from './auth-layout.tsx'

export function GitHubAppPage() {
  const { connectionId: id } = useParams({ from: '/auth/connections/$connectionId/github-app' })
  const { isDone, error, isRequested } = useRedemption(id)
  const {
    data: connection,
    error: failure,
    refetch,
  } = useQuery({
    queryKey: ['github-app', id, isDone],
    queryFn: ({ signal }) => client.getConnection({ params: { id }, signal }),
    enabled: isDone,
  })
  return (
    <AuthLayout
      title="Connect GitHub"
      under={connection?.name}
      tagline="Choose a repository. The rest is done for you."
    >
      {error === undefined ? undefined : (
        <div role="alert">
          <Notice tone="bad">{error.message}</Notice>
        </div>
      )}
      {isRequested ? (
        <Notice>
          An owner of the organization at GitHub has to approve the App. It works here as soon as they do.
        </Notice>
      ) : undefined}
      {connection !== undefined ? (
        <NextStep key={connection.status} connection={connection} />
      ) : failure ? (
        <Failed error={failure} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={2} what="Asking GitHub" />
      )}
    </AuthLayout>
  )
}

function NextStep({ connection }: { readonly connection: GitConnection }) {
  const { app, status } = connection
  if (status === 'active') return <Installed connection={connection} />
  if (app === null) return <CreateApp connection={connection} />
  return status === 'failing' ? (
    <ReplaceApp connection={connection} reason={connection.status_reason} />
  ) : (
    <InstallApp connection={connection} />
  )
}

function CreateApp({ connection }: { readonly connection: GitConnection }) {
  const [account, setAccount] = useState('')
  const submission = useSubmission(['/account'])
  const given = account.trim()
  const begin = async () => goTo(await findNextStep(connection.id, given === '' ? {} : { account: given }))
  return (
    <Form label="Create the App" submission={submission} onSubmit={() => void submission.submit(begin)}>
      <p>
        GitHub makes an App that belongs to you. It may read code, and write checks, statuses, deployments and comments
        on pull requests.
      </p>
      <Fields>
        <TextField
          label="Organization at GitHub (optional)"
          hint={
            connection.account === null
              ? 'Left empty, the App belongs to your own account.'
              : `The App before was of ${connection.account}. Left empty, the App belongs to your own account.`
          }
          pointer="/account"
          submission={submission}
          autoComplete="off"
          spellCheck={false}
          value={account}
          onChange={({ target }) => setAccount(target.value)}
        />
      </Fields>
      <FormError submission={submission} />
      <AuthSubmit submission={submission}>Continue to GitHub</AuthSubmit>
    </Form>
  )
}

function InstallApp({ connection }: { readonly connection: GitConnection }) {
  const submission = useSubmission()
  const [lost, setLost] = useState<GitConnection>()
  const begin = async () => {
    const next = await findNextStep(connection.id, {})
    // Which account will own the new App has to be known first.
    if (next.step === 'create') setLost(await client.getConnection({ params: { id: connection.id } }))
    else goTo(next)
  }
  if (lost) return <ReplaceApp connection={connection} reason={lost.status_reason} />
  return (
    <Form label="Install the App" submission={submission} onSubmit={() => void submission.submit(begin)}>
      {connection.status_reason === null ? undefined : <Notice tone="bad">{connection.status_reason}</Notice>}
      <p>Install the App at GitHub, for all repositories or for some.</p>
      <FormError submission={submission} />
      <AuthSubmit submission={submission}>Install at GitHub</AuthSubmit>
    </Form>
  )
}

type ReplaceProps = { readonly connection: GitConnection; readonly reason: string | null }

/** GitHub knows the App or its key no more. If it takes the key again, the next step is another one. */
function ReplaceApp({ connection, reason }: ReplaceProps) {
  return (
    <>
      <div role="alert">
        <Notice tone="bad">{reason}</Notice>
      </div>
      <CreateApp connection={connection} />
    </>
  )
}

function Installed({ connection }: { readonly connection: GitConnection }) {
  const params = { organizationId: connection.organization_id }
  return (
    <>
      <p role="status">
        The App is installed for {connection.account}
        {connection.checked_at === null ? undefined : (
          <>
            , confirmed <RelativeTime at={connection.checked_at} />
          </>
        )}
        . New projects can choose a repository from this connection.
      </p>
      <Link className="link" to="/organizations/$organizationId/projects/new" params={params}>
        Create a project
      </Link>
      <Link className="link" to="/organizations/$organizationId/connections" params={params}>
        Connections
      </Link>
    </>
  )
}

const findNextStep = (id: number, body: { account?: string }): Promise<AppSetup> =>
  client.startAppSetup({ params: { id }, body })

function goTo({ step, url, manifest }: AppSetup): void {
  if (step === 'create' && manifest !== null && url !== null) postManifest(url, manifest)
  else location.assign(url ?? location.pathname)
}

/** A form, since GitHub takes the manifest from a browser that is signed in there. */
function postManifest(url: string, manifest: string): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url, hidden: true })
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'manifest', value: manifest }))
  document.body.append(form)
  form.submit()
}

type Redemption = { readonly isDone: boolean; readonly isRequested: boolean; readonly error: Error | undefined }

/** What GitHub sends back works once, so it is sent once, also under StrictMode. */
function useRedemption(id: number): Redemption {
  const { history } = useRouter()
  const [isRequested] = useState(() => new URLSearchParams(location.search).get('setup_action') === 'request')
  const [redemption] = useState(() => redeem(id, new URLSearchParams(location.search)))
  const [ended, setEnded] = useState<{ readonly error: Error | undefined }>()
  useEffect(() => {
    // Removes the code from the address and the history.
    history.replace(location.pathname)
    redemption.then(
      (next) => (next === undefined ? setEnded({ error: undefined }) : location.assign(next)),
      (problem: unknown) => setEnded({ error: problem instanceof Error ? problem : new Error(String(problem)) }),
    )
  }, [history, redemption])
  return { isDone: ended !== undefined, isRequested, error: ended?.error }
}

/** Where to go next, if that is elsewhere. */
async function redeem(id: number, query: URLSearchParams): Promise<string | undefined> {
  const [code, state, installation] = [query.get('code'), query.get('state'), query.get('installation_id')]
  if (code !== null && state !== null) {
    const { url } = await client.redeemAppCode({ params: { id }, body: { code, state } })
    return url ?? undefined
  }
  if (installation !== null && state !== null)
    await client.redeemAppInstallation({ params: { id }, body: { installation_id: Number(installation), state } })
  return undefined
}
