// Whether pushes and pull requests wait for the checks of their commit.
import { useState } from 'react'
import { Checkbox, TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { FileRules } from './file-rules.tsx'
import type { SettingsProps } from './settings-props.ts'

const USUAL_MINUTES = '30'

export function ChecksSettings({ project, disabledReason }: SettingsProps) {
  const present = {
    isOn: project.deploy_after === 'checks',
    names: project.deploy_after_checks.join(', '),
    minutes: project.deploy_after_minutes === null ? '' : String(project.deploy_after_minutes),
  }
  const [draft, setDraft] = useState<Partial<typeof present>>({})
  const wanted = { ...present, ...draft }
  const submission = useSubmission(['/deploy_after_checks', '/deploy_after_minutes'])
  const save = async (): Promise<void> => {
    const names = wanted.names.split(',').map((name) => name.trim())
    const body = {
      deploy_after: wanted.isOn ? ('checks' as const) : null,
      deploy_after_checks: names.filter((name) => name !== ''),
      deploy_after_minutes: wanted.minutes.trim() === '' ? null : minutesOf(wanted.minutes.trim()),
    }
    await client.updateProject({ params: { id: project.id }, body })
    setDraft({})
    showToast('Saved')
  }
  const change = (values: typeof draft): void => setDraft({ ...draft, ...values })
  return (
    <SavedSection
      title="Wait for checks"
      about="Pushes and pull requests are deployed when the checks of their commit are green. A failed check ends the wait. The Deploy button does not wait."
      submission={submission}
      isChanged={JSON.stringify(wanted) !== JSON.stringify(present)}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <FileRules project={project} section="deploy_after" />
      <Checkbox
        label="Deploy after checks"
        hint={
          project.has_host_token
            ? 'Checks are read from the git host'
            : 'Needs access to the git host: set a token above, or use a connection'
        }
        checked={wanted.isOn}
        onChange={({ target }) => change({ isOn: target.checked })}
      />
      <TextField
        label="Checks"
        hint="Names as the git host shows them, separated by commas. Empty: the required ones of the target branch, or all that are reported"
        pointer="/deploy_after_checks"
        submission={submission}
        autoComplete="off"
        placeholder="build, lint"
        value={wanted.names}
        onChange={({ target }) => change({ names: target.value })}
      />
      <TextField
        label="Wait at most"
        hint="Minutes, up to 1440"
        pointer="/deploy_after_minutes"
        submission={submission}
        autoComplete="off"
        inputMode="numeric"
        placeholder={USUAL_MINUTES}
        value={wanted.minutes}
        onChange={({ target }) => change({ minutes: target.value })}
      />
    </SavedSection>
  )
}

/** The platform refuses 0, with a sentence beside the field. */
const minutesOf = (text: string): number => (/^[0-9]{1,5}$/.test(text) ? Number(text) : 0)
