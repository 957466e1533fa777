// Which tasks have containers on a server, as the labels say: those of an image are its author's.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../../../test/fake-host.ts'
import { listContainerTasks } from './left-containers.ts'

test('labels that are no numbers of ours are left alone, and the others are read', async () => {
  const stdout = [
    '7 8',
    '7 9',
    '7 8',
    '99999999999999999999 1',
    '9007199254740993 1',
    '007 8',
    '-7 8',
    ' 8',
    '7 8 9',
    '',
  ].join('\n')
  const host = createFakeHost({ 'list-tasks': { stdout } }, [])
  expect([...(await listContainerTasks(host, 'installation'))]).toEqual([[7, [8, 9]]])
})
