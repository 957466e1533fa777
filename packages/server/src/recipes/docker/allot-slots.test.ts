// The ports of containers: what is seen on the server decides, before the start and when Docker could not have one.
import { expect, test } from 'vitest'
import { deployOnFakeHost, failOnFakeHost, stepOf } from '../../../test/docker/fake-deployment.ts'

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
  const deployed = await deployOnFakeHost({ answers: { 'look at ports': seen } })
  expect(stepOf(deployed, 'Allot ports').lines).toEqual([
    'allot slots web: in use 20000 20001 20004, foreign 20000 20004',
  ])
})

test('a port that was replaced is told, and the new one is used', async () => {
  const deployed = await deployOnFakeHost({ doors: { allotSlots: async () => replaced } })
  expect(stepOf(deployed, 'Allot ports').said).toEqual([
    'Port 20000 of the server is used by something else: web has port 20006 from now on',
  ])
  expect(stepOf(deployed, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20006'])
})

test.each([
  'listen tcp4 127.0.0.1:20000: bind: address already in use',
  'Bind for 127.0.0.1:20000 failed: port is already allocated',
])('a port that Docker could not have is another one in the next deployment: %s', async (said) => {
  const answers = { 'run-judged': [{}, {}, { exitCode: 1, stdout: `Starting\n${said}\n` }], 'look at ports': seen }
  const failed = await failOnFakeHost({ answers })
  expect(failed).toMatchObject({
    step: 'Start web',
    message: `Docker Compose could not start it: ${said}. Something else has the port of web: deploy again`,
  })
  expect(failed.lines.slice(-2)).toEqual(['look at ports', 'allot slots web: in use 20000 20001 20004, foreign 20000'])
})

test('a port that nobody names stays as it is', async () => {
  const said = 'Bind for 127.0.0.1:200001 failed: port is already allocated'
  const failed = await failOnFakeHost({ answers: { 'run-judged': { exitCode: 1, stdout: `${said}\n` } } })
  expect(failed).toMatchObject({ step: 'Start store', message: `Docker Compose could not start it: ${said}` })
})
