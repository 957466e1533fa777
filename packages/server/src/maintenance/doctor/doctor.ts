// `doctor`: checks everything that the platform needs, and says how to fix what is missing.
import { type Command, EXIT, type Io } from '../command.ts'
import { checkDisk, checkFolder, checkNode, checkPrograms } from './check-machine.ts'
import { checkBaseUrl, checkMail } from './check-network.ts'
import { checkRecords } from './check-records.ts'
import type { Finding } from './finding.ts'

export const doctor: Command = {
  usage: 'doctor',
  summary: 'Check everything that the platform needs; exit code 1 if a check fails',
  flags: {
    json: 'one JSON document',
    'for-upgrade':
      'a base address, a mail server or a last backup that fails is a warning: the version does not depend on it',
  },
  examples: ['shipway-server doctor', 'shipway-server doctor --json | jq \'.findings[] | select(.outcome != "ok")\''],
  run: async (io, _words, flags) => {
    const found = await checkEverything(io)
    const findings = flags['for-upgrade'] === true ? found.map(asOfUpgrade) : found
    const isHealthy = findings.every(({ outcome }) => outcome !== 'failed')
    if (flags.json) io.say(JSON.stringify({ ok: isHealthy, findings }))
    else for (const finding of findings) io.say(lineOf(finding))
    return isHealthy ? EXIT.done : EXIT.failed
  },
}

async function checkEverything({ config, clock }: Io): Promise<readonly Finding[]> {
  return [
    checkNode(),
    await checkFolder(config.dataFolder),
    await checkDisk(config.dataFolder),
    ...(await checkPrograms()),
    ...(await checkRecords({ config, clock })),
    await checkBaseUrl(config),
    await checkMail(config),
  ]
}

/** What is around the platform: it may follow later or fail for a while, whatever the version. */
const AROUND: ReadonlySet<string> = new Set(['base address', 'mail', 'backup'])

const asOfUpgrade = (finding: Finding): Finding =>
  finding.outcome === 'failed' && AROUND.has(finding.name) ? { ...finding, outcome: 'warning' } : finding

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

function lineOf({ name, outcome, detail, fix }: Finding): string {
  const text = `${SIGNS[outcome]}  ${name}: ${detail}${fix === undefined ? '' : `. ${fix}`}`
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
