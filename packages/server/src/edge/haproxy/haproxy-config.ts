/**
 * The configuration of HAProxy on a server. It never changes while environments come and go: what differs is in two maps,
 * which are set through the socket while it runs and read from their files when it starts.
 *
 * routes.map has one entry for a domain, so that all of it changes between two requests:
 *   `{domain} {port}:{environment}:{digest}:{scheme}`
 * A port of 0 means that nothing is deployed yet. The digest is SHA-256 in hex of `username:password`, or `none`. The scheme
 * is `https` where plain requests are sent on to https. acme.map has the one entry `thumbprint`.
 *
 * On a server of several machines a route's port is the number of a balance group, and its entry ends with `:sticky` where the sessions of
 * a visitor stay with one upstream. The two backends of each group, `kept{port}` and `fresh{port}`, stand in groups.cfg beside this
 * configuration, with the upstreams that they had last: an HAProxy that starts again knows them at once (balance.sh).
 */
import { LOOPBACK } from '../../domain/loopback.ts'
import { type EdgePage, headersOf, htmlOf, noAnswer, nothingDeployed, signInNeeded, unknownHost } from '../page.ts'

export type HaproxyAddresses = {
  /** Absolute; letters, digits and `._-` only. */
  readonly folder: string
  /** Such as `:80` or `127.0.0.1:8080`. */
  readonly httpAddress: string
  readonly httpsAddress: string | null
  /** Also listens on the same ports of every IPv6 address. On a machine without IPv6, HAProxy would not start. */
  readonly isOnIpv6?: boolean
  /** Routes lead to balance groups in place of ports of this machine. */
  readonly isBalanced?: boolean
}

export function haproxyConfig({
  folder,
  httpAddress,
  httpsAddress,
  isOnIpv6 = false,
  isBalanced = false,
}: HaproxyAddresses): string {
  checkFolder(folder)
  for (const address of [httpAddress, httpsAddress ?? httpAddress]) checkAddress(address)
  // Groups take these settings by their name, and HAProxy wants either all sections to name theirs or none.
  const from = isBalanced ? ' from common' : ''
  return `global
  stats socket ${folder}/haproxy.sock mode 600 level admin
  stats timeout 10s
  maxconn 8000
  no strict-limits

defaults${isBalanced ? ' common' : ''}
  mode http
  option abortonclose
  # A stranger has half a minute for the head of a request; an application may think and stream for long.
  timeout http-request 30s
  timeout http-keep-alive 75s
  timeout client 10m
  timeout client-fin 5s
  timeout queue 30s
  timeout connect 300ms
  timeout server 10m
  timeout server-fin 5s
  timeout tunnel 24h
  # 300 ms between them: an application that restarts is waited for. And of the connections that are kept, several in a row may
  # turn out to be closed.
  retries 10
${[502, 503, 504].map((status) => `  ${errorPage({ ...noAnswer, status })}`).join('\n')}

frontend edge${from}
${listening(httpAddress, isOnIpv6)}${
  httpsAddress === null
    ? ''
    : listening(httpsAddress, isOnIpv6, ` ssl crt-list ${folder}/certificates.list strict-sni alpn h2,http/1.1`)
}
  http-request return status 200 content-type text/plain lf-string "%[path,field(-1,/)].%[str(thumbprint),map(${folder}/acme.map)]" if { path_beg /.well-known/acme-challenge/ } { path_reg ^/\\.well-known/acme-challenge/[A-Za-z0-9_-]+$ } { str(thumbprint),map(${folder}/acme.map) -m found }
  http-request deny deny_status 405 if { method CONNECT TRACE }

  # The name in the Host header: lower case, without port and without the dot of the root.
  http-request set-var(txn.host) req.fhdr(host),lower
  http-request set-var(txn.host) 'var(txn.host),regsub(:[0-9]*$,)' if { var(txn.host) -m sub : }
  http-request set-var(txn.host) 'var(txn.host),regsub(\\.$,)' if { var(txn.host) -m end . }
  http-request set-var(txn.route) var(txn.host),map(${folder}/routes.map)
  http-request ${answerInJson(unknownHost)} if !{ var(txn.route) -m found } { req.hdr(accept) -m sub json } !{ req.hdr(accept) -m sub text/html }
  http-request ${answer(unknownHost)} unless { var(txn.route) -m found }
${httpsAddress === null ? '' : `  http-request redirect location https://%[var(txn.host)]${portIn(httpsAddress)}%[pathq] code 308 if !{ ssl_fc } { var(txn.route),field(4,:) https }\n`}
  http-request set-var(txn.port) var(txn.route),field(1,:)
  http-request ${answer(nothingDeployed(domain))} if { var(txn.port) -m str 0 }

  acl asks_for_password var(txn.route),field(3,:) -m len 64
  http-request set-var(txn.want) var(txn.route),field(3,:) if asks_for_password
  http-request set-var(txn.got) 'req.fhdr(authorization),word(2, ),b64dec,sha2(256),hex,lower' if asks_for_password { req.fhdr(authorization) -i -m beg 'basic ' }
  acl is_let_in var(txn.got),secure_memcmp(txn.want)
  http-request ${answer(signInNeeded(domain))} if asks_for_password !is_let_in
  http-request del-header authorization if asks_for_password

  # Counted: what is sent to an application, by environment; and what is under way, by port.
  http-request track-sc0 var(txn.route),field(2,:) table traffic
  http-request track-sc1 var(txn.port) table streams
  http-after-response set-var(txn.errors) sc_inc_gpc0(0) if { status ge 500 }

  # What belongs to one connection stays with it, and what a client claims about itself does not pass. Many applications
  # read X_Forwarded_For as X-Forwarded-For.
  acl is_websocket req.fhdr(upgrade) -i websocket
  http-request del-header '^(x[-_]forwarded[-_].*|forwarded|x[-_]real[-_]ip|proxy|proxy[-_](authenticate|authorization|connection)|keep[-_]alive|te|trailer|http2[-_]settings)$' -m reg
  http-request del-header upgrade unless is_websocket
  http-request del-header connection unless is_websocket
  http-request set-header connection Upgrade if is_websocket
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http unless { ssl_fc }
  http-request set-header X-Forwarded-Proto https if { ssl_fc }
  http-request set-header X-Forwarded-Host %[req.fhdr(host)]

  http-response del-header keep-alive
${isBalanced ? stickySessions : ''}
  acl has_body req.fhdr_cnt(transfer-encoding) gt 0
  acl has_body req.hdr_val(content-length) gt 0
  use_backend kept${isBalanced ? '%[var(txn.port)]' : ''} if { method GET HEAD OPTIONS } !has_body
  ${isBalanced ? 'use_backend fresh%[var(txn.port)]\n  default_backend nowhere' : 'default_backend fresh'}

# Connections are kept for requests that may be repeated: an application may close one just when the next request is sent on it.
${isBalanced ? 'defaults kept from common' : 'backend kept'}
  http-reuse safe
  retry-on conn-failure empty-response
${isBalanced ? group : application}
# All others go on a connection of their own, and are asked to keep it: asked to close, an application that answers early would cut
# off the upload.
${isBalanced ? 'defaults fresh from common' : 'backend fresh'}
  option http-server-close
  option http-pretend-keepalive
${isBalanced ? group : application}
${isBalanced ? 'backend nowhere from common\n\n' : ''}backend traffic${from}
  stick-table type integer size 100k store http_req_cnt,gpc0

backend streams${from}
  stick-table type integer size 100k expire 1h store conn_cur
`
}

/**
 * Every other thread accepts connections, so half of the cores, at least one: the machine belongs to the applications too. With one thread
 * for each of two cores a request cost HAProxy half as much time again, since threads share locks and counters and are preempted while they
 * hold them.
 */
export const THREADS = 'thread odd'

function listening(address: string, isOnIpv6: boolean, how = ''): string {
  const onIpv6 = `  bind [::]${address.slice(address.lastIndexOf(':'))} v6only ${THREADS}${how}\n`
  return `  bind ${address} ${THREADS}${how}\n${isOnIpv6 ? onIpv6 : ''}`
}

const application = `  http-request set-dst str(${LOOPBACK}),ipmask(32)
  http-request set-dst-port var(txn.port)
  server any 0.0.0.0:0
`

/** An upstream that refuses a connection, or does not answer in time, costs no request: the next one is tried. */
const group = `  balance leastconn
  option redispatch 1
  timeout check 1s
`

/** The cookie names an upstream. Where the group has none of this name, or it is down, HAProxy chooses another and the cookie follows. */
const stickySessions = `
  acl is_sticky var(txn.route),field(5,:) sticky
  http-request set-var(txn.upstream) req.cook(shipway_task) if is_sticky { req.cook(shipway_task) -m found }
  http-response set-var(txn.server) srv_name if is_sticky
  acl is_same_upstream var(txn.upstream),strcmp(txn.server) eq 0
  http-response add-header Set-Cookie "shipway_task=%[srv_name]; Path=/; HttpOnly; SameSite=Lax" if is_sticky !is_same_upstream !{ ssl_fc }
  http-response add-header Set-Cookie "shipway_task=%[srv_name]; Path=/; HttpOnly; Secure; SameSite=Lax" if is_sticky !is_same_upstream { ssl_fc }
`

/** In a page: the requested name, which the map is known to contain. */
const domain = '%[var(txn.host)]'

function answer(page: EdgePage): string {
  const { 'Content-Type': type = '', ...headers } = headersOf(page)
  const words = Object.entries(headers).map(([name, value]) => ` hdr ${name} ${quoted(value)}`)
  return `return status ${page.status} content-type ${quoted(type)} lf-string ${quoted(inOneLine(page))}${words.join('')}`
}

/** For programs, as a problem (RFC 9457). */
function answerInJson({ status, title }: EdgePage): string {
  const problem = JSON.stringify({ type: 'about:blank', title, status })
  return `return status ${status} content-type "application/problem+json" string ${quoted(problem)} hdr Cache-Control "no-store"`
}

function errorPage(page: EdgePage): string {
  const { 'Content-Type': type = '', ...headers } = headersOf(page)
  const words = Object.entries(headers).map(([name, value]) => ` hdr ${name} ${quoted(value)}`)
  return `http-error status ${page.status} content-type ${quoted(type)} string ${quoted(inOneLine(page))}${words.join('')}`
}

const inOneLine = (page: EdgePage): string => htmlOf(page).trim().replaceAll('\n', ' ')

const quoted = (text: string): string => `"${text.replaceAll(/["\\$]/g, (character) => `\\${character}`)}"`

/** For an address that people see: empty for the default port. */
function portIn(address: string): string {
  const port = address.slice(address.lastIndexOf(':'))
  return port === ':443' ? '' : port
}

/** HAProxy adds some characters to the name of its socket while creating it, and a socket's name has at most 107. */
function checkFolder(folder: string): void {
  if (!/^(\/[A-Za-z0-9._-]+)+$/.test(folder))
    throw new Error(`The folder of the edge may hold letters, digits, dots, hyphens and underscores only: ${folder}`)
  if (folder.length > 75) throw new Error(`The folder of the edge is longer than 75 characters: ${folder}`)
}

function checkAddress(address: string): void {
  if (!/^([0-9.]*|\[[0-9a-f:]+\]|\*):[0-9]{1,5}$/.test(address))
    throw new Error(`The edge listens at an address such as :80 or 127.0.0.1:8080, not at ${address}`)
}
