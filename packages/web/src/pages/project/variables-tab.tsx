// Variables of a project, inherited by all its environments.
import type { VariableChanges } from '@shipway/api'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { saveIfUnchanged, versionTag } from '../../components/variables/save-if-unchanged.ts'
import { VariablesEditor } from '../../components/variables/variables-editor.tsx'
import { client } from '../../data/client.ts'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { keys } from '../../data/keys.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { projectVariablesQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import styles from './variables-tab.module.css'

export function ProjectVariablesTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/variables' })
  const { me, organization, project } = useCurrentPage()
  const cache = useQueryClient()
  const { data, error, refetch } = useLiveQuery(projectVariablesQuery(projectId))
  if (data === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading variables" />
  }
  const save = async (changes: VariableChanges): Promise<readonly string[]> => {
    const request = { params: { id: projectId }, body: changes, ifMatch: versionTag(data.version) }
    const { unmasked_keys, ...variables } = await saveIfUnchanged(() => client.changeProjectVariables(request), refetch)
    cache.setQueryData(keys.projectVariables(projectId), variables)
    // Environments list inherited variables, too.
    void cache.invalidateQueries({ queryKey: ['variables'] })
    return unmasked_keys
  }
  const reason =
    project?.status === 'deleting'
      ? 'The project is being deleted'
      : missingPermission('administer', { me, organizationId: organization?.id })
  return (
    <>
      <p className={`small quiet ${styles.about}`}>
        All environments inherit these with their next deployment, unless they set the same key. Pull requests from
        forks inherit none.
      </p>
      {reason === undefined ? undefined : (
        <div className={styles.about}>
          <Notice tone="calm">{reason}.</Notice>
        </div>
      )}
      {/* Both recipes inherit them, so the keys reserved by either are refused; the manual recipe reserves the most. */}
      <VariablesEditor
        title="Project variables"
        variables={data.variables}
        recipe="manual"
        disabledReason={reason}
        onSave={save}
      />
    </>
  )
}
