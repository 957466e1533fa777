// Sends a request of the client. Whatever is no answer of success becomes one of the two errors that a caller knows.
import { ApiError, errorFrom, NoAnswer } from './api-error.ts'
import { type AnyRequest, addressOf, bodyOf, type ClientOptions, headersOf } from './client-request.ts'
import type { Route } from './route.ts'

/** `read` takes what it needs of an answer of success; a connection that breaks meanwhile is no answer either. */
export async function sendRequest<Result>(
  options: ClientOptions,
  { route, request }: { readonly route: Route; readonly request: AnyRequest },
  read: (response: Response, host: string) => Result | Promise<Result>,
): Promise<Result> {
  const url = addressOf(options.baseUrl, route, request)
  const init: RequestInit = {
    method: route.method,
    headers: await headersOf(options, request),
    // A redirect would turn a POST into a GET; the error names the other address instead.
    redirect: 'manual',
    ...bodyOf(request),
    ...(request.signal && { signal: request.signal }),
  }
  try {
    const response = await (options.fetch ?? fetch)(url, init)
    if (!response.ok) throw await errorFrom(response, url, options.parseJson)
    return await read(response, url.host)
  } catch (error) {
    if (error instanceof ApiError || request.signal?.aborted) throw error
    throw new NoAnswer(url.host, error)
  }
}
