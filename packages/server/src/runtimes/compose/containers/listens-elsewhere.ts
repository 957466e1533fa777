// Explains from the output of the waiting script where a container listens in place of the expected port.
import type { ServiceStart } from '../service-start.ts'

/** Undefined where it does not listen elsewhere. The output of the container follows that of the script. */
export function listensElsewhere({ name }: ServiceStart, said: string): string | undefined {
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
