// The ports of containers: what is seen on the server decides, before the start and when Docker could not have one.
import { expect, test } from 'vitest'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  listed,
  stepOf,
  taskFolder,
} from '../../../../test/docker/fake-deployment.ts'

const seen = {
  stdout: [
    'listens 4E20 11',
    'publishes main/7 127.0.0.1:20001->3000/tcp',
    'publishes main/8 127.0.0.1:20004->3000/tcp',
  ].join('\n'),
}
const replaced = [
  { service: 'web', slot: 'a', port: 20_006, insteadOf: 20_000 },
  { service: 'web', slot: 'b', port: 20_001 },
] as const

test('a port of something else is foreign, and one of its own containers is just in use', async () => {
  const deployed = await deployOnFakeHost({ answers: { 'find ports': seen } })
  expect(stepOf(deployed, 'Allocate ports').lines).toEqual([
    'allocate slots web: in use 20000 20001 20004, foreign 20000 20004',
  ])
})

test('a replaced port is reported, and the new one is used', async () => {
  const deployed = await deployOnFakeHost({ context: { allocateSlots: async () => replaced } })
  expect(stepOf(deployed, 'Allocate ports').said).toEqual([
    'Port 20000 of the server is used by something else: web has port 20006 from now on',
  ])
  expect(stepOf(deployed, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
})

const IN_USE = 'listen tcp4 127.0.0.1:20000: bind: address already in use'
/** The first try of the website finds its port taken, all others start. */
const takenOnce = (said: string, { before }: { readonly before: number }) => ({
  'run-checked': [...Array.from({ length: before }, () => ({})), { exitCode: 1, stdout: `Starting\n${said}\n` }, {}],
  'find ports': seen,
})
/** As the records do: a port that something else has is replaced once. */
const allocating = () => {
  let port = 20_000
  return {
    allocateSlots: async (services: readonly string[], { foreign }: { readonly foreign: ReadonlySet<number> }) => {
      const insteadOf = foreign.has(port) && services.length > 0 ? port : undefined
      if (insteadOf !== undefined) port += 6
      const a = { service: 'web', slot: 'a', port, ...(insteadOf !== undefined && { insteadOf }) } as const
      return [a, { service: 'web', slot: 'b', port: 20_001 } as const]
    },
  }
}
const unseen = { 'find ports': { stdout: '' } }
const composeFile = ({ files }: { readonly files: Map<string, string> }, name: string) =>
  JSON.parse(files.get(`${taskFolder}/${name}`) ?? 'null')

test.each([IN_USE, 'Bind for 127.0.0.1:20000 failed: port is already allocated'])(
  'a port that Docker could not have is another one in the same deployment: %s',
  async (said) => {
    const deployed = await deployOnFakeHost({
      answers: { ...takenOnce(said, { before: 2 }), ...unseen },
      context: allocating(),
    })
    expect(deployed.error).toBeUndefined()
    expect(stepOf(deployed, 'Start web').said).toEqual([
      'Port 20000 of the server is used by something else: web has port 20006 from now on',
    ])
    expect(linesOf(deployed, 'Start web on another port')).toEqual([
      'durably in TASK/8',
      expect.stringMatching(
        /^run-checked RELEASE TASK\/mounted.paths TASK\/republished\/1.json DIGEST .* TASK\/republished\/1.json /,
      ),
    ])
    const [before, after] = [composeFile(deployed, 'compose.json'), composeFile(deployed, 'republished/1.json')]
    expect([before.services.web.ports, after.services.web.ports]).toEqual([
      ['127.0.0.1:20000:3000'],
      ['127.0.0.1:20006:3000'],
    ])
    expect({ ...after, services: { ...after.services, web: before.services.web } }).toEqual(before)
    expect(linesOf(deployed, 'Wait for web').join()).toContain(' 20006 ')
    expect(stepOf(deployed, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
  },
)

test('a container that could not start goes before the next try, and one that took the place of another stays', async () => {
  const stuck = { service: 'web', task: 42, slot: 'a', status: 'created' }
  const replacement = { ...stuck, id: 'replacement', origin: 'replaced' }
  const deployed = await deployOnFakeHost({
    answers: {
      ...takenOnce(IN_USE, { before: 2 }),
      ...unseen,
      'list-containers': [listed([]), listed([stuck, replacement])],
    },
    context: allocating(),
  })
  expect(linesOf(deployed, 'Start web').filter((line) => line.startsWith('remove-containers'))).toEqual([
    'remove-containers web-of-42',
  ])
})

test('a service that is recreated in place gets another port in the same deployment', async () => {
  const services = { web: { image: 'web:1', volumes: [{ type: 'volume', source: 'data', target: '/data' }] } }
  const containers = [{ service: 'web', task: 41, slot: 'a', mode: 'in_place', ports: [20_000] }]
  const definition = { Image: 'sha256:web', Mounts: [], Config: { Labels: {} }, HostConfig: {}, NetworkSettings: {} }
  const deployed = await deployOnFakeHost({
    services,
    containers,
    answers: {
      ...takenOnce(IN_USE, { before: 0 }),
      ...unseen,
      'docker inspect': { stdout: JSON.stringify({ Name: '/web', ...definition }) },
    },
    deployment: { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } },
    context: allocating(),
  })
  expect(deployed.error).toBeUndefined()
  expect(linesOf(deployed, 'Recreate web on another port').at(-1)).toContain('TASK/republished/1.json')
  expect(stepOf(deployed, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
})

test('a deployment that is taken over knows the port that was chosen', async () => {
  const scenario = { answers: { ...takenOnce(IN_USE, { before: 2 }), ...unseen }, context: allocating() }
  const whole = await deployOnFakeHost(scenario)
  const names = whole.steps.map(({ name }) => name)
  for (const name of ['Start web on another port', 'Wait for web', 'Switch routes']) {
    const kept = whole.steps.slice(0, names.indexOf(name))
    const again = await deployOnFakeHost({ answers: unseen, context: allocating(), files: new Map(whole.files), kept })
    expect(again.error).toBeUndefined()
    expect(stepOf(again, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
  }
})

test('a try that is taken over after its ports were replaced replaces none again', async () => {
  const context = allocating()
  const whole = await deployOnFakeHost({ answers: { ...takenOnce(IN_USE, { before: 2 }), ...unseen }, context })
  const kept = whole.steps.slice(
    0,
    whole.steps.findIndex(({ name }) => name === 'Start web'),
  )
  const answers = { ...takenOnce(IN_USE, { before: 0 }), ...unseen }
  const again = await deployOnFakeHost({ answers, context, files: new Map(whole.files), kept })
  expect(again.error).toBeUndefined()
  expect(stepOf(again, 'Start web').said).toEqual([])
  expect(stepOf(again, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
})

test('a deployment whose ports are taken again and again fails after four tries', async () => {
  const failed = await failOnFakeHost({
    answers: { 'run-checked': [{}, {}, { exitCode: 1, stdout: `${IN_USE}\n` }], ...unseen },
    context: {
      allocateSlots: async () => replaced.map((slot) => ({ ...slot, port: slot.slot === 'a' ? 20_000 : slot.port })),
    },
  })
  expect(failed).toMatchObject({
    step: 'Start web on another port',
    message: `Docker Compose could not start it: ${IN_USE}. Something else has the port of web: deploy again`,
  })
  expect(failed.lines[0]).toBe('durably in TASK/10')
})

test('a compose file that is not the one that was checked is not written again', async () => {
  const files = new Map<string, string>()
  const failed = await failOnFakeHost({
    answers: {
      'find ports': { stdout: '' },
      'run-checked': [{}, {}, { exitCode: 1, stdout: `${IN_USE}\n` }],
      'list-containers': () => {
        if (files.has(`${taskFolder}/compose.json`)) files.set(`${taskFolder}/compose.json`, '{}')
        return { stdout: '' }
      },
    },
    files,
    context: allocating(),
  })
  expect(failed.message).toContain('is not on fake server any more as it was. Deploy again')
})

test('a port without a name stays as it is', async () => {
  const said = 'Bind for 127.0.0.1:200001 failed: port is already allocated'
  const failed = await failOnFakeHost({ answers: { 'run-checked': { exitCode: 1, stdout: `${said}\n` } } })
  expect(failed).toMatchObject({ step: 'Start store', message: `Docker Compose could not start it: ${said}` })
})
