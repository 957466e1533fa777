// Builds the platform and the client once before the tests: their processes would each find them old.
import { buildClient } from '../../packages/cli/build.ts'
import { buildServer } from '../../packages/server/build.ts'

export async function setup(): Promise<void> {
  await buildServer()
  await buildClient()
}
