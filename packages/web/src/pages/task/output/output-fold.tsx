// Heading row of a step in the output, which shows or hides its lines.
import type { Step } from '@shipway/api'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Duration } from '../../../components/time.tsx'
import { stepAppearance } from '../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import styles from './fold.module.css'
import type { Section } from './sections.ts'

type OutputFoldProps = {
  readonly section: Section
  readonly isOpen: boolean
  readonly onToggle: (section: Section, isOpen: boolean) => void
}

const icon = { size: 13, strokeWidth: 1.5, 'aria-hidden': true } as const

export function OutputFold({ section, isOpen, onToggle }: OutputFoldProps) {
  const { step } = section.keyed
  const showsStatus = step.status !== 'succeeded'
  return (
    <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => onToggle(section, !isOpen)}>
      {isOpen ? <ChevronDown {...icon} /> : <ChevronRight {...icon} />}
      {showsStatus ? <NamedStatusIcon appearance={stepAppearance(step)} size={13} /> : undefined}
      <span className="cut" title={step.name}>
        {step.name}
      </span>
      {isSilent(step) ? <span className={styles.none}>no output</span> : undefined}
      <span className={styles.time}>
        <Duration of={step} />
      </span>
    </button>
  )
}

/** By the range that the API recorded, not by the lines that have arrived: those may be catching up. */
const isSilent = ({ output }: Step): boolean => output !== null && output.to !== null && output.to <= output.from
