// The exact words for single containers.
import { expect, test } from 'vitest'
import { inspectContainer, neverRestart, removeContainer, startContainer, stopContainer } from './containers.ts'

test.each([
  [inspectContainer('web-1'), 'docker inspect --type container --format {{json .}} -- web-1'],
  [stopContainer('web-1'), 'docker stop -- web-1'],
  [startContainer('web-1'), 'docker start -- web-1'],
  [neverRestart('web-1'), 'docker update --restart no -- web-1'],
  [removeContainer('web-1'), 'docker rm --force -- web-1'],
])('%j', (command, line) => {
  expect(command.join(' ')).toBe(line)
})
