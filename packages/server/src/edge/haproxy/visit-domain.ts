// Requests a domain as a visitor of its server would.
import type { Host } from '../../remote/host.ts'
import { readVisitorAnswer, VISIT_SECONDS, VISITOR_NAME, type VisitorAnswer } from '../visitor-answer.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { visitCommand } from './haproxy-scripts.ts'

/** Undefined if there is no response in time, or if the server has no curl. */
export async function visitDomain(host: Host, folder: string, domain: string): Promise<VisitorAnswer | undefined> {
  const command = visitCommand(folder, { domain, seconds: VISIT_SECONDS, name: VISITOR_NAME })
  const [, answer = ''] = await askHaproxy(host, { command, expected: /^visit ([A-Za-z0-9+/=]*)\n$/ })
  return readVisitorAnswer(Buffer.from(answer, 'base64').toString())
}
