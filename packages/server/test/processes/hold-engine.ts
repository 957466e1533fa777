// Starts an engine, prints its DOCKER_HOST, and holds it until this process ends, however that comes about.
import { startEngine } from '../docker/docker-engine.ts'

const engine = await startEngine()
await engine.docker('run', '--detach', 'shipway-test/busybox', 'sleep', '3600')
process.stdout.write(`${engine.host}\n`)
const idle = setInterval(() => undefined, 60_000)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearInterval(idle)
    void engine.stop()
  })
}
