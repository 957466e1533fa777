// What the doctor of an installed platform finds, by name; nothing may have failed.
import assert from 'node:assert/strict'
import type { Machine } from '../../e2e/installed/machine.ts'

type Findings = { readonly findings: readonly { readonly name: string; readonly outcome: string }[] }

export function doctorFindings(machine: Machine): readonly string[] {
  const { status, output } = machine.run('shipway-server', 'doctor', '--json')
  assert.equal(status, 0, output)
  const { findings }: Findings = JSON.parse(output)
  return findings.filter(({ outcome }) => outcome !== 'ok').map(({ name }) => name)
}
