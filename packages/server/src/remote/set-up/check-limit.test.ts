import { expect, test } from 'vitest'
import { createCheckLimit } from './check-limit.ts'

test('two checks of an organization run at once, eight in all, and another can start when one ends', async () => {
  const inTurn = createCheckLimit('servers')
  const ends: (() => void)[] = []
  const begin = (organization: number): Promise<void> =>
    inTurn(organization, () => new Promise<void>((resolve) => void ends.push(resolve)))
  const running = [begin(1), begin(1)]
  const refusal = { code: 'rate_limited', headers: { 'retry-after': '10' } }
  await expect(begin(1)).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('this organization') })
  for (const organization of [2, 2, 3, 3, 4, 4]) running.push(begin(organization))
  await expect(begin(5)).rejects.toMatchObject(refusal)
  ends[0]?.()
  await running[0]
  running.push(begin(5))
  for (const end of ends) end()
  await Promise.all(running)
  await expect(inTurn(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const again = [begin(1), begin(1)]
  for (const end of ends) end()
  await Promise.all(again)
})
