// The short form of the load on webhooks; `npm run bench -- webhooks` is the long one, with the times.
import { expect, test } from 'vitest'
import { findPostgresFolder } from '../../tools/real-parts/postgres.ts'
import { loadWebhooks } from './load.ts'

test.skipIf(findPostgresFolder() === undefined)(
  'of many deliveries to two platforms, a third twice, none is lost and none is taken twice',
  async () => {
    const { sent, faults } = await loadWebhooks({ deliveries: 90, seconds: 0.9 })
    expect([sent, faults]).toEqual([90, []])
  },
)
