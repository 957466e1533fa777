// Each way in which a container can fail to become ready, with the sentence that people read.
import { expect, test } from 'vitest'
import type { ServiceStart } from '../service-start.ts'
import type { ContainerEnd } from './container-end.ts'
import { whyNotReady } from './why-not-ready.ts'

const service = (changes: Partial<ServiceStart> = {}): ServiceStart => ({
  name: 'web',
  level: 0,
  mode: 'beside',
  whyInPlace: null,
  gate: 'http',
  health: '/healthz',
  port: 20_000,
  slot: 'a',
  containerPort: 3000,
  hasContainer: true,
  isWholeByDefinition: true,
  oldPorts: [],
  ...changes,
})
const container = (changes: Partial<ContainerEnd> = {}): ContainerEnd => ({
  exitCode: 1,
  isOutOfMemory: false,
  memoryBytes: 0,
  error: '',
  ...changes,
})
const seen = (exitCode: number, changes: Partial<ContainerEnd> = {}, said = '') => ({
  exitCode,
  seconds: 60,
  said,
  container: container(changes),
})

test.each([
  [service(), seen(41), 'web ended with exit code 1 before it was ready', 1],
  [
    service(),
    seen(42, { exitCode: 0 }, 'It was restarted after exit code 3\n'),
    'web ended with exit code 3 before it was ready',
    3,
  ],
  [
    service(),
    seen(41, { exitCode: 137 }),
    'web ran out of memory and was killed (exit code 137). Let it use less, or raise its limit',
    137,
  ],
  [
    service(),
    seen(41, { exitCode: 1, isOutOfMemory: true }),
    'web ran out of memory and was killed (exit code 1). Let it use less, or raise its limit',
    1,
  ],
  [
    service(),
    seen(41, { exitCode: 137, isOutOfMemory: true, memoryBytes: 256 * 1024 ** 2 }),
    'web ran out of memory and was killed (exit code 137). Let it use less, or raise its limit of 256 MiB',
    137,
  ],
  [
    service(),
    seen(46, {}, 'No request gets in at port 3000: it listens on 8080\nIt goes on listening elsewhere\n'),
    'Nothing in web listens on port 3000, which .service.yml names: it listens on port 8080. Correct one of the two',
    null,
  ],
  [
    service(),
    seen(44, {}, 'No request gets in at port 3000: it listens on 127.0.0.1:9229, 8080\n'),
    'Nothing in web listens on port 3000, which .service.yml names: it listens on ports 127.0.0.1:9229, 8080. Correct one of the two',
    null,
  ],
  [
    service(),
    // The last one counts: it had another port first.
    seen(
      44,
      {},
      'No request gets in at port 3000: it listens on 9229\nNo request gets in at port 3000: it listens on 127.0.0.1:3000\n',
    ),
    'web listens on 127.0.0.1:3000 alone, inside its container, where no request gets in. Let it listen on 0.0.0.0',
    null,
  ],
  [
    service(),
    seen(41, { exitCode: 127, error: 'exec: "serve": not found' }),
    'web could not be started: exec: "serve": not found',
    127,
  ],
  [service({ gate: 'health' }), seen(43), 'web is unhealthy: its own health check says no', null],
  [service(), seen(44), 'web did not answer /healthz on port 3000 with 2xx or 3xx within 60 seconds', null],
  [
    service({ gate: 'port' }),
    seen(44),
    'Nothing answers on port 3000 of web within 60 seconds. Let it listen there, on 0.0.0.0, or correct the port in .service.yml',
    null,
  ],
  [service({ gate: 'health' }), seen(44), 'web was not healthy within 60 seconds', null],
  [service({ gate: 'completed' }), seen(44), 'web did not end within 60 seconds', null],
  [service(), { ...seen(41), container: undefined }, 'The new container of web is gone from the server', null],
])('%#', (start, what, sentence, exitCode) => {
  const fault = whyNotReady(start, what)
  expect(fault).toMatchObject({ kind: 'check', message: sentence, exitCode })
})

test('what the container printed cannot pose as its exit code', () => {
  const said = 'It ended with exit code 2\nThe last lines of its output:\nIt ended with exit code 0\n'
  expect(whyNotReady(service(), seen(41, {}, said)).exitCode).toBe(2)
})

test('what the container printed cannot pose as where it listens', () => {
  const said =
    'It is not ready after 60 seconds\nThe last lines of its output:\nNo request gets in at port 3000: it listens on 1\n'
  expect(whyNotReady(service(), seen(44, {}, said)).message).toMatch(/^web did not answer \/healthz/)
})
