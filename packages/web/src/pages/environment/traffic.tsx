// Requests to an environment, if its edge has counted any.
import type { Traffic as Counted } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Fact, Facts } from '../../components/page.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

/** Polled: no event reports changes. */
const EVERY_MS = 30_000

export function Traffic({ environmentId }: { readonly environmentId: number }) {
  const { data } = useQuery({
    queryKey: [...keys.environment(environmentId), 'traffic'],
    queryFn: ({ signal }) => client.getTraffic({ params: { id: environmentId }, signal }),
    refetchInterval: EVERY_MS,
  })
  return data === undefined || data.since === null || data.requests === 0 ? null : (
    <section aria-labelledby="traffic">
      <h2 id="traffic">Traffic</h2>
      <Facts>
        <Fact term="Requests">
          <span className="figures">{data.requests.toLocaleString('en')}</span>
        </Fact>
        <Fact term="Errors" from="answers of 500 and above">
          <span className={data.errors > 0 ? 'figures bad' : 'figures'}>{formatErrors(data)}</span>
        </Fact>
        <Fact term="Counting began">
          <RelativeTime at={data.since} />
        </Fact>
      </Facts>
    </section>
  )
}

function formatErrors({ errors, requests }: Counted): string {
  if (errors === 0) return 'None'
  const percent = (errors / requests) * 100
  return `${errors.toLocaleString('en')} (${percent < 0.1 ? 'below 0.1' : percent.toFixed(1)} %)`
}
