// Progress through the steps of a new project.
import type { Appearance } from '../../status/appearance.ts'
import { StatusIcon } from '../../status/status-icon.tsx'
import styles from './new-project.module.css'

const STAGES = [
  { id: 'repository', name: 'Repository and servers', about: 'What to deploy, and where' },
  { id: 'connect', name: 'Connect', about: 'Key, webhook, server' },
  { id: 'environment', name: 'First environment', about: 'For example of the default branch' },
] as const

export function Stages({ at }: { readonly at: (typeof STAGES)[number]['id'] }) {
  const current = STAGES.findIndex(({ id }) => id === at)
  return (
    <ol className={styles.stages} aria-label="Stages">
      {STAGES.map(({ id, name, about }, index) => (
        <li key={id} aria-current={id === at ? 'step' : undefined}>
          <StatusIcon {...signOf(index - current)} size={16} />
          <span>
            <span className={index <= current ? 'strong' : 'quiet'}>{name}</span>
            <small>{about}</small>
          </span>
        </li>
      ))}
    </ol>
  )
}

function signOf(distance: number): Omit<Appearance, 'label'> {
  if (distance < 0) return { shape: 'ticked', tone: 'good' }
  return distance === 0 ? { shape: 'disc', tone: 'accent' } : { shape: 'ring', tone: 'quiet' }
}
