// Lets an owner allow the manual recipe in a project.
import type { Project } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { Pending } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { healthQuery } from '../../servers/health.ts'
import type { SettingsProps } from './settings-props.ts'

const ABOUT =
  'The manual recipe runs commands from the repository on the server. Everyone who can push to a deployed branch, or choose the ' +
  'branch of an environment, can run commands there.'

export function ManualRecipeSettings({ project, disabledReason }: SettingsProps) {
  const { me } = useCurrentPage()
  const submission = useSubmission()
  const { fields, isChanged, set, reset } = useDraft(fieldsOf(project))
  const save = async (): Promise<void> => {
    const body = { manual_recipe: fields.isAllowed ? 'allowed' : 'off' } as const
    await client.updateProject({ params: { id: project.id }, body })
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Manual recipe"
      about={ABOUT}
      submission={submission}
      isChanged={isChanged}
      disabledReason={
        disabledReason ?? missingPermission('allow_manual_recipe', { me, organizationId: project.organization_id })
      }
      onSave={() => void submission.submit(save)}
    >
      <Checkbox
        label="Allow the manual recipe"
        hint="Administrators can then choose it for the project and its environments"
        checked={fields.isAllowed}
        onChange={({ target }) => set('isAllowed', target.checked)}
      />
      <ul className="small quiet">
        {project.servers.map((server) => (
          <ServerUsers key={server.id} {...server} />
        ))}
      </ul>
    </SavedSection>
  )
}

/** User that commands run as, by the server's last check. */
function ServerUsers({ id, name }: Project['servers'][number]) {
  const { data: health } = useQuery(healthQuery(id))
  if (health === undefined) {
    return (
      <li>
        {name}: <Pending what="Loading the last check" />
      </li>
    )
  }
  const check = health.checks.find((one) => one.name === 'command_users')
  return (
    <li>
      {name}: {check?.message ?? 'check the server to see which user commands run as'}.
    </li>
  )
}

const fieldsOf = (project: Project) => ({ isAllowed: project.manual_recipe === 'allowed' })
