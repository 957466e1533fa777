// Gives a test run one Docker Engine for all of its files, started when the first of them asks for it.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Engine, hasDocker, startEngine } from '../../packages/server/test/docker/docker-engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the shared engine, as JSON; undefined where Docker is not installed. */
    engineSocket: string | undefined
  }
}

/** Vitest calls this once before the tests, and what it returns once after them, also when they failed. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasDocker) {
    if (process.env.CI === 'true') throw new Error('Docker is missing, and with CI=true every part must be present')
    project.provide('engineSocket', undefined)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'shipway-shared-engine-'))
  let engine: Promise<Engine> | undefined
  // Most runs of a few test files need no engine, so it starts at the first question.
  const server = createServer(async (connection) => {
    connection.on('error', () => connection.destroy())
    engine ??= startEngine()
    connection.end(JSON.stringify(await engine.then(({ host }) => host, tellFailure)))
  })
  await once(server.listen(join(folder, 'socket')), 'listening')
  project.provide('engineSocket', join(folder, 'socket'))
  return async () => {
    server.close()
    await engine?.then(
      ({ stop }) => stop(),
      () => undefined,
    )
    rmSync(folder, { recursive: true })
  }
}

function tellFailure(error: unknown): null {
  process.stderr.write(`The Docker Engine that the tests share did not start: ${error}\n`)
  return null
}
