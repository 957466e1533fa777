// Computes the body of an update: only fields that differ from the environment.
import type { Environment, EnvironmentChanges } from '@shipway/api'

/** Fields edited in a form. */
export type Draft = {
  readonly title?: string
  readonly branch?: string
  readonly recipe?: Environment['recipe']
  readonly server_id?: number
  readonly domain?: string
  readonly auto_deploy?: boolean
  readonly sticky?: boolean
  readonly protected?: boolean
  readonly schedules?: boolean | null
}

type Settings = Pick<
  Environment,
  'title' | 'branch' | 'recipe' | 'server' | 'domain' | 'auto_deploy' | 'sticky' | 'protected' | 'schedules'
>

export function changesOf(environment: Settings, draft: Draft): EnvironmentChanges {
  const present: Required<Draft> = { ...environment, server_id: environment.server.id }
  const names = Object.keys(draft) as (keyof Draft)[]
  return Object.fromEntries(
    names
      .filter((name) => draft[name] !== undefined && draft[name] !== present[name])
      .map((name) => [name, draft[name]]),
  )
}

export const isChanged = (changes: object): boolean => Object.keys(changes).length > 0

export const LIMITS = ['cpus', 'memory_mb', 'processes'] as const
export type LimitName = (typeof LIMITS)[number]
export type LimitTexts = Readonly<Partial<Record<LimitName, string>>>
export type LimitChanges = { readonly limits?: NonNullable<EnvironmentChanges['limits']> } & {
  readonly faults: ReadonlyMap<LimitName, string>
}

/** Empty for a default. */
export const limitText = ({ limits }: Pick<Environment, 'limits'>, name: LimitName): string =>
  limits.defaults.includes(name) ? '' : String(limits[name] ?? '')

/** An empty field resets to the default. Invalid numbers are never sent: as JSON they would be null, the default. */
export function limitChanges(environment: Pick<Environment, 'limits'>, texts: LimitTexts): LimitChanges {
  const touched = LIMITS.filter((name) => {
    const text = texts[name]?.trim()
    return text !== undefined && text !== limitText(environment, name)
  })
  const faults = new Map(
    touched
      .filter((name) => texts[name]?.trim() !== '' && numberOf(texts[name]) === undefined)
      .map((name) => [name, 'Enter a number such as 2, or leave it empty for the default'] as const),
  )
  if (touched.length === 0 || faults.size > 0) return { faults }
  return { faults, limits: Object.fromEntries(touched.map((name) => [name, numberOf(texts[name]) ?? null])) }
}

function numberOf(text: string | undefined): number | undefined {
  return /^\d{1,9}([.,]\d{1,3})?$/.test(text?.trim() ?? '') ? Number(text?.trim().replace(',', '.')) : undefined
}
