// When the git host last sent an event: a webhook that it lists does not show yet that its events arrive.
import type { Project } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../components/time.tsx'
import { deliveriesQuery } from '../../data/queries.ts'

export function LastEvent({ project }: { readonly project: Pick<Project, 'id'> }) {
  const { data } = useInfiniteQuery(deliveriesQuery(project.id))
  const [newest] = data?.pages ?? []
  if (newest === undefined) return null
  const latest = newest.items.find(({ verdict }) => verdict !== 'refused')
  if (latest === undefined)
    // Genuine ones may be on later pages.
    return newest.next ? null : <p className="small quiet">No event has arrived yet. Push a commit to see one.</p>
  return (
    <p className="small quiet">
      Last event received <RelativeTime at={latest.received_at} />.
    </p>
  )
}
