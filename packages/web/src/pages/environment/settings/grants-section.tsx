// Capabilities that an owner grants an environment beyond the compose policy.
import type { Capability, Grant } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Checkbox } from '../../../components/form.tsx'
import { Failed, Loading } from '../../../components/states.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { SavedForm, Section } from './section.tsx'
import styles from './settings.module.css'
import { type SettingsContext, whyNotOwner } from './settings-context.ts'

const ABOUT =
  'Exceptions from the compose policy, from the next deployment on. Each gives the code of this environment more power over the server: ' +
  'everyone who can push to its branch can use it.'

export function GrantsSection({ context }: { readonly context: SettingsContext }) {
  const { id, pull_request, effective_recipe: recipe } = context.environment
  const { data, error, refetch } = useQuery({
    queryKey: keys.grants(id),
    queryFn: ({ signal }) => client.listGrants({ params: { id }, signal }),
  })
  const lock = pull_request?.is_fork ? 'Pull requests from forks cannot have grants' : whyNotOwner(context)
  return (
    <Section
      title="Grants"
      about={runsContainers[recipe] ? ABOUT : `${ABOUT} The manual recipe has no compose file, so they have no effect.`}
    >
      {data === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="Loading grants" />
        )
      ) : (
        <Grants environmentId={id} grants={data} disabledReason={lock} />
      )}
    </Section>
  )
}

type GrantsProps = {
  readonly environmentId: number
  readonly grants: readonly Grant[]
  readonly disabledReason: string | undefined
}

function Grants({ environmentId, grants, disabledReason }: GrantsProps) {
  const [touched, setTouched] = useState<ReadonlyMap<Capability, boolean>>(new Map())
  const submission = useSubmission()
  const cache = useQueryClient()
  const isGranted = ({ capability, granted }: Grant): boolean => touched.get(capability) ?? granted
  const onSave = async (): Promise<void> => {
    const capabilities = grants.filter(isGranted).map(({ capability }) => capability)
    const saved = await client.changeGrants({ params: { id: environmentId }, body: { capabilities } })
    cache.setQueryData(keys.grants(environmentId), saved)
    setTouched(new Map())
    showToast('Saved')
  }
  const granted = grants.filter(isGranted).map(({ capability }) => capability)
  const list = (
    <details className={styles.details}>
      <summary>{granted.length === 0 ? `None of ${grants.length} granted` : `Granted: ${granted.join(', ')}`}</summary>
      <div className={styles.grants}>
        {grants.map((grant) => (
          <Checkbox
            key={grant.capability}
            label={<code>{grant.capability}</code>}
            hint={<About grant={grant} />}
            disabled={disabledReason !== undefined}
            checked={isGranted(grant)}
            onChange={({ target }) => setTouched(new Map(touched).set(grant.capability, target.checked))}
          />
        ))}
      </div>
    </details>
  )
  if (disabledReason !== undefined) {
    return (
      <>
        <p className="small quiet">{disabledReason}.</p>
        {list}
      </>
    )
  }
  return (
    <SavedForm
      label="Grants"
      submission={submission}
      isChanged={grants.some((grant) => isGranted(grant) !== grant.granted)}
      onSave={() => void submission.submit(onSave)}
      onUndo={() => setTouched(new Map())}
    >
      {list}
    </SavedForm>
  )
}

function About({ grant: { description, granted_by, granted_at } }: { readonly grant: Grant }) {
  return (
    <>
      {description}
      {granted_by && granted_at ? (
        <>
          {' '}
          · granted by {granted_by.name} <RelativeTime at={granted_at} />
        </>
      ) : undefined}
    </>
  )
}
