// Records that the current page is about, taken from its address.
import type { Environment, Me, Project } from '@shipway/api'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLiveQuery } from '../data/live-query.ts'
import { environmentQuery, meQuery, projectQuery } from '../data/queries.ts'
import { keepOrganization, lastOrganization } from './last-organization.ts'

export type CurrentPage = {
  readonly me: Me
  readonly organization: Me['organizations'][number] | undefined
  readonly project: Project | undefined
  readonly environment: Environment | undefined
  readonly taskId: number | undefined
}

export function useCurrentPage(): CurrentPage {
  const { organizationId, projectId, environmentId, taskId } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: environment } = useLiveQuery(environmentQuery(environmentId ?? 0), {
    isEnabled: environmentId !== undefined,
  })
  const inProject = projectId ?? environment?.project_id
  const { data: project } = useLiveQuery(projectQuery(inProject ?? 0), { isEnabled: inProject !== undefined })
  const inOrganization = organizationId ?? project?.organization_id ?? lastOrganization()
  const organization = me.organizations.find(({ id }) => id === inOrganization) ?? me.organizations[0]
  useEffect(() => {
    if (organization !== undefined) keepOrganization(organization.id)
  }, [organization])
  return {
    me,
    organization,
    project: inProject === undefined ? undefined : project,
    environment: environmentId === undefined ? undefined : environment,
    taskId,
  }
}
