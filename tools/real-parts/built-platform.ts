// Builds the platform once before the tests: their processes would each find it old.
import { buildServer } from '../../packages/server/build.ts'

export const setup = buildServer
