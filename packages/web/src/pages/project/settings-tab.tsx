// The settings of a project, in parts that are saved one by one.
import { useParams } from '@tanstack/react-router'
import { Loading } from '../../components/states.tsx'
import { needs } from '../../data/disabled-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { projectQuery } from '../../data/queries.ts'
import { useHere } from '../../layout/current-page.ts'
import { AccessSettings } from './settings/access.tsx'
import { DeleteProject } from './settings/delete-project.tsx'
import { GeneralSettings } from './settings/general.tsx'
import { HooksSettings } from './settings/hooks/hooks-settings.tsx'
import { HostSettings } from './settings/host.tsx'
import { LifetimeSettings } from './settings/lifetime.tsx'
import { LimitSettings } from './settings/limit.tsx'
import { ManualRecipeSettings } from './settings/manual-recipe.tsx'
import { RepositorySettings } from './settings/repository.tsx'

export function ProjectSettingsTab() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/settings' })
  const { data: project } = useTold(projectQuery(projectId))
  const { me } = useHere()
  if (project === undefined) return <Loading what="The settings are loading" />
  const isDeleting = project.status === 'deleting' ? 'The project is being deleted' : undefined
  const lockedBecause = isDeleting ?? needs('admin', { me, organizationId: project.organization_id })
  return (
    <>
      <GeneralSettings project={project} lockedBecause={lockedBecause} />
      <ManualRecipeSettings project={project} lockedBecause={lockedBecause} />
      <RepositorySettings project={project} lockedBecause={lockedBecause} />
      <HostSettings project={project} lockedBecause={lockedBecause} />
      <AccessSettings project={project} lockedBecause={lockedBecause} />
      <LifetimeSettings project={project} lockedBecause={lockedBecause} />
      <HooksSettings project={project} lockedBecause={lockedBecause} />
      <LimitSettings project={project} />
      <DeleteProject
        project={project}
        lockedBecause={needs('admin', { me, organizationId: project.organization_id })}
      />
    </>
  )
}
