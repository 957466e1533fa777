// List of variables: key, author, time and origin, never the value.
import type { Recipe, VariableChanges } from '@shipway/api'
import { EyeOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog, DialogButtons } from '../dialog.tsx'
import { FormError } from '../form.tsx'
import list from '../list.module.css'
import { Tag } from '../page.tsx'
import { RelativeTime } from '../time.tsx'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'
import type { KnownVariable } from './check-pasted.ts'
import { VariableForm } from './variable-form.tsx'
import styles from './variables.module.css'

type ListProps = {
  readonly variables: readonly KnownVariable[]
  readonly recipe: Recipe
  readonly disabledReason: string | undefined
  readonly onSave: (changes: VariableChanges) => Promise<void>
}

type OpenDialog = { readonly kind: 'replace' | 'remove'; readonly variable: KnownVariable }

export function VariableList({ variables, recipe, disabledReason, onSave }: ListProps) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const onClose = () => setDialog(undefined)
  const key = dialog?.variable.key
  return (
    <>
      <ul className={`${list.list} ${list.still} ${styles.variables}`}>
        {variables.map((variable) => (
          <li key={variable.key}>
            <Row
              variable={variable}
              disabledReason={disabledReason}
              onReplace={() => setDialog({ kind: 'replace', variable })}
              onRemove={() => setDialog({ kind: 'remove', variable })}
            />
          </li>
        ))}
      </ul>
      <Dialog
        title={dialog?.variable.source === 'project' ? `Override ${key}` : `Replace ${key}`}
        isOpen={dialog?.kind === 'replace'}
        onClose={onClose}
        isWide
      >
        {dialog ? (
          <VariableForm
            variables={variables}
            recipe={recipe}
            onSave={onSave}
            onClose={onClose}
            variable={dialog.variable}
          />
        ) : undefined}
      </Dialog>
      <Dialog title={`Remove ${key}?`} isOpen={dialog?.kind === 'remove'} onClose={onClose}>
        {dialog ? <Removal onSave={onSave} onClose={onClose} variable={dialog.variable} /> : undefined}
      </Dialog>
    </>
  )
}

type RowProps = {
  readonly variable: KnownVariable
  readonly disabledReason: string | undefined
  readonly onReplace: () => void
  readonly onRemove: () => void
}

function Row({ variable, disabledReason, onReplace, onRemove }: RowProps) {
  const { key, updated_at, updated_by, source } = variable
  const isOfProject = source === 'project'
  return (
    <div className={`${list.line} ${styles.variable}`}>
      <code className={`cut ${styles.name}`} title={key}>
        {key}
      </code>
      <span className={styles.sealed}>
        <EyeOff size={14} strokeWidth={1.5} aria-hidden="true" />
        Set, hidden
      </span>
      <span className={`cut tiny faint ${styles.who}`} title={updated_by.name}>
        <RelativeTime at={updated_at} /> · {updated_by.name}
      </span>
      <span className={styles.does}>
        {variable.build ? <Tag>available to builds</Tag> : undefined}
        {isOfProject ? <Tag>from the project</Tag> : undefined}
        <Button
          variant="quiet"
          isSmall
          disabledReason={disabledReason}
          aria-label={`${isOfProject ? 'Override' : 'Replace'} ${key}`}
          onClick={onReplace}
        >
          {isOfProject ? 'Override' : 'Replace'}
        </Button>
        {isOfProject ? undefined : (
          <Button
            variant="quiet"
            isSmall
            isIcon
            disabledReason={disabledReason}
            aria-label={`Remove ${key}`}
            onClick={onRemove}
          >
            <Trash2 size={14} strokeWidth={1.5} aria-hidden="true" />
          </Button>
        )}
      </span>
    </div>
  )
}

type RemovalProps = Pick<ListProps, 'onSave'> & { readonly variable: KnownVariable; readonly onClose: () => void }

function Removal({ variable: { key }, onSave, onClose }: RemovalProps) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    await onSave({ unset: [key] })
    showToast(`${key} is removed`)
    onClose()
  }
  return (
    <>
      <p className="quiet">
        This cannot be undone, since values are never shown. The live deployment keeps it until the next deployment.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(remove)}>
          Remove
        </Button>
      </DialogButtons>
    </>
  )
}
