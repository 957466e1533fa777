// `shipway run` on the platform's own machine, where the client cannot read its input. The command is played.
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunTerminalOrder } from '../../packages/server/src/context.ts'
import { databases } from '../../packages/server/test/databases.ts'
import { buildLiveEnvironment } from '../../packages/server/test/live-environment.ts'
import { stageApp } from '../../packages/server/test/stage/stage-app.ts'
import { PlayedCommand } from '../../packages/server/test/terminal-client.ts'
import { type InProcess, openInProcess } from './in-process.ts'

const [source] = databases
if (!source) throw new Error('There is no database')
const commands: PlayedCommand[] = []
const openRunTerminal = async (order: RunTerminalOrder) => {
  const command = new PlayedCommand(order)
  commands.push(command)
  return command
}
const app = stageApp(source, {}, { openRunTerminal })
let program: InProcess
let words: readonly string[]

beforeAll(async () => {
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.app.server.address() as AddressInfo
  const built = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
  program = openInProcess({ SHIPWAY_URL: `http://127.0.0.1:${port}`, SHIPWAY_TOKEN: built.owner.token })
  words = ['run', '-p', built.project.name, '-e', built.environment.name, '--', 'cat']
})
afterAll(() => program?.stop())

test('ends the command with the connection, and says why', async () => {
  const input = new Readable({
    read() {
      this.destroy(new Error('read EIO'))
    },
  })
  const { code, err } = await program.run(words, { input })
  expect([code, err]).toEqual([1, expect.stringContaining('The input cannot be read: read EIO')])
  expect(commands).toHaveLength(1)
})
