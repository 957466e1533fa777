// How many containers the services of an environment on a Docker Swarm have.
import type { Scale } from '@shipway/api'
import { canScale } from '@shipway/api/values/runtime-facts'
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { scaleQuery, serversQuery } from '../../../data/queries.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import styles from './settings.module.css'
import { type SettingsContext, whyBusy } from './settings-context.ts'

const ABOUT = 'How many containers each service has. Takes effect at once, without a deployment, and stays.'

export function ScaleSection({ context }: { readonly context: SettingsContext }) {
  const { environment, project, lock } = context
  const { data: servers } = useLiveQuery(serversQuery(project?.organization_id ?? 0), {
    isEnabled: project !== undefined,
  })
  const isScalable = servers?.some(({ id, runtime }) => id === environment.server.id && canScale[runtime]) ?? false
  const { data: scale } = useLiveQuery(scaleQuery(environment.id), { isEnabled: isScalable })
  if (!isScalable || scale === undefined || scale.services.length === 0) return null
  const because = lock ?? whyBusy(environment)
  return (
    <Section title="Containers" about={ABOUT}>
      {because === undefined ? (
        <ScaleForm scale={scale} />
      ) : (
        scale.services.map(({ name, replicas }) => (
          <Locked key={name} label={name} because={lock === undefined ? because : undefined}>
            {replicas ?? FROM_FILE}
          </Locked>
        ))
      )}
    </Section>
  )
}

const FROM_FILE = 'As the compose file says'

function ScaleForm({ scale: { environment_id: id, services } }: { readonly scale: Scale }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const submission = useSubmission([])
  const changed = services.filter(({ name, replicas }) => (texts[name] ?? textOf(replicas)) !== textOf(replicas))
  const isValid = changed.every(({ name }) => /^([1-9][0-9]?|100)?$/.test(texts[name] ?? ''))
  const save = async (): Promise<void> => {
    const chosen = changed.map(({ name }) => [name, texts[name] ? Number(texts[name]) : null] as const)
    cache.setQueryData(
      keys.scale(id),
      await client.updateScale({ params: { id }, body: { services: Object.fromEntries(chosen) } }),
    )
    setTexts({})
  }
  return (
    <SavedForm
      label="Containers"
      submission={submission}
      isChanged={changed.length > 0}
      waitsFor={isValid ? undefined : 'Enter numbers from 1 to 100'}
      onSave={() => void submission.submit(save)}
      onUndo={() => setTexts({})}
    >
      <div className={styles.pair}>
        {services.map(({ name, replicas }) => (
          <TextField
            key={name}
            label={name}
            hint={replicas === null ? FROM_FILE : 'Empty: the number of the compose file, with the next deployment'}
            pointer={`/services/${name}`}
            submission={submission}
            inputMode="numeric"
            value={texts[name] ?? textOf(replicas)}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value.trim() })}
          />
        ))}
      </div>
    </SavedForm>
  )
}

const textOf = (replicas: number | null): string => String(replicas ?? '')
