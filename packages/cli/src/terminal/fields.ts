// The facts about one record: a line each, names in one column. A fact without a value is left out.
import { pad, widthOf } from './width.ts'

type Field = readonly [name: string, value: string | null | undefined]

export function fieldLines(fields: readonly Field[]): string[] {
  const shown = fields.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)))
  return shown.map(([name, value]) => `  ${pad(name, width)}   ${value}`)
}
