// Resource limits of an environment's containers and builds.
import type { Environment } from '@shipway/api'
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { type Submission, useSubmission } from '../../../components/use-submission.ts'
import { LIMITS, type LimitName, type LimitTexts, limitChanges, limitText } from './changes.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import styles from './settings.module.css'
import { type SettingsContext, whyNotLimit } from './settings-context.ts'
import { useSave } from './use-settings.ts'

const LABELS: Readonly<Record<LimitName, string>> = { cpus: 'CPUs', memory_mb: 'Memory, MiB', processes: 'Processes' }
const ABOUT = 'Maximum for each container and for all builds together. Takes effect with the next deployment.'

export function LimitsSection({ context }: { readonly context: SettingsContext }) {
  const { environment } = context
  const lock = whyNotLimit(context)
  return (
    <Section title="Limits" about={ABOUT}>
      {lock === undefined ? (
        <LimitsForm environment={environment} />
      ) : (
        <>
          <div className={styles.pair}>
            {LIMITS.map((name) => (
              <Locked key={name} label={LABELS[name]} hint={isDefault(environment, name) ? 'default' : 'custom'}>
                {environment.limits[name] ?? 'None'}
              </Locked>
            ))}
          </div>
          {context.lock === undefined ? <p className="tiny faint">{lock}</p> : undefined}
        </>
      )}
    </Section>
  )
}

function LimitsForm({ environment }: { readonly environment: Environment }) {
  const [texts, setTexts] = useState<LimitTexts>({})
  const sent = useSubmission(LIMITS.map((name) => `/limits/${name}`))
  const save = useSave(environment.id)
  const { limits, faults } = limitChanges(environment, texts)
  const submission = withFaults(sent, faults)
  const onUndo = (): void => {
    setTexts({})
    sent.clear()
  }
  const onSave = async (): Promise<void> => {
    if (limits === undefined) return
    await save({ limits })
    setTexts({})
  }
  return (
    <SavedForm
      label="Limits"
      submission={submission}
      isChanged={limits !== undefined || faults.size > 0}
      waitsFor={faults.size > 0 ? 'Enter valid numbers' : undefined}
      onSave={() => void sent.submit(onSave)}
      onUndo={onUndo}
    >
      <div className={styles.pair}>
        {LIMITS.map((name) => (
          <TextField
            key={name}
            label={LABELS[name]}
            hint={hintOf(environment, name)}
            pointer={`/limits/${name}`}
            submission={submission}
            inputMode="decimal"
            placeholder={isDefault(environment, name) ? String(environment.limits[name] ?? 'No limit') : ''}
            value={texts[name] ?? limitText(environment, name)}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />
        ))}
      </div>
    </SavedForm>
  )
}

const isDefault = ({ limits }: Environment, name: LimitName): boolean => limits.defaults.includes(name)

function hintOf(environment: Environment, name: LimitName): string {
  if (!isDefault(environment, name)) return 'Custom; empty for the default'
  const value = environment.limits[name]
  return value === null ? 'Default: no limit' : `Default: ${value}`
}

/** Adds the errors found in the page to those of the API. */
function withFaults(submission: Submission, faults: ReadonlyMap<LimitName, string>): Submission {
  const own = [...faults].map(([name, sentence]) => [`/limits/${name}`, sentence] as const)
  return { ...submission, fieldErrors: new Map([...submission.fieldErrors, ...own]) }
}
