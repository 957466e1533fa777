// The repository that is deployed under load with proxies inside the environment: nginx, HAProxy and a pool of connections, each of which
// looks the backend up once, when it starts. Only the backend changes from version to version. It asks a store that never changes, and beside
// all of them a website that never changes gets requests too.

export const innerServices = ['haproxy', 'pool', 'static'] as const

export const innerProxyFiles = (version: string) => ({
  '.service.yml': `services:
  nginx: { port: 8080, health: /healthz, main: true }
  haproxy: { port: 8081, health: /healthz }
  pool: { port: 8082, health: /healthz }
  static: { port: 8083, health: /healthz }
docker:
  compose: compose.yml
`,
  'compose.yml': `services:
  nginx:
    build: proxies
    command: [nginx, -c, /nginx.conf]
    depends_on: [backend]
    networks: [front, back]
  haproxy:
    build: proxies
    command: [haproxy, -db, -f, /haproxy.cfg]
    stop_signal: SIGUSR1
    links: ['backend:upstream']
    networks: [back]
  pool:
    build: pool
    depends_on: { backend: { condition: service_healthy } }
    networks: [back]
  static:
    build: pool
    command: [node, -e, "require('node:http').createServer((q, s) => (q.resume(), q.on('end', () => s.end('static')))).listen(8083)"]
    networks: [front]
  backend:
    build: .
    networks: { back: { aliases: [api] } }
    depends_on: [store]
    healthcheck: { test: [CMD, wget, -q, -O, /dev/null, 'http://127.0.0.1:3000/'], interval: 1s, retries: 30 }
  store:
    build: pool
    command: [node, -e, "Object.assign(require('node:http').createServer((q, s) => s.end('kept')), { keepAliveTimeout: 600000 }).listen(3000)"]
    volumes: ['data:/data']
    networks: [back]
volumes: { data: {} }
networks: { front: {}, back: {} }
`,
  Dockerfile: 'FROM shipway-test/node\nCOPY server.js /server.js\nCMD ["node", "/server.js"]\n',
  'server.js': backend.replace('VERSION', version),
  'proxies/Dockerfile': 'FROM shipway-test/proxies\nCOPY . /\n',
  'proxies/nginx.conf': nginx,
  'proxies/haproxy.cfg': haproxy,
  'pool/Dockerfile': 'FROM shipway-test/node\nCOPY pool.js /pool.js\nCMD ["node", "/pool.js"]\n',
  'pool/pool.js': pool,
})

/** Prints its version once the store has answered over a kept connection. */
const backend = `
const http = require('node:http')
const agent = new http.Agent({ keepAlive: true })
const server = http.createServer((req, res) => {
  const slow = Number(new URL(req.url, 'http://backend').searchParams.get('slow') ?? 0)
  req.resume()
  req.on('end', () => {
    const asked = http.get({ host: 'store', port: 3000, agent }, (answer) => {
      answer.resume()
      answer.on('end', () => setTimeout(() => res.end('VERSION'), slow))
    })
    asked.on('error', (error) => { res.statusCode = 500; res.end('the store: ' + error) })
  })
})
server.keepAliveTimeout = 600_000
server.listen(3000)
process.on('SIGTERM', () => process.exit(0))
`

const nginx = `daemon off;
pid /tmp/nginx.pid;
error_log /dev/stderr;
user root;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  upstream backend { server api:3000; keepalive 16; }
  server {
    listen 8080;
    location / {
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`

const haproxy = `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind :8081
  default_backend out
backend out
  server one upstream:3000
`

const pool = `
const http = require('node:http')
const agent = new http.Agent({ keepAlive: true, maxSockets: 50 })
require('node:dns').lookup('backend', (failure, host) => {
  if (failure) throw failure
  const server = http.createServer((req, res) => {
    const { method, url: path, headers } = req
    const asked = http.request({ host, port: 3000, method, path, headers, agent }, (answer) => {
      res.writeHead(answer.statusCode)
      answer.pipe(res)
    })
    asked.on('error', (error) => { res.statusCode = 502; res.end(String(error)) })
    req.pipe(asked)
  })
  server.listen(8082)
})
process.on('SIGTERM', () => process.exit(0))
`
