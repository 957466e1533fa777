// What to change if an application is healthy but responds to visitors with an error. Frameworks refuse unknown host names,
// each in its own way. Repeats none of the application's text.

type Answer = { readonly status: number; readonly text: string }

export function visitorWarning(domain: string, { status, text }: Answer): string | undefined {
  const refusal = REFUSALS.find(({ statuses, words }) => statuses.includes(status) && words.test(text))
  if (refusal) return `${domain} answers with ${status}: ${refusal.advice}. The variable SERVICE_DOMAIN holds the name`
  if (status === 400 || status === 421) return `${domain} answers with ${status}: ${UNKNOWN_REFUSAL}`
  if (status < 500) return undefined
  return `${domain} answers with ${status}, though the health check passed. Read the logs of the service, for example with \`shipway logs\``
}

type Refusal = { readonly statuses: readonly number[]; readonly words: RegExp; readonly advice: string }

const REFUSALS: readonly Refusal[] = [
  {
    statuses: [400],
    words: /DisallowedHost|Invalid HTTP_HOST header|<h1>Bad Request \(400\)<\/h1>/,
    advice: 'Django does not accept this name. Add it to ALLOWED_HOSTS',
  },
  {
    statuses: [403],
    words: /Blocked request\. This host \(?.{0,300} is not allowed/,
    advice:
      'Vite does not accept this name. Add it to server.allowedHosts (or preview.allowedHosts) of the Vite configuration',
  },
  {
    // Older versions send it with 200.
    statuses: [200, 403],
    words: /^Invalid Host(?:\/Origin)? header/,
    advice:
      'The webpack dev server does not accept this name. Add it to devServer.allowedHosts of the webpack configuration',
  },
  {
    statuses: [403],
    words: /Blocked hosts?: /,
    advice: 'Rails does not accept this name. Add it to config.hosts',
  },
]

const UNKNOWN_REFUSAL =
  'the application refuses the request. Many accept requests only for names in their settings: ALLOWED_HOSTS of Django, allowedHosts ' +
  'of Vite and webpack, config.hosts of Rails. The variable SERVICE_DOMAIN holds the name'
