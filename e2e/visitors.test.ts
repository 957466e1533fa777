// A deployment that succeeds although visitors get an error says so: through the embedded edge, and through HAProxy on a server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginJourney, ended, type Journey } from './journey.ts'

const stop = 'if [ -e ../../pid ]; then kill "$(cat ../../pid)" 2>/dev/null; rm ../../pid; fi'
const restart = `${stop}
setsid node app.js </dev/null >/dev/null 2>&1 &
echo $! > ../../pid
until node -e 'fetch("http://127.0.0.1:" + process.env.PORT + "/healthz").then(() => process.exit(0), () => process.exit(1))'; do sleep 0.1; done
`
/** Healthy for every Host, but everything else accepts one name only, as in Django. */
const filesOf = (allowedHost: string) => ({
  '.service.yml': JSON.stringify({
    services: { web: { health: '/healthz' } },
    manual: { deploy: [{ name: 'Restart', run: 'sh restart.sh' }], destroy: [{ run: stop }] },
  }),
  'restart.sh': restart,
  'app.js': `
require('node:http').createServer(({ url, headers }, response) => {
  if (url === '/healthz' || headers.host === '${allowedHost}') return response.end('Welcome')
  response.statusCode = 400
  response.end('<title>DisallowedHost at /</title>')
}).listen(process.env.PORT, '127.0.0.1')
`,
})

describe.each(['local', 'ssh'] as const)('over %s', (connection) => {
  let journey: Journey
  let id: number
  beforeAll(async () => {
    journey = await beginJourney('embedded', connection)
    journey.commit(filesOf('localhost'))
    id = await journey.createEnvironment('shop')
  })
  afterAll(async () => {
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    await ended(journey.client, taskId)
    await journey.stop()
  })
  const deploy = async () => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    const check = task.phases.flatMap(({ steps }) => steps).find(({ name }) => name === 'Check the address')
    return { status: task.status, check }
  }
  const warned = {
    status: 'succeeded',
    check: {
      status: 'succeeded',
      message: expect.stringMatching(/^shop\.hello\.localhost answers with 400: .*ALLOWED_HOSTS/),
    },
  }

  test('an application that refuses its own name is deployed with a warning, also behind a password', async () => {
    expect(await deploy()).toMatchObject(warned)
    const { hints } = await journey.client.getDiagnostics({ params: { id } })
    expect(hints).toEqual([warned.check.message])
    const basic_auth = { username: 'ada', password: 'correct horse' }
    await journey.client.updateEnvironment({ params: { id }, body: { basic_auth } })
    expect(await deploy()).toMatchObject(warned)
  })

  test('one that accepts its name has no warning', async () => {
    journey.commit(filesOf('shop.hello.localhost'))
    expect(await deploy()).toMatchObject({ status: 'succeeded', check: { message: null } })
    expect((await journey.client.getDiagnostics({ params: { id } })).hints).toEqual([])
  })
})
