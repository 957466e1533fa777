// Deliveries of GitHub about an App: it was installed, suspended or removed, its account was renamed, or repositories came, went or moved.
import { RepositoryName } from '@shipway/api/connections'
import type { AppEvent } from '../../domain/repository/app-event.ts'
import { fieldOf, numericIdOf, textOf } from '../../domain/repository/reported-values.ts'
import { readAction, readWord } from './payload.ts'
import { Unused } from './webhook-dialect.ts'

/** Undefined for an event that is not about an App. */
export function appEventOf(event: string, payload: unknown): AppEvent | undefined {
  return Object.hasOwn(READERS, event) ? READERS[event]?.(payload) : undefined
}

const READERS: Readonly<Record<string, (payload: unknown) => AppEvent>> = {
  installation: (payload) => ({
    kind: 'installation',
    action: readAction(INSTALLATION_ACTIONS, actionOf(payload)),
    installationId: readInstallationId(payload),
    account: textOf(readWord(fieldOf(payload, 'installation', 'account', 'login'))),
  }),
  installation_target: (payload) => ({
    kind: readAction(TARGET_ACTIONS, actionOf(payload)),
    account: textOf(readWord(fieldOf(payload, 'account', 'login'))),
  }),
  installation_repositories: (payload) => ({
    kind: 'repositories',
    added: idsOf(fieldOf(payload, 'repositories_added')),
    removed: idsOf(fieldOf(payload, 'repositories_removed')),
  }),
  repository: (payload) => {
    const repositoryId = numericIdOf(fieldOf(payload, 'repository', 'id'))
    if (repositoryId === undefined) throw new Unused('incomplete_payload')
    const action = readAction(REPOSITORY_ACTIONS, actionOf(payload))
    if (action === 'deleted') return { kind: 'deleted', repositoryId }
    const fullName = RepositoryName.safeParse(fieldOf(payload, 'repository', 'full_name'))
    if (!fullName.success) throw new Unused('incomplete_payload')
    return { kind: 'moved', repositoryId, fullName: fullName.data }
  },
}

/** Accepted permissions can only make more possible. */
const INSTALLATION_ACTIONS = {
  created: 'installed',
  unsuspend: 'installed',
  new_permissions_accepted: 'installed',
  suspend: 'suspended',
  deleted: 'removed',
} as const

const TARGET_ACTIONS = { renamed: 'renamed' } as const

const REPOSITORY_ACTIONS = { renamed: 'moved', transferred: 'moved', deleted: 'deleted' } as const

const actionOf = (payload: unknown): string => readWord(fieldOf(payload, 'action'))

function readInstallationId(payload: unknown): number {
  const id = installationIdOf(payload)
  if (id === null) throw new Unused('incomplete_payload')
  return id
}

/** Null where the payload names none. */
export function installationIdOf(payload: unknown): number | null {
  const id = fieldOf(payload, 'installation', 'id')
  return Number.isSafeInteger(id) ? Number(id) : null
}

const idsOf = (repositories: unknown): readonly string[] =>
  Array.isArray(repositories) ? repositories.flatMap((each) => numericIdOf(fieldOf(each, 'id')) ?? []) : []
