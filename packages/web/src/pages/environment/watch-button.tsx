// Watching an environment, for oneself: a mail when a deployment of it fails.
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { tell } from '../../components/toast.tsx'
import { useSending } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export function WatchButton({ environmentId }: { readonly environmentId: number }) {
  const params = { id: environmentId }
  const { data } = useQuery({
    queryKey: keys.watch(environmentId),
    queryFn: ({ signal }) => client.getWatch({ params, signal }),
  })
  const sending = useSending()
  const isWatched = data?.watched === true
  const change = async (): Promise<void> => {
    await (isWatched ? client.unwatchEnvironment({ params }) : client.watchEnvironment({ params }))
    cache.setQueryData(keys.watch(environmentId), { watched: !isWatched })
    tell(
      isWatched ? 'You watch this environment no longer' : 'You get a mail when a deployment of this environment fails',
    )
  }
  const send = async (): Promise<void> => {
    if (!(await sending.send(change))) tell('That could not be changed. Try again', { isBad: true })
  }
  const words = isWatched
    ? 'Watched: you get a mail when a deployment fails'
    : 'Watch: get a mail when a deployment fails'
  return (
    <Button
      isIcon
      aria-label={words}
      aria-pressed={isWatched}
      title={words}
      isBusy={sending.isBusy}
      lockedBecause={data === undefined ? 'This is loading' : undefined}
      onClick={() => void send()}
    >
      {isWatched ? <BellRing {...icon} /> : <Bell {...icon} />}
    </Button>
  )
}
