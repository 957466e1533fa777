// Asks the targets of a file in turn until it gets SIGTERM, half of the time on a new connection, then prints what came back.
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'

const [file, perSecond] = process.argv.slice(2)
const targets = JSON.parse(readFileSync(file, 'utf8'))
const kept = new Agent({ keepAlive: true, maxSockets: 20 })
const running = new Set()
const failures = []
const versions = {}
let count = 0
let slowestMs = 0

function ask() {
  const began = performance.now()
  const { status, ...target } = targets[count % targets.length]
  const options = { ...target, agent: Math.floor(count++ / targets.length) % 2 === 0 ? kept : false }
  const asked = new Promise((resolve) => {
    const fail = (reason) => {
      failures.push(`${new Date().toISOString()} ${target.host}${target.path}: ${reason}`)
      resolve()
    }
    get(options, (answer) => {
      answer.resume()
      answer.on('error', fail)
      answer.on('end', () => {
        slowestMs = Math.max(slowestMs, Math.round(performance.now() - began))
        const version = answer.headers['x-service-version'] ?? 'the application'
        versions[version] = (versions[version] ?? 0) + 1
        if (answer.statusCode !== status) fail(answer.statusCode)
        else resolve()
      })
    }).on('error', fail)
  })
  running.add(asked)
  void asked.finally(() => running.delete(asked))
}

const began = performance.now()
// A late timer is made up for.
const timer = setInterval(() => {
  while (count < ((performance.now() - began) / 1000) * Number(perSecond)) ask()
}, 10)
process.once('SIGTERM', async () => {
  clearInterval(timer)
  await Promise.all(running)
  kept.destroy()
  console.log(JSON.stringify({ count, failures, versions, slowestMs }))
})
