// Empty state of the new project page: a project needs a server.
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/states.tsx'

export function NoServers({ organizationId }: { readonly organizationId: number }) {
  return (
    <Empty
      title="A server first"
      action={
        <Link
          className={buttonClass({ variant: 'primary' })}
          to="/organizations/$organizationId/servers"
          params={{ organizationId }}
        >
          Add a server
        </Link>
      }
    >
      Environments run on your own machines. Add one, run one line on it, and come back.
    </Empty>
  )
}
