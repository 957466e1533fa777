// Finds a repository of a connection.
import type { ConnectedRepository, GitConnection } from '@shipway/api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { SearchField } from '../../components/search-field.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import styles from './new-project.module.css'
import { repositoriesQuery } from './repository-queries.ts'

type RepositoryChoiceProps = {
  readonly connection: GitConnection
  readonly onChoose: (repository: ConnectedRepository) => void
}

/** More are found by typing. */
const MOST_SHOWN = 12
const PAUSE_MS = 250

export function RepositoryChoice({ connection, onChoose }: RepositoryChoiceProps) {
  const [text, setText] = useState('')
  const search = useDeferredValue(usePaused(text.trim()))
  const { data, error, isPending, refetch } = useQuery({
    ...repositoriesQuery(connection.id, search),
    placeholderData: keepPreviousData,
  })
  const shown = data?.slice(0, MOST_SHOWN) ?? []
  return (
    <section className="stack" aria-label="Repositories">
      <SearchField label="Find a repository" placeholder="Find a repository" value={text} onChange={setText} />
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : undefined}
      {isPending ? <Loading what={`Asking ${connection.name}`} /> : undefined}
      <ul className={styles.repositories}>
        {shown.map((repository) => (
          <li key={repository.full_name}>
            <button type="button" onClick={() => onChoose(repository)}>
              <span className={styles.name}>{repository.full_name}</span>
              {repository.private ? (
                <span className="small quiet row">
                  <Lock size={12} strokeWidth={1.5} aria-hidden="true" />
                  Private
                </span>
              ) : undefined}
            </button>
          </li>
        ))}
      </ul>
      {data?.length === 0 ? <p className="small quiet">{nothingFound(connection, search)}</p> : undefined}
      {data && data.length > shown.length ? (
        <p className="small quiet">{`${shown.length} of ${data.length}${data.length === 200 ? ' or more' : ''}. Type to find others.`}</p>
      ) : undefined}
    </section>
  )
}

const nothingFound = ({ name }: GitConnection, search: string): string =>
  search === ''
    ? `${name} lists no repositories. Check which ones its token, or its App, may use.`
    : `${name} has no repository called ${search}, or the connection may not use it.`

/** The text, once typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
