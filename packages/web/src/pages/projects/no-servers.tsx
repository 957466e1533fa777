// Empty state of the new project page: a project needs a server.
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/states.tsx'

export function NoServers({ organizationId }: { readonly organizationId: number }) {
  return (
    <Empty
      title="Add a server first"
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
      Environments run on your own servers. Add one, run the setup command on it, then come back.
    </Empty>
  )
}
