// The repository of a project with a connection: where it is, and whether the platform's key and webhook work there.
import { Link } from '@tanstack/react-router'
import { Section } from '../../../components/section.tsx'
import { Notice } from '../../../components/states.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { readsOverHttps } from '../../../text/connection.ts'
import { LastEvent } from '../last-event.tsx'
import type { SettingsProps } from './settings-props.ts'

export function ConnectedRepository({ project }: Pick<SettingsProps, 'project'>) {
  const access = project.repository_access
  const isOfApp = readsOverHttps(project)
  const params = { organizationId: project.organization_id }
  return (
    <Section
      title="Repository"
      about="It belongs to a connection of the organization. For another repository, create another project."
    >
      <div className="stack">
        <code>{project.repo_url}</code>
        {access?.reason == null ? undefined : <Notice tone="bad">{access.reason}</Notice>}
        {access === null ? undefined : (
          <p className="small quiet">
            {access.proven_at === null ? (
              `${isOfApp ? 'Access' : 'Deploy key and webhook'} not proven yet.`
            ) : (
              <>
                {isOfApp ? 'Access last proven' : 'Deploy key last proven, and webhook found at the git host,'}{' '}
                <RelativeTime at={access.proven_at} />.
              </>
            )}
          </p>
        )}
        <LastEvent project={project} />
        <div>
          <Link className="link small" to="/organizations/$organizationId/connections" params={params}>
            Connections
          </Link>
        </div>
      </div>
    </Section>
  )
}
