// Requests for certificates that let people in at servers.
import { randomUUID } from 'node:crypto'
import { issueSshCertificate } from '../../operations/access/issue-ssh-certificate.ts'
import type { Handlers } from '../handler.ts'
import { presentSshCertificate } from '../present/ssh-certificate.ts'

export const sshAccessHandlers = {
  issueSshCertificate: async ({ ctx, actor, params, body, request }) => {
    // Callers may bring an id to follow their request by. What stands in a certificate is the platform's own.
    const requestId = request.headers['x-request-id'] === request.id ? randomUUID() : request.id
    const issued = await issueSshCertificate(ctx, actor, { serverId: params.id, request: body, requestId })
    return { body: presentSshCertificate(issued) }
  },
} satisfies Handlers
