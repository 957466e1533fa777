// A refusal that names its field, on a platform that takes requests.
import type { Guarded } from './guarded.ts'
import { must } from './must.ts'

type Request = readonly [method: string, path: string, body: unknown]

/** Each is answered with 422 that names this field. */
export async function mustRefuse(guarded: Guarded, pointer: string, requests: readonly Request[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const answer = await guarded.call(method, path, { body })
    const pointers: string[] = answer.body?.errors?.map((error: { pointer: string }) => error.pointer) ?? []
    must(answer.status === 422 && pointers.includes(pointer), { status: answer.status, pointers, text: answer.text })
  }
}
