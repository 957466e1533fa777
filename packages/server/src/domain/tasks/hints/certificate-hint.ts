// What to do about a failed certificate order. The certificates of the project show the authority's message.

type FailedOrder = { readonly domain: string; readonly error: string }

export function certificateHint({ domain, error }: FailedOrder): string {
  const advice =
    ADVICE.find(([words]) => words.test(error))?.[1] ?? 'The settings of the project show what the authority said'
  return `The certificate of ${domain} could not be ordered, and is tried again by itself. ${advice}`
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/edge of .{1,200} does not answer/, 'The edge of the server does not answer: check the server'],
  [
    /rateLimited|too many (?:certificates|failed|new orders|registrations)|429/i,
    'The authority limits how often it is asked: wait, and avoid ordering many names at once',
  ],
  [
    /NXDOMAIN|no valid A records|DNS problem|SERVFAIL|looking up A/i,
    'Its name leads nowhere yet: add an A or AAAA record that leads to the server',
  ],
  [/\bCAA\b/, 'A CAA record of the domain forbids this authority: allow it there'],
  [
    /connection refused|timeout|timed out|likely firewall|connection reset|no route to host/i,
    'The authority must reach port 80 of the server: open it in the firewall, and let the name lead to this server',
  ],
  [
    /Invalid response|unauthorized|did not match|key authorization/i,
    'Something else answers at that name on port 80: let the name lead to this server, with no other proxy in between',
  ],
]
