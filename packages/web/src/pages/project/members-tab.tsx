// Members who can see this project, and their roles.
import { Link, useParams } from '@tanstack/react-router'
import list from '../../components/list.module.css'
import { Tag } from '../../components/page.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { membersQuery, projectQuery } from '../../data/queries.ts'
import styles from './members.module.css'

const PERMISSIONS = {
  viewer: 'looks',
  member: 'deploys, changes environments and their variables',
  admin: 'also manages projects, servers and members, and approves forks',
  owner: 'can do everything, including granting capabilities and transferring ownership',
} as const

export function MembersTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/members' })
  const { data: project } = useLiveQuery(projectQuery(projectId))
  const organizationId = project?.organization_id
  const {
    data: members,
    error,
    refetch,
  } = useLiveQuery(membersQuery(organizationId ?? 0), {
    isEnabled: organizationId !== undefined,
  })
  if (members === undefined || project === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading members" />
  }
  return (
    <>
      <p className="quiet small">
        All members of the organization can see this project. Manage roles{' '}
        <Link
          className="link"
          to="/organizations/$organizationId/members"
          params={{ organizationId: project.organization_id }}
        >
          in the organization
        </Link>
        .
      </p>
      <ul className={`${list.list} ${list.still} ${styles.list}`}>
        {members.map(({ user, role }) => (
          <li key={user.id}>
            <div className={list.line}>
              <div className="row">
                <span className="cut strong" title={user.email}>
                  {user.name}
                </span>
                {user.id === project.owner.id ? <Tag>owns this project</Tag> : undefined}
              </div>
              <div>{role}</div>
              <div className="small quiet">{PERMISSIONS[role]}</div>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
