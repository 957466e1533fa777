import { expect, test } from 'vitest'
import { taskTitle } from './task-title.ts'

test.each([
  [{ kind: 'deploy', action: null, command: null }, 'deploy'],
  [{ kind: 'action', action: 'nightly', command: null }, 'action nightly'],
  [{ kind: 'run', action: null, command: ['sh', '-c', 'npm run x | wc'] }, 'run npm run x | wc'],
  [{ kind: 'run', action: null, command: ['echo', 'a b\n\u001b[2Jc'] }, "run echo 'a b \\u001b[2Jc'"],
] as const)('%j', (task, title) => {
  expect(taskTitle({ ...task, command: task.command && [...task.command] })).toBe(title)
})
