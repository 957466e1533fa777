// Which tasks have containers on a server, as the labels say: those of an image are its author's. And what goes of their networks.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../../../test/fake-host.ts'
import { listContainerTasks, removeOrphanedContainers } from './orphaned-containers.ts'

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

test('networks of ended tasks go also while something that they replaced cannot be brought back; what it was in stays', async () => {
  const lines: string[] = []
  const db = {
    id: 'db',
    service: 'db',
    task: 41,
    release: 41,
    status: 'exited',
    mode: 'in_place',
    origin: 'replaced',
    health: '',
    ports: '',
    networks: 'of-41',
  }
  const networks = [38, 40, 41, 42].map((release) =>
    JSON.stringify({ name: `of-${release}`, driver: 'bridge', release }),
  )
  const host = createFakeHost(
    {
      'list-containers': { stdout: JSON.stringify(db) },
      'list-networks': { stdout: networks.join('\n') },
      cat: { exitCode: 1 },
    },
    lines,
  )
  const keptOutput = { days: 1, bytes: 1 }
  const environment = { installationId: 'main', environmentId: 7, folder: '/shipway/environments/7', keptOutput }
  const serving = { taskId: 39, routed: [], keptOutput, isIdle: async () => true }
  await removeOrphanedContainers(host, environment, { taskIds: [38, 40, 41], serving })
  expect(lines.filter((line) => line.startsWith('remove-networks'))).toEqual(['remove-networks of-40 0'])
  expect(lines.some((line) => line.startsWith('rm '))).toBe(false)
})
