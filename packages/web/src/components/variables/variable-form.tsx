// Form for one variable. The value is masked while it is typed.
import type { Recipe, VariableChanges } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Checkbox, Form, FormError, TextArea, TextField } from '../form.tsx'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'
import { type KnownVariable, keyFault } from './check-pasted.ts'
import styles from './variables.module.css'

type FormProps = {
  readonly variables: readonly KnownVariable[]
  readonly recipe: Recipe
  /** Variable to replace or override. Without it the form asks for a new key. */
  readonly variable?: KnownVariable
  readonly onSave: (changes: VariableChanges) => Promise<void>
  /** Called when a whole `.env` is pasted into the key field. */
  readonly onPasteEnv?: (text: string) => void
  readonly onClose: () => void
}

export function VariableForm({ variables, recipe, variable, onSave, onPasteEnv, onClose }: FormProps) {
  const [typedKey, setKey] = useState('')
  const [value, setValue] = useState('')
  const [isForBuilds, setForBuilds] = useState(variable?.build ?? false)
  const key = variable?.key ?? typedKey
  const submission = useSubmission(['/key', `/set/${key}`])
  const fault = variable === undefined && typedKey !== '' ? keyFault(typedKey, recipe) : undefined
  const replaced = variable === undefined ? variables.find((known) => known.key === typedKey) : undefined
  const save = async (): Promise<void> => {
    await onSave({ set: { [key]: value }, build: { [key]: isForBuilds } })
    showToast(`${key} is set`)
    onClose()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (onPasteEnv === undefined || !/[=\n]/.test(text)) return
    event.preventDefault()
    onPasteEnv(text)
  }
  return (
    <Form
      label={variable ? `Value of ${key}` : 'Add variable'}
      submission={submission}
      onSubmit={() => key !== '' && fault === undefined && void submission.submit(save)}
    >
      {variable === undefined ? (
        <TextField
          label="Key"
          pointer="/key"
          submission={submission}
          isMono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typedKey}
          onPaste={onPaste}
          onChange={({ target }) => setKey(target.value)}
          hint={hintOf(fault, typedKey, replaced)}
        />
      ) : undefined}
      <div className={styles.masked}>
        <TextArea
          label="Value"
          pointer={`/set/${key}`}
          submission={submission}
          rows={3}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onKeyDown={saveOnEnter}
          onChange={({ target }) => setValue(target.value)}
          hint={describeValue(value)}
        />
      </div>
      {runsContainers[recipe] ? (
        <Checkbox
          label="Available to builds"
          hint="Not secret then: everyone with the image can read it."
          checked={isForBuilds}
          onChange={({ target }) => setForBuilds(target.checked)}
        />
      ) : undefined}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          isBusy={submission.isBusy}
          waitsFor={key === '' ? 'Enter a key first' : fault === undefined ? undefined : 'Enter another key first'}
        >
          {variable === undefined ? 'Add' : variable.source === 'project' ? 'Override' : 'Replace'}
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** The text is masked, so a line break typed by mistake would not be seen. */
function saveOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

function describeValue(value: string): string {
  if (value === '')
    return 'Saved as entered and never shown again. An empty value is allowed. Shift+Enter starts a line.'
  const characters = `${value.length} ${value.length === 1 ? 'character' : 'characters'}`
  const lines = value.split('\n').length
  return `${characters}${lines === 1 ? '' : ` in ${lines} lines`}. Takes effect with the next deployment.`
}

function hintOf(fault: string | undefined, key: string, replaced: KnownVariable | undefined): string {
  if (fault !== undefined)
    return fault.startsWith('is not a valid key') ? fault.replace('is not a valid key. ', '') : `Refused: ${fault}`
  if (replaced?.source === 'project') return `${key} is inherited from the project and will be overridden`
  return replaced ? `${key} is already set and will be replaced` : 'You can also paste lines of a .env file here'
}
