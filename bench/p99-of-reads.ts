// p99 of API reads, one after the other, while something else goes on.
import { openAsker, percentile } from './request-times.ts'

type Asked = { readonly url: string }

export async function p99OfReads({ url }: Asked, token: string, meanwhile: () => Promise<unknown>): Promise<number> {
  const { ask, close } = openAsker(url, token)
  let isOver = false
  const over = meanwhile().finally(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver)
    for (const path of ['/healthz', '/api/me', '/api/projects']) times.push(await ask({ method: 'GET', path }))
  await over
  close()
  return percentile(times, 0.99)
}
