// What tells a browser to be careful. They never change, so they are made once: a library made them anew for each request.
import type { Config } from '../config.ts'

export function securityHeaders({ baseUrl }: Config): Readonly<Record<string, string>> {
  return {
    // Nothing is loaded, nothing is framed; a page that needs more says so itself.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // No page of ours asks for any of these, and no script that got into one may.
    'permissions-policy':
      'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-get=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
