// Shows a task without a terminal: one line for each finished step and phase.
import type { Phase, Step, Task } from '@shipway/api'
import { plainText } from '../terminal/sanitize.ts'
import { duration, timeOfDay } from '../terminal/times.ts'

export class PlainView {
  readonly #print: (line: string) => void
  readonly #printed = new Set<string>()

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  onTask(task: Task): void {
    task.phases.forEach((phase, phaseIndex) => {
      phase.steps.forEach((step, index) => {
        this.#printIfEnded(`${phaseIndex} ${index}`, step, `${plainText(phase.name)}: ${plainText(step.name)}`)
      })
      this.#printIfEnded(`${phaseIndex}`, phase, plainText(phase.name))
    })
  }

  onSilence(isSilent: boolean): void {
    const sentence = isSilent ? 'The platform does not answer; trying again' : 'The platform answers again'
    this.#print(`${timeOfDay(new Date())} ${sentence}`)
  }

  #printIfEnded(key: string, part: Phase | Step, name: string): void {
    if (this.#printed.has(key) || !(part.status in ENDS)) return
    this.#printed.add(key)
    const verb = 'steps' in part && part.status === 'succeeded' ? ' done in' : (ENDS[part.status] ?? '')
    const endedAt = new Date(Date.parse(part.started_at ?? '') + (part.duration_ms ?? 0))
    const time = timeOfDay(Number.isNaN(endedAt.getTime()) ? new Date() : endedAt)
    this.#print(`${time} ${name}${verb}${part.duration_ms === null ? '' : ` ${duration(part.duration_ms)}`}`)
  }
}

const ENDS: Readonly<Partial<Record<Step['status'], string>>> = {
  succeeded: '',
  failed: ' failed after',
  canceled: ' canceled after',
}
