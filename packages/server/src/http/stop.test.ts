// What comes while the platform stops: a client cannot know of it yet.
import { Agent, get } from 'node:http'
import { expect, test, vi } from 'vitest'
import { oneDatabase } from '../../test/one-database.ts'
import { openTestApp } from '../../test/test-app.ts'

test.each(oneDatabase)(
  'a request on an open connection is answered while the platform stops, on $name',
  async (source) => {
    const { app, ctx, close } = await openTestApp(source)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = () =>
      new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/healthz', agent }, (answer) => {
          answer
            .resume()
            .once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }))
        }).once('error', reject)
      })
    expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' })
    let late: Awaited<ReturnType<typeof ask>> | undefined
    // The platform waits for the edge first.
    const { close: closeEdge } = ctx.embeddedEdge
    vi.spyOn(ctx.embeddedEdge, 'close').mockImplementationOnce(async () => {
      late = await ask()
      return closeEdge()
    })
    await close()
    expect(late).toEqual({ status: 200, connection: 'close' })
    agent.destroy()
  },
)
