// The application of a describe block: open before its first test, closed after its last one.
import { afterAll } from 'vitest'
import { openTestApp, type TestApp } from '../test-app.ts'
import { builtBeforeAll } from './built-before.ts'

export function stageApp(...words: Parameters<typeof openTestApp>): TestApp {
  const app = builtBeforeAll(() => openTestApp(...words))
  afterAll(() => app.close?.())
  return app
}
