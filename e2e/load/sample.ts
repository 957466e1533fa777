// The repository that is deployed under load: one service without dependencies that reports its version.

export const sampleFiles = (version: string) => ({
  '.service.yml': serviceFile,
  'compose.yml': composeFile,
  Dockerfile: dockerfile,
  'server.js': serverFile.replace('VERSION', version),
})

export const serviceFile = `services:
  web: { port: 3000, health: /healthz }
docker:
  compose: compose.yml
`

export const composeFile = `services:
  web:
    build: .
`

export const dockerfile = `FROM shipway-test/node
COPY server.js /server.js
CMD ["node", "/server.js"]
`

/** `?slow=` delays the response by this many milliseconds; a WebSocket echoes each message after the version. Its frames are short. */
export const serverFile = `
const { createHash } = require('node:crypto')
const version = 'VERSION'
const server = require('node:http').createServer((req, res) => {
  const url = new URL(req.url, 'http://web')
  if (url.pathname === '/absent') res.statusCode = 404
  req.resume()
  req.on('end', () => setTimeout(() => res.end(version), Number(url.searchParams.get('slow') ?? 0)))
})
server.on('upgrade', (req, socket) => {
  const key = req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
  const accept = createHash('sha1').update(key).digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
    'Sec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n')
  socket.on('error', () => socket.destroy())
  socket.on('data', (frame) => {
    if (frame[0] === 0x88) return void socket.end(Buffer.from([0x88, 0]))
    const mask = frame.subarray(2, 6)
    const said = frame.subarray(6, 6 + (frame[1] & 0x7f)).map((byte, index) => byte ^ mask[index % 4])
    const answer = Buffer.from(version + ': ' + Buffer.from(said))
    socket.write(Buffer.concat([Buffer.from([0x81, answer.length]), answer]))
  })
})
server.listen(3000)
process.on('SIGTERM', () => process.exit(0))
`
