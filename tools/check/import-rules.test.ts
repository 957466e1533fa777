import { expect, test } from 'vitest'
import { importRules } from './import-rules.ts'
import { sourceFile } from './source-file.ts'

const server = 'packages/server/src'

test.each([
  [
    'a handler calls an operation',
    `${server}/http/handlers/tasks.ts`,
    "import { startDeployment } from '../../operations/start-deployment.ts'",
  ],
  [
    'a handler finds a record',
    `${server}/http/handlers/tasks.ts`,
    "import { findTask, type TaskRow } from '../../store/tasks.ts'",
  ],
  [
    'a handler takes a type of the store',
    `${server}/http/present/task.ts`,
    "import type { insertTask } from '../../store/tasks.ts'",
  ],
  ['a handler names the type of the settings', `${server}/http/a.ts`, "import type { Config } from '../config.ts'"],
  ['main wires anything', `${server}/main.ts`, "import { run } from './runner/run-task.ts'"],
  ['the server uses the contract', `${server}/domain/task.ts`, "import { Task } from '@shipway/api/tasks'"],
  ['a package of others', `${server}/domain/task.ts`, "import { z } from 'zod'"],
  ['a test imports what it likes', `${server}/domain/task.test.ts`, "import { insertTask } from '../store/tasks.ts'"],
])('accepts: %s', (_name, path, text) => {
  expect(importRules([sourceFile(path, text)])).toEqual([])
})

test.each([
  [
    'a handler writes',
    `${server}/http/a.ts`,
    "import { insertTask } from '../store/tasks.ts'",
    'not insertTask: a request handler',
  ],
  [
    'a handler takes all of a store',
    `${server}/http/a.ts`,
    "import * as tasks from '../store/tasks.ts'",
    'not *: a request',
  ],
  [
    'an operation fetches',
    `${server}/operations/a.ts`,
    "import { fetchMirror } from '../source/mirror.ts'",
    'not fetchMirror',
  ],
  [
    'a handler reaches the runner',
    `${server}/http/a.ts`,
    "import { a } from '../runner/lease.ts'",
    'http may not import runner',
  ],
  [
    'a rule reads the store',
    `${server}/domain/a.ts`,
    "import { findTask } from '../store/tasks.ts'",
    'domain may not import store',
  ],
  [
    'a recipe sees the database',
    `${server}/recipes/docker/a.ts`,
    "import { a } from '../../store/tasks.ts'",
    'recipes may not import store',
  ],
  [
    'the contract imports the server',
    'packages/api/src/a.ts',
    "import { a } from '@shipway/server/a'",
    'api may not import server',
  ],
  [
    'the dashboard imports the server',
    'packages/web/src/a.ts',
    "import { a } from '../../server/src/config.ts'",
    'web may not import server',
  ],
  [
    'product code imports a tool',
    `${server}/http/a.ts`,
    "import { a } from '../../../../tools/a.ts'",
    'may not import tools/a.ts',
  ],
  [
    'product code imports test material',
    `${server}/http/a.ts`,
    "import { a } from '../../test/factories.ts'",
    'the test file',
  ],
  [
    'a handler reads the settings',
    `${server}/http/a.ts`,
    "import { readConfig } from '../config.ts'",
    'take only types from config',
  ],
  ['a folder without a row', `${server}/queue/a.ts`, '', 'queue is not in the import table; add it to'],
  ['a package without a row', 'packages/desktop/src/a.ts', '', 'packages/desktop is not in the import table'],
])('refuses: %s', (_name, path, text, message) => {
  expect(importRules([sourceFile(path, text)])).toEqual([{ path, line: 1, message: expect.stringContaining(message) }])
})
