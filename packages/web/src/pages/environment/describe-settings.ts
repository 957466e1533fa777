// Settings of an environment in a few words, and where they come from.
import type { Environment } from '@shipway/api'

export type Description = { readonly words: string; readonly from?: string }

export function describeAutoDeploy({
  auto_deploy,
  protected: isProtected,
  type,
  branch,
}: Pick<Environment, 'auto_deploy' | 'protected' | 'type' | 'branch'>): string {
  if (!auto_deploy) return 'Off'
  if (isProtected) return 'Off while protected'
  return type === 'pull_request' ? 'On push to the pull request' : `On push to ${branch}`
}

export function recipeOrigin({ recipe, pull_request }: Pick<Environment, 'recipe' | 'pull_request'>): string {
  if (pull_request?.is_fork) return 'required for forks'
  return recipe === null ? 'from the project' : 'its own'
}

export function describeBasicAuth({ basic_auth }: Pick<Environment, 'basic_auth'>): Description {
  if (basic_auth === null) return { words: 'Off' }
  const from = `${basic_auth.inherited ? 'from the project' : 'its own'}, password hidden`
  return { words: basic_auth.username, from }
}

type Limits = Environment['limits']

export function describeLimits({ limits, type }: Pick<Environment, 'limits' | 'type'>): Description {
  const parts = LIMITS.flatMap(({ name, words }) => {
    const value = limits[name]
    return value === null ? [] : [{ name, words: words(value) }]
  })
  if (parts.length === 0) return { words: 'None' }
  const words = parts.map((part) => part.words).join(', ')
  const defaults = parts.filter(({ name }) => limits.defaults.includes(name))
  if (defaults.length === 0) return { words, from: 'for each container' }
  const ofType = type === 'pull_request' ? 'of pull requests' : 'of environments'
  const which = defaults.length === parts.length ? '' : `${defaults.map((part) => part.words).join(', ')}: `
  return { words, from: `for each container; ${which}the default ${ofType}` }
}

const LIMITS: readonly {
  readonly name: Exclude<keyof Limits, 'defaults'>
  readonly words: (value: number) => string
}[] = [
  { name: 'cpus', words: (cpus) => `${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'}` },
  { name: 'memory_mb', words: formatMemory },
  { name: 'processes', words: (processes) => `${processes} processes` },
]

function formatMemory(mebibytes: number): string {
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`
}

export function describeSchedules({ schedules }: Pick<Environment, 'schedules'>): string {
  if (schedules === null) return 'As .service.yml says'
  return schedules ? 'Run all of them' : 'Paused'
}
