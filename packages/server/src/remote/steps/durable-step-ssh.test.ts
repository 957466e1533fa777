// Durable steps over a real sshd: how a step reacts to its connection.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasSshd } from '../../../test/sshd.ts'
import { stageSshHost } from '../../../test/stage/stage-ssh-host.ts'
import { openWorkshop, printed, readStep, startStep, until } from '../../../test/steps.ts'
import { Secret } from '../../secrets/secret.ts'
import { cancelStep } from './durable-step.ts'
import { followStep } from './follow-step.ts'

describe.skipIf(!hasSshd)('a step over ssh', () => {
  const workshop = openWorkshop()
  afterAll(workshop.cleanUp)
  const { sshd, host } = stageSshHost()

  test('words and values arrive unchanged', async () => {
    const step = workshop.folder()
    const values = ["it's", '$(id) `id` "', 'a\nb\n', '\\', '', 'ü€𝄞\u0081']
    const environment = new Map(values.map((value, index) => [`V${index}`, new Secret(value)]))
    const script = 'for word in "$@" "$V0" "$V1" "$V2" "$V3" "$V4" "$V5"; do printf "%s\\0" "$word"; done'
    await startStep(host, { folder: step, run: ['sh', '-c', script, 'sh', ...values], environment })
    expect((await readStep(host, step)).output.toString().split('\0')).toEqual([...values, ...values, ''])
  })

  test('the session that starts a step ends while the step runs', async () => {
    const step = workshop.folder()
    await startStep(host, { folder: step, run: { script: 'echo begun; sleep 600' } })
    await until(() => printed(step) === 'begun\n')
    await cancelStep(host, step)
    expect((await readStep(host, step)).end).toMatchObject({ state: 'canceled', exitCode: 143 })
  })

  test('two cut connections lose no byte and cause no second run', async () => {
    const step = workshop.folder()
    const go = join(workshop.root, 'go')
    const counter = join(workshop.root, 'counter')
    const waiting = (turn: number) => `until [ -e '${go}${turn}' ]; do sleep 0.05; done`
    const lines = 'i=0; while [ $i -lt 1000 ]; do echo "line $i"; i=$((i + 1)); done'
    const script = `echo ran >>'${counter}'; ${lines}; ${waiting(0)}; ${lines}; ${waiting(1)}; ${lines}`
    await startStep(host, { folder: step, run: { script } })
    const once = Array.from({ length: 1000 }, (_, line) => `line ${line}\n`).join('')
    const pieces: Buffer[] = []
    let cuts = 0
    const onOutput = (bytes: Buffer) => {
      pieces.push(bytes)
      if (Buffer.concat(pieces).length !== once.length * (cuts + 1) || cuts === 2) return
      sshd.cutConnections()
      writeFileSync(`${go}${cuts}`, '')
      cuts += 1
    }
    const end = await followStep(host, step, { fromOffset: 0, onOutput })
    expect(end).toMatchObject({ state: 'exited', exitCode: 0 })
    expect(Buffer.concat(pieces).toString()).toBe(once.repeat(3))
    expect([cuts, readFileSync(counter, 'utf8')]).toEqual([2, 'ran\n'])
  })

  test('a step continues while sshd restarts', async () => {
    const step = workshop.folder()
    const go = join(workshop.root, 'go-restart')
    await startStep(host, { folder: step, run: { script: `until [ -e '${go}' ]; do sleep 0.05; done; echo done` } })
    const reading = readStep(host, step)
    await sshd.restart()
    writeFileSync(go, '')
    expect((await reading).output.toString()).toBe('done\n')
  })

  test('more steps than sessions run and are followed at once', async () => {
    const steps = Array.from({ length: 20 }, () => workshop.folder())
    const outputs = await Promise.all(
      steps.map(async (step, index) => {
        await startStep(host, { folder: step, run: { script: `echo ${index}; sleep 0.2; echo end` } })
        return (await readStep(host, step)).output.toString()
      }),
    )
    expect(outputs).toEqual(steps.map((_, index) => `${index}\nend\n`))
  })
})
