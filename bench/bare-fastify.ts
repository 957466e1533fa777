// The baseline: a bare Fastify that sends the bytes of a file from memory.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [file, port] = process.argv.slice(2)
if (file === undefined || port === undefined) throw new Error('Usage: bare-fastify.ts <file> <port>')
const bytes = readFileSync(file)
const app = Fastify()
app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(bytes))
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log(`Listening on http://127.0.0.1:${port}`)
process.on('SIGTERM', () => app.close())
