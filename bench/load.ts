// The long forms of the proofs under load: `npm run load -- 50` deploys so often in a row at 200 requests/s, and
// `npm run load -- proxies 50` the same through proxies inside the environment, `npm run load -- release 50` the same with a migration of
// PostgreSQL, and `npm run load -- bad 10 [words]` makes so many bad deployments of each kind at 50 requests/s, or of those named by the words.
import { cpus } from 'node:os'
import { badKinds } from '../e2e/load/bad-kinds.ts'
import { deployBadly } from '../e2e/load/deploy-badly.ts'
import { deployInARow } from '../e2e/load/deploy-in-a-row.ts'
import { innerProxyFiles, innerServices } from '../e2e/load/inner-proxies.ts'
import { releaseCommandFiles } from '../e2e/load/release-command.ts'
import type { RequestFigures } from '../e2e/load/requests.ts'
import { mountSmallDisk } from '../e2e/load/small-disk.ts'
import type { SocketFigures } from '../e2e/load/web-sockets.ts'
import { beginLoadWorld } from '../e2e/load/world.ts'
import { loadImage, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { postgresImage, proxyImage } from '../packages/server/test/docker/docker-images.ts'
import { findPostgresFolder } from '../tools/real-parts/postgres.ts'
import { median } from './verdict.ts'

const SOCKETS = 20

const words = process.argv.slice(2)
const isBad = words[0] === 'bad'
const isProxied = words[0] === 'proxies'
const hasRelease = words[0] === 'release'
const times = Number(words[isBad || isProxied || hasRelease ? 1 : 0] ?? (isBad ? 10 : 50))
const kinds = badKinds.filter(({ name }) => name.includes(words.slice(2).join(' ')))
const engine = await startEngine()
try {
  await (isBad ? bad() : good())
} finally {
  await engine.stop()
}

async function good(): Promise<void> {
  if (isProxied) await loadImage(engine, proxyImage())
  if (hasRelease) await loadImage(engine, postgresImage(findPostgresFolder() ?? ''))
  const world = await beginLoadWorld({
    dockerHost: engine.host,
    // WebSockets stay open until a drain ends them; requests alone end by themselves, within the usual time.
    ...(isProxied ? { files: innerProxyFiles, services: innerServices } : { settings: { SHIPWAY_DRAIN_SECONDS: '4' } }),
    ...(hasRelease && { files: releaseCommandFiles }),
  })
  try {
    const figures = await deployInARow(world, {
      deployments: times,
      perSecond: 200,
      sockets: isProxied ? 0 : SOCKETS,
      onDeployed: ({ id, duration_ms: duration }) => console.log(`deployment ${id}: ${(duration ?? 0) / 1000} s`),
    })
    const { seconds, requests, sockets, lost } = figures
    report(`deployments                  ${seconds.length} in a row, each ${median(seconds).toFixed(1)} s (median)`, {
      requests,
      sockets,
      lost,
    })
  } finally {
    await world.stop()
  }
}

async function bad(): Promise<void> {
  const disk = mountSmallDisk(256)
  try {
    const settings = { SHIPWAY_READY_SECONDS: '8', SHIPWAY_LEAST_DISK_MIB: '128' }
    const world = await beginLoadWorld({ dockerHost: engine.host, home: disk.folder, settings })
    try {
      const figures = await deployBadly(world, {
        kinds,
        times,
        perSecond: 50,
        sockets: SOCKETS,
        disk,
        onEnded: ({ name }, { id, status }) => console.log(`deployment ${id}, ${name}: ${status}`),
      })
      for (const wrong of figures.wrong) console.log(`  WRONG ${wrong}`)
      if (figures.wrong.length > 0) process.exitCode = 1
      report(
        `bad deployments              ${figures.deployments} of ${kinds.length} kinds
told the wrong step or reason  ${figures.wrong.length}`,
        figures,
      )
    } finally {
      await world.stop()
    }
  } finally {
    await disk.remove()
  }
}

type Load = { readonly requests: RequestFigures; readonly sockets: SocketFigures; readonly lost: readonly string[] }

function report(deployments: string, { requests, sockets, lost }: Load): void {
  for (const one of lost.slice(0, 50)) console.log(`  LOST ${one}`)
  console.log(`
${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}
${deployments}
requests                     ${requests.sent}, of which ${requests.slow} slow on purpose; ${requests.heldBack} held back; longest wait ${requests.longestMs} ms
WebSockets                   ${sockets.opened} opened, ${sockets.messages} messages, ${sockets.ended.length} ended by a drain
failed, cut off or untrue    ${lost.length}`)
  if (lost.length > 0) process.exitCode = 1
}
