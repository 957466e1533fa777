// The `.service.yml` that would work for a repository that has none.
import type { Project } from '@shipway/api'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { FormError } from '../../../components/form.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import styles from './connect.module.css'

type SuggestionProps = {
  readonly project: Pick<Project, 'id'>
  readonly text: string
  readonly onSaved: () => void
}

export function Suggestion({ project, text, onSaved }: SuggestionProps) {
  const submission = useSubmission()
  // The one for the manual recipe only shows what to fill in.
  const isToFillIn = /^manual:/m.test(text)
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { service_file: text } })
    showToast('Saved in the settings of the project')
    onSaved()
  }
  return (
    <>
      <p className="small">
        The repository has no <code>.service.yml</code> yet.{' '}
        {isToFillIn
          ? 'Fill in this one and commit it:'
          : 'Commit this one, which works for its newest commit, or keep it in the settings of the project: it is used until a commit has its own.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do */}
      <pre className={styles.file} tabIndex={0}>
        {text}
      </pre>
      <FormError submission={submission} />
      <div className="row">
        <CopyButton text={text} label="Copy the file" />
        {isToFillIn ? undefined : (
          <Button isSmall isBusy={submission.isBusy} onClick={() => void submission.submit(save)}>
            Use it without a commit
          </Button>
        )}
      </div>
    </>
  )
}
