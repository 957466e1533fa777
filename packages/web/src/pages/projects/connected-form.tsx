// A project of a repository that a connection finds: everything is proposed, and Deploy leads to the first deployment.
import {
  type ConnectedRepository,
  defaultDomain,
  environmentNameOf,
  type GitConnection,
  type NewProjectBody,
  type RepositoryReading,
  type Server,
} from '@shipway/api'
import { canDeploySuggestion } from '@shipway/api/values/recipe-facts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice, Form, FormButtons, FormError, TextField } from '../../components/form.tsx'
import { ServerChoice } from '../../components/server-choice.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { projectsQuery } from '../../data/queries.ts'
import { whyNotFirstRecipe } from '../../data/recipe-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { nameOfRepository } from '../../text/repository-name.ts'
import styles from './new-project.module.css'
import { countFaults, Reading } from './reading.tsx'
import { RepositoryChoice } from './repository-choice.tsx'
import { readingQuery } from './repository-queries.ts'
import { useNewProject } from './use-new-project.ts'

const POINTERS = [
  '/repository',
  '/name',
  '/domain',
  '/server_ids',
  '/default_branch',
  '/default_recipe',
  '/service_file',
]

type ConnectedFormProps = {
  readonly organizationId: number
  readonly connection: GitConnection
  readonly servers: readonly Server[]
}

export function ConnectedForm(props: ConnectedFormProps) {
  const [repository, setRepository] = useState<ConnectedRepository>()
  if (!repository) return <RepositoryChoice connection={props.connection} onChoose={setRepository} />
  return <RepositoryForm {...props} repository={repository} onChange={() => setRepository(undefined)} />
}

type RepositoryFormProps = ConnectedFormProps & {
  readonly repository: ConnectedRepository
  readonly onChange: () => void
}

function RepositoryForm({ organizationId, connection, servers, repository, onChange }: RepositoryFormProps) {
  const { me } = useCurrentPage()
  const { data: projects } = useLiveQuery(projectsQuery(organizationId))
  const [branch, setBranch] = useState(repository.default_branch ?? 'main')
  const [name, setName] = useState(nameOfRepository(repository.full_name))
  const [typedDomain, setDomain] = useState<string>()
  const [chosen, setChosen] = useState<readonly number[]>()
  const [typedFile, setFile] = useState<string>()
  const reading = useQuery(readingQuery(connection.id, repository.full_name, branch))
  const submission = useSubmission(POINTERS)
  const navigate = useNavigate()
  const serverIds = chosen ?? servers.map(({ id }) => id)
  const known = {
    projectDomains: projects?.map(({ domain }) => domain) ?? [],
    hostnames: servers.map(({ hostname }) => hostname),
  }
  const domain = typedDomain ?? defaultDomain({ name, ...known })
  const file = typedFile ?? reading.data?.content ?? ''
  const whyNotFile = whyNotDeploy(reading.data, { branch, file })
  const keptFile = reading.data?.service_file === 'missing' && whyNotFile === undefined ? file : undefined
  const recipe = reading.data && (reading.data.service_file === 'present' || keptFile) ? reading.data.recipe : 'docker'
  const body: NewProjectBody = {
    name,
    connection_id: connection.id,
    repository: repository.full_name,
    domain: domain.trim(),
    server_ids: [...serverIds],
    default_branch: branch,
    default_recipe: recipe,
    organization_id: organizationId,
    ...(keptFile !== undefined && { service_file: keptFile }),
  }
  const { createProject, createEnvironment } = useNewProject({ organizationId, branch, body })
  const deploy = async (): Promise<void> => {
    const environmentId = await createEnvironment()
    const task = await client.startDeployment({ params: { id: environmentId } })
    await navigate({
      to: '/environments/$environmentId/tasks/$taskId',
      params: { environmentId, taskId: task.id },
    })
  }
  const createOnly = async (): Promise<void> => {
    await navigate({ to: '/projects/$projectId/connect', params: { projectId: await createProject() } })
  }
  const reason = whyNotFile ?? whyNotFirstRecipe({ me, organizationId }, recipe) ?? undefined
  return (
    <Form submission={submission} onSubmit={() => void submission.submit(deploy)} label="New project">
      <div className={styles.chosen}>
        <span className={styles.name}>{repository.full_name}</span>
        <Button isSmall onClick={onChange}>
          Change
        </Button>
      </div>
      <Choice
        label="Branch"
        pointer="/default_branch"
        submission={submission}
        value={branch}
        onChange={({ target }) => {
          setBranch(target.value)
          setFile(undefined)
        }}
      >
        {[...new Set([branch, ...(reading.data?.branches ?? [])])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Choice>
      {reading.isPending ? <Loading what="Reading the repository" rows={3} /> : undefined}
      {reading.error ? <Failed error={reading.error} onRetry={() => void reading.refetch()} /> : undefined}
      {reading.data ? (
        <Reading
          reading={reading.data}
          branch={branch}
          file={file}
          onChange={setFile}
          submission={submission}
          isReading={reading.isFetching}
          onReadAgain={() => void reading.refetch()}
        />
      ) : undefined}
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Domain"
        hint={`Environments get addresses such as ${environmentNameOf(branch)}.${domain === '' ? 'your-domain' : domain}. Point *.${domain === '' ? 'your-domain' : domain} to the servers.`}
        pointer="/domain"
        submission={submission}
        value={domain}
        onChange={({ target }) => setDomain(target.value)}
      />
      <ServerChoice servers={servers} chosen={serverIds} onChoose={setChosen} />
      <FormError submission={submission} />
      <FormButtons>
        <Button type="submit" variant="primary" isBusy={submission.isBusy} waitsFor={reason}>
          Deploy
        </Button>
        <Button isBusy={submission.isBusy} onClick={() => void submission.submit(createOnly)}>
          Create without deploying
        </Button>
      </FormButtons>
      {reason === undefined ? undefined : <p className="small quiet">{reason}</p>}
    </Form>
  )
}

type WantedFile = { readonly branch: string; readonly file: string }

/** The check is of the file of the repository, or of the proposed one; a changed one is checked when the project is created. */
function whyNotDeploy(reading: RepositoryReading | undefined, { branch, file }: WantedFile): string | undefined {
  if (!reading) return 'Wait until the repository was read'
  const isMissing = reading.service_file === 'missing'
  if (isMissing && file.trim() === '') return `Write a .service.yml, or add one to ${branch} and look again`
  if (isMissing && file !== reading.content) return undefined
  if (isMissing && !canDeploySuggestion[reading.recipe])
    return `Say in .service.yml what to deploy, or add the file to ${branch} and look again`
  return countFaults(reading) === 0 ? undefined : 'Fix the problems above first, then look again'
}
