// `doctor`: looks at everything that the platform needs, and says what to do about what is missing.
import { type Command, EXIT, type Io } from '../command.ts'
import type { Finding } from './finding.ts'
import { lookAtDisk, lookAtFolder, lookAtNode, lookAtPrograms } from './look-at-machine.ts'
import { lookAtRecords } from './look-at-records.ts'
import { lookAtBaseUrl, lookAtMail } from './look-outside.ts'

export const doctor: Command = {
  usage: 'doctor',
  summary: 'Look at everything that the platform needs; exit code 1 where something fails',
  flags: { json: 'one JSON document' },
  examples: ['shipway-server doctor', 'shipway-server doctor --json | jq \'.findings[] | select(.outcome != "ok")\''],
  run: async (io, _words, flags) => {
    const findings = await lookAtEverything(io)
    const isWell = findings.every(({ outcome }) => outcome !== 'failed')
    if (flags.json) io.say(JSON.stringify({ ok: isWell, findings }))
    else for (const finding of findings) io.say(lineOf(finding))
    return isWell ? EXIT.done : EXIT.failed
  },
}

async function lookAtEverything({ config, clock }: Io): Promise<readonly Finding[]> {
  return [
    lookAtNode(),
    await lookAtFolder(config.dataFolder),
    await lookAtDisk(config.dataFolder),
    ...(await lookAtPrograms()),
    ...(await lookAtRecords({ config, clock })),
    await lookAtBaseUrl(config),
    await lookAtMail(config),
  ]
}

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

function lineOf({ name, outcome, detail, fix }: Finding): string {
  const text = `${SIGNS[outcome]}  ${name}: ${detail}${fix === undefined ? '' : `. ${fix}`}`
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
