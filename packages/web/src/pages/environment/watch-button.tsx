// Toggles mails to the user about failed deployments of an environment.
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
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
  const submission = useSubmission()
  const isWatched = data?.watched === true
  const change = async (): Promise<void> => {
    await (isWatched ? client.unwatchEnvironment({ params }) : client.watchEnvironment({ params }))
    cache.setQueryData(keys.watch(environmentId), { watched: !isWatched })
    showToast(
      isWatched ? 'You no longer watch this environment' : 'You get a mail when a deployment of this environment fails',
    )
  }
  const send = async (): Promise<void> => {
    if (!(await submission.submit(change))) showToast('The change could not be saved. Try again', { isError: true })
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
      isBusy={submission.isBusy}
      disabledReason={data === undefined ? 'Loading' : undefined}
      onClick={() => void send()}
    >
      {isWatched ? <BellRing {...icon} /> : <Bell {...icon} />}
    </Button>
  )
}
