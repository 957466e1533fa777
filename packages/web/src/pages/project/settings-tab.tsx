// Settings of a project, in sections that are saved separately.
import { useParams } from '@tanstack/react-router'
import { Loading } from '../../components/states.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { projectQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { AccessSettings } from './settings/access.tsx'
import { ChecksSettings } from './settings/checks.tsx'
import { ConnectedRepository } from './settings/connected-repository.tsx'
import { DeleteProject } from './settings/delete-project.tsx'
import { GeneralSettings } from './settings/general.tsx'
import { HooksSettings } from './settings/hooks/hooks-settings.tsx'
import { HostSettings } from './settings/host.tsx'
import { LifetimeSettings } from './settings/lifetime.tsx'
import { LimitSettings } from './settings/limit.tsx'
import { ManualRecipeSettings } from './settings/manual-recipe.tsx'
import { PullRequestSettings } from './settings/pull-requests.tsx'
import { RepositorySettings } from './settings/repository.tsx'
import { ServiceFileSettings } from './settings/service-file.tsx'
import { UploadSettings } from './settings/uploads.tsx'

export function ProjectSettingsTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/settings' })
  const { data: project } = useLiveQuery(projectQuery(projectId))
  const { me } = useCurrentPage()
  if (project === undefined) return <Loading what="Loading settings" />
  const isDeleting = project.status === 'deleting' ? 'The project is being deleted' : undefined
  const disabledReason = isDeleting ?? missingPermission('administer', { me, organizationId: project.organization_id })
  return (
    <>
      <GeneralSettings project={project} disabledReason={disabledReason} />
      <ManualRecipeSettings project={project} disabledReason={disabledReason} />
      {project.connection_id === null ? (
        <>
          <RepositorySettings project={project} disabledReason={disabledReason} />
          <HostSettings project={project} disabledReason={disabledReason} />
        </>
      ) : (
        <ConnectedRepository project={project} />
      )}
      <ServiceFileSettings project={project} disabledReason={disabledReason} />
      <ChecksSettings project={project} disabledReason={disabledReason} />
      <AccessSettings project={project} disabledReason={disabledReason} />
      <PullRequestSettings project={project} disabledReason={disabledReason} />
      <LifetimeSettings project={project} disabledReason={disabledReason} />
      <UploadSettings project={project} disabledReason={disabledReason} />
      <HooksSettings project={project} disabledReason={disabledReason} />
      <LimitSettings project={project} />
      <DeleteProject
        project={project}
        disabledReason={missingPermission('administer', { me, organizationId: project.organization_id })}
      />
    </>
  )
}
