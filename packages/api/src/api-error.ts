// The errors of the client: a problem that the platform answered with, or no answer at all.
import { Problem } from './problem.ts'

/** The platform answered, but not with success. `code` is one of the catalogue, `unexpected_answer`, or `done_but_not_understood`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** The whole problem, with the fields that some codes add; absent where something else than the platform answered. */
  readonly problem: Problem | undefined
  readonly requestId: string | undefined

  constructor(status: number, detail: string, problem?: Problem, code = 'unexpected_answer') {
    super(detail)
    this.status = status
    this.code = problem?.code ?? code
    this.problem = problem
    this.requestId = problem?.request_id
  }

  get detail(): string {
    return this.message
  }
}

/** Nothing came back: whether the request arrived is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(host: string, cause: unknown) {
    super(`${host} did not answer. Check the address and the network, then try again`, { cause })
  }
}

/** Whether waiting may help: a platform that restarts is away for some seconds, and a proxy in front of it answers meanwhile. */
export const mayPass = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof ApiError && (error.status >= 500 || error.status === 429))

/** Reads the problem from an error answer. A proxy's own error page is recognised and not shown. */
export async function errorFrom(
  response: Response,
  url: URL,
  parseJson: (text: string) => unknown = JSON.parse,
): Promise<ApiError> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return new ApiError(
      response.status,
      `${url.host} leads elsewhere. Use ${leadsTo(response, url) ?? 'the address that it leads to'}`,
    )
  }
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const problem = isJson ? await readProblem(response, parseJson) : undefined
  if (problem) return new ApiError(response.status, problem.detail, problem)
  return unexpectedAnswer(response.status, url.host)
}

const unexpectedAnswer = (status: number, host: string): ApiError =>
  new ApiError(status, `${host} gave an answer (${status}) that was not understood. Check that the platform runs there`)

/**
 * An answer of success whose body is not of the contract. Where the platform itself answered, a change was made: repeating the request
 * could make it twice.
 */
export function answerNotUnderstood(
  { status, headers }: Response,
  { host, isChange }: { readonly host: string; readonly isChange: boolean },
): ApiError {
  const version = headers.get('x-service-version')
  if (version === null || !/^[\w.+-]{1,60}$/.test(version)) return unexpectedAnswer(status, host)
  const [what, code] = isChange
    ? ['did what was asked for. Do not repeat it: only its answer was not understood', 'done_but_not_understood']
    : ['gave an answer that was not understood', 'unexpected_answer']
  const sentence = `${host} ${what}, since it runs another release (${version}). Use the client that it serves`
  return new ApiError(status, sentence, undefined, code)
}

async function readProblem(response: Response, parseJson: (text: string) => unknown): Promise<Problem | undefined> {
  const text = await response.text()
  try {
    return Problem.safeParse(parseJson(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A browser does not say. */
function leadsTo(response: Response, url: URL): string | undefined {
  const location = response.headers.get('location')
  return location === null ? undefined : URL.parse(location, url)?.origin
}
