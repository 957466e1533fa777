// Variables of an environment: custom, inherited and system variables.
import type { Environment, VariableChanges } from '@shipway/api'
import { useQueryClient } from '@tanstack/react-query'
import { Count } from '../../components/page.tsx'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { saveIfUnchanged, versionTag } from '../../components/variables/save-if-unchanged.ts'
import { VariablesEditor } from '../../components/variables/variables-editor.tsx'
import { client } from '../../data/client.ts'
import { whyNotChange } from '../../data/environment-reasons.ts'
import { keys } from '../../data/keys.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { variablesQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { ChangedNotice } from './changed-notice.tsx'
import styles from './overview.module.css'

export function EnvironmentVariablesTab() {
  const { environment } = useCurrentPage()
  return environment === undefined ? null : <OfEnvironment environment={environment} />
}

function OfEnvironment({ environment }: { readonly environment: Environment }) {
  const { me, organization, project } = useCurrentPage()
  const cache = useQueryClient()
  const { data, error, refetch } = useLiveQuery(variablesQuery(environment.id))
  if (data === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading variables" />
  }
  const save = async (changes: VariableChanges): Promise<readonly string[]> => {
    const request = { params: { id: environment.id }, body: changes, ifMatch: versionTag(data.version) }
    const { unmasked_keys, ...variables } = await saveIfUnchanged(() => client.changeVariables(request), refetch)
    cache.setQueryData(keys.variables(environment.id), variables)
    return unmasked_keys
  }
  return (
    <>
      <ChangedNotice environment={environment} />
      {environment.pull_request?.is_fork ? <OfFork /> : undefined}
      <VariablesEditor
        title="Custom variables"
        variables={data.variables}
        recipe={environment.effective_recipe}
        disabledReason={whyNotChange({ me, organizationId: organization?.id, environment, project })}
        onSave={save}
      >
        <System names={data.system_keys} />
      </VariablesEditor>
    </>
  )
}

function OfFork() {
  return (
    <div className={styles.notice}>
      <Notice tone="calm">
        <b>This pull request comes from a fork.</b> It inherits no variables of the project. Its code can read what you
        set here.
      </Notice>
    </div>
  )
}

function System({ names }: { readonly names: readonly string[] }) {
  return (
    <section className="section" aria-labelledby="system-variables">
      <div className="wrapped">
        <h2 id="system-variables">
          System variables <Count>{names.length}</Count>
        </h2>
        <span className="tiny faint">Set by the platform at each deployment</span>
      </div>
      <ul className={styles.system}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
