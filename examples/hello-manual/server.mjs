// Answers every request with a page that says which copy of the program this is. `--check` only tries whether it works.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'

const { PORT = '3000', GREETING, SERVICE_DOMAIN, SERVICE_ENV_BRANCH, SERVICE_ENV_IDENTIFIER } = process.env
const greeting = GREETING ?? readFileSync(new URL('greeting.txt', import.meta.url), 'utf8').trim()
const facts = {
  Environment: SERVICE_ENV_IDENTIFIER ?? 'none',
  Branch: SERVICE_ENV_BRANCH ?? 'none',
  Domain: SERVICE_DOMAIN ?? 'none',
  Release: basename(import.meta.dirname),
  'Running since': new Date().toISOString(),
}

const server = createServer((req, res) => {
  if (req.url === '/healthz') return res.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n')
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page())
})

if (process.argv.includes('--check')) server.listen(0, '127.0.0.1', check)
else server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}`))

// Requests under way are answered before the program ends.
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeIdleConnections()
})

async function check() {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`)
  const text = await answer.text()
  const works = answer.ok && text.includes(escapeHtml(greeting))
  console.log(works ? 'The new version answers' : `The new version answered ${answer.status}`)
  process.exit(works ? 0 : 1)
}

function page() {
  const rows = Object.entries(facts).map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(greeting)}</title>
<h1>${escapeHtml(greeting)}</h1>
<dl>${rows.join('')}</dl>
</html>
`
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}
