// A container that runs, and does not get ready: it listens elsewhere, or its check says no.
import { type Cause, type Failure, findWords } from './failure.ts'

const isWaiting = ({ phase, name }: Failure): boolean => phase === 'Start' && name.startsWith('Wait for ')

const whileWaiting =
  (cause: Cause): Cause =>
  (failure) =>
    isWaiting(failure) ? cause(failure) : undefined

/** As `wait-until-ready.sh` says it. */
const LISTENS = /^No request gets in at port (\d{1,5}): it listens on ([\d.:, ]{1,200})$/

const otherPort: Cause = (failure) => {
  const [, port = '', listed = ''] = findWords(failure, LISTENS) ?? []
  if (port === '') return undefined
  const listens = listed.split(', ')
  if (listens.includes(`127.0.0.1:${port}`)) {
    return (
      `The program accepts connections on 127.0.0.1 alone, which inside a container is the container itself. Let it listen on 0.0.0.0 ` +
      `(often \`HOST=0.0.0.0\`, \`--host 0.0.0.0\` or \`-b 0.0.0.0:${port}\`)`
    )
  }
  const open = listens.filter((one) => !one.includes(':'))
  if (open.length === 0) {
    return `Let the program listen on 0.0.0.0:${port}: it listens on ${listed}, which cannot be reached from outside of the container`
  }
  const which =
    open.length === 1 ? `\`port: ${open[0]}\`` : `the one of ${open.join(', ')} that answers requests as \`port:\``
  return `Write ${which} for this service into .service.yml, or let the program listen on ${port} (many take it from the variable \`PORT\`)`
}

const nothingAnswers: Cause = (failure) => {
  // Tasks of earlier releases say Nobody.
  const [, port] = findWords(failure, /^(?:Nothing|Nobody) answers on port (\d{1,5}) of /) ?? []
  if (port === undefined || otherPort(failure)) return undefined
  const [, exposed] = findWords(failure, /^Its image exposes (\d{1,5}(?:, \d{1,5}){0,9})$/) ?? []
  const exposes =
    exposed === undefined || exposed.split(', ').includes(port) ? '' : `. Its image exposes ${exposed}, not ${port}`
  return `Nothing listened on any port yet when the time was up${exposes}. See in the output what it waits for, such as a database`
}

const BY_STATUS: Readonly<Record<string, string>> = {
  '400':
    'It refuses the request, most often for its host name: let the application accept its own domain (in Django `ALLOWED_HOSTS`), SERVICE_DOMAIN has it',
  '401': 'The check does not sign in. Name a path in `health:` that answers without',
  '403': 'The check does not sign in. Name a path in `health:` that answers without',
  '404': 'There is no such path. Correct `health:` in .service.yml, or leave it out: then any answer will do',
  '429': 'The application limits how often it is asked. Leave the health path out of that limit',
}

const badAnswer: Cause = (failure) => {
  const [, status = ''] = findWords(failure, /^\/\S{0,500} answers with (\d{3})$/) ?? []
  if (status === '') return undefined
  const hint =
    BY_STATUS[status] ??
    (status.startsWith('5') ? 'The application itself failed there: its output says why' : undefined)
  return hint && `The health path answers with ${status}. ${hint}`
}

/** The output of the health check follows this line. */
const CHECKED = /^Its health check ended with exit code (-?\d{1,5}):$/

const ownCheck: Cause = (failure) => {
  const [, exitCode] = findWords(failure, CHECKED) ?? []
  if (exitCode === undefined) return undefined
  if (findWords(failure, /^(?:.{0,100}: )?Health check exceeded timeout/)) {
    return 'The health check takes longer than its own `timeout:`. Make it faster, or give it more time'
  }
  if (exitCode === '127' || findWords(failure, /exec failed: .{0,200}executable file not found/)) {
    return 'The program that the health check calls is not in the image: many images have no curl. Install it, or use one that is there'
  }
  if (findWords(failure, /connection refused|can't connect|failed to connect/i)) {
    return 'The health check gets no answer at its address. Compare its port with the one that the program listens on, and give it a longer `start_period:` if it starts slowly'
  }
  return 'What the health check printed stands in the output. Run it in the container to try it: `docker exec`'
}

export const readinessCauses: readonly Cause[] = [otherPort, nothingAnswers, badAnswer, ownCheck].map(whileWaiting)
