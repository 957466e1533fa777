// Explains to users why a container is not ready.
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { ServiceStart } from '../service-start.ts'
import type { ContainerEnd } from './container-end.ts'

type WaitResult = {
  /** Of the waiting script. */
  readonly exitCode: number
  readonly seconds: number
  /** The beginning of its output; that of the container follows. */
  readonly said: string
  readonly container: ContainerEnd | undefined
}

export function whyNotReady(service: ServiceStart, { exitCode, seconds, said, container }: WaitResult): StepFault {
  if (!container || exitCode === GONE)
    return fault(`The new container of ${service.name} is gone from the server`, null)
  if (exitCode === ENDED || exitCode === RESTARTED) {
    const code = Number(/^It .* exit code ([0-9]+)$/m.exec(said)?.[1] ?? container.exitCode)
    return fault(ended(service.name, code, container), code)
  }
  if (exitCode === UNHEALTHY) return fault(`${service.name} is unhealthy: its own health check says no`, null)
  if (exitCode === UNPUBLISHED)
    return fault(`Docker does not publish ${service.name} on port ${service.port} of the server. Deploy again`, null)
  const elsewhere = listensElsewhere(service, said)
  if (exitCode === ELSEWHERE || exitCode === LATE) return fault(elsewhere ?? late(service, seconds), null)
  return fault(`Waiting for ${service.name} ended with exit code ${exitCode}`, exitCode)
}

const GONE = 40
const ENDED = 41
const RESTARTED = 42
const UNHEALTHY = 43
const LATE = 44
const UNPUBLISHED = 45
const ELSEWHERE = 46

const fault = (sentence: string, exitCode: number | null): StepFault =>
  new StepFault('check', sentence, exitCode === null ? {} : { exitCode })

function ended(name: string, exitCode: number, { isOutOfMemory, memoryBytes, error }: ContainerEnd): string {
  if (isOutOfMemory || exitCode === KILLED) {
    const limit = memoryBytes > 0 ? ` of ${Math.round(memoryBytes / 1024 ** 2)} MiB` : ''
    return `${name} ran out of memory and was killed (exit code ${exitCode}). Let it use less, or raise its limit${limit}`
  }
  if (error !== '') return `${name} could not be started: ${error}`
  return `${name} ended with exit code ${exitCode} before it was ready`
}

const KILLED = 137

function late({ name, gate, health, containerPort }: ServiceStart, seconds: number): string {
  const within = `within ${seconds} seconds`
  if (gate === 'http') return `${name} did not answer ${health} on port ${containerPort} with 2xx or 3xx ${within}`
  if (gate === 'port') {
    return `Nothing answers on port ${containerPort} of ${name} ${within}. Let it listen there, on 0.0.0.0, or correct the port in .service.yml`
  }
  if (gate === 'completed') return `${name} did not end ${within}`
  return `${name} was not healthy ${within}`
}

/** Where a container listens in place of the expected port; undefined where it does not. The output of the container follows that of the script. */
function listensElsewhere({ name }: ServiceStart, said: string): string | undefined {
  const [own = ''] = said.split(/^The last lines of its output:$/m, 1)
  const [port, listed] = [...own.matchAll(SEEN)].at(-1)?.slice(1) ?? []
  if (port === undefined || listed === undefined) return undefined
  if (listed.split(', ').includes(`127.0.0.1:${port}`)) {
    return `${name} listens on 127.0.0.1:${port} alone, inside its container, where no request gets in. Let it listen on 0.0.0.0`
  }
  const where = listed.includes(',') ? `ports ${listed}` : listed.includes(':') ? listed : `port ${listed}`
  return `Nothing in ${name} listens on port ${port}, which .service.yml names: it listens on ${where}. Correct one of the two`
}

const SEEN = /^No request gets in at port (\d{1,5}): it listens on ([\d.:, ]{1,200})$/gm
