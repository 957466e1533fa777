// What really happened on the server, as the commands of the deployments wrote it down themselves.
import { readFileSync, writeFileSync } from 'node:fs'

export const STEPS = ['One', 'Two', 'Three'] as const
/** Of the removal; their numbers go on where those of the deployment end. */
export const REMOVAL_STEPS = ['Stop', 'Stop more'] as const
export const LINES = 10

/** What one deploy task of one platform task did: how often it began, and with which exit codes it ended. */
export type StepTruth = { readonly begun: number; readonly codes: readonly number[] }

/** The files of the repository. A deploy task notes its begin and its end, and prints numbered lines between. */
export function repositoryFiles(truthFile: string): Readonly<Record<string, string>> {
  writeFileSync(truthFile, '')
  const tasks = [...STEPS, ...REMOVAL_STEPS].map((name, index) => `    - { name: ${name}, run: ./work ${index + 1} }\n`)
  const [deploy, destroy] = [tasks.slice(0, STEPS.length), tasks.slice(STEPS.length)]
  return {
    '.service.yml': `services:\n  web: {}\nmanual:\n  deploy:\n${deploy.join('')}  destroy:\n${destroy.join('')}`,
    work: work.replaceAll('TRUTH', truthFile).replace('LINES', String(LINES)),
  }
}

/** Runs in the folder of the release, which is named by the task. One write adds one line, even if others write at the same time. */
const work = `#!/bin/sh
task=\${PWD##*/}
echo "$task $1 begun" >>TRUTH
line=1
while [ "$line" -le LINES ]; do
  echo "task $task step $1 line $line"
  line=$((line + 1))
  sleep 0.15
done
code=0
case $SERVICE_ENV_IDENTIFIER-$1 in failing-*-2) code=3 ;; esac
echo "$task $1 ended $code" >>TRUTH
exit "$code"
`

export const printedLine = (task: number, step: number, line: number): string =>
  `task ${task} step ${step} line ${line}`

/** Of the steps of a deployment, or of the removal of what it deployed. */
export function readTruth(truthFile: string, task: number, kind: 'deploy' | 'remove' = 'deploy'): readonly StepTruth[] {
  const [steps, first] = kind === 'deploy' ? [STEPS, 1] : [REMOVAL_STEPS, STEPS.length + 1]
  const lines = readFileSync(truthFile, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  const own = lines.filter(([id]) => id === String(task))
  return steps.map((_, index) => {
    const ofStep = own.filter(([, step]) => step === String(index + first))
    const ends = ofStep.filter(([, , what]) => what === 'ended')
    return { begun: ofStep.length - ends.length, codes: ends.map(([, , , code]) => Number(code)) }
  })
}
