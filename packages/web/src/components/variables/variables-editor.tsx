// Editor for the variables of an environment or a project. Values can be written, never read.
import { type ParsedEnv, parseEnv, type Recipe, VARIABLE_LIMITS, type VariableChanges } from '@shipway/api'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Count } from '../page.tsx'
import { Empty, Notice } from '../states.tsx'
import type { KnownVariable } from './check-pasted.ts'
import { PasteField } from './paste-field.tsx'
import { PastedVariables } from './pasted-variables.tsx'
import { VariableForm } from './variable-form.tsx'
import { VariableList } from './variable-list.tsx'
import styles from './variables.module.css'

/** Saves and returns the keys whose value is too short to be masked in output. */
type SaveVariables = (changes: VariableChanges) => Promise<readonly string[]>

type EditorProps = {
  readonly variables: readonly KnownVariable[]
  /** Recipe whose reserved keys are refused. */
  readonly recipe: Recipe
  /** Also shown at the top of the page. */
  readonly disabledReason: string | undefined
  readonly onSave: SaveVariables
  readonly title: string
  /** Content below the list. */
  readonly children?: ReactNode
}

export function VariablesEditor({ variables, recipe, disabledReason, onSave, title, children }: EditorProps) {
  const [pasted, setPasted] = useState<ParsedEnv>()
  const [isAdding, setAdding] = useState(false)
  const [unmasked, setUnmasked] = useState<readonly string[]>([])
  const save = async (changes: VariableChanges): Promise<void> => setUnmasked(await onSave(changes))
  const take = (text: string): void => {
    setAdding(false)
    setPasted(parseEnv(text))
  }
  return (
    <>
      <Unmasked keys={unmasked} onDismiss={() => setUnmasked([])} />
      {pasted ? (
        <PastedVariables
          parsed={pasted}
          variables={variables}
          recipe={recipe}
          disabledReason={disabledReason}
          onSave={save}
          onClose={() => setPasted(undefined)}
        />
      ) : disabledReason === undefined ? (
        <PasteField onText={take} />
      ) : undefined}
      <section className={styles.list} aria-labelledby="custom-variables">
        <div className={styles.head}>
          <h2 id="custom-variables">
            {title} <Count>{variables.length}</Count>
          </h2>
          <span className={`tiny faint ${styles.promise}`}>Values can be set but never read</span>
          <Button disabledReason={disabledReason} onClick={() => setAdding(true)}>
            <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
            Add variable
          </Button>
        </div>
        {variables.length === 0 ? (
          <Empty title="No variables yet">
            Add one, or paste a whole .env. Up to {VARIABLE_LIMITS.keys} variables of 64 KiB each.
          </Empty>
        ) : (
          <VariableList variables={variables} recipe={recipe} disabledReason={disabledReason} onSave={save} />
        )}
      </section>
      {children}
      <Dialog title="Add variable" isOpen={isAdding} onClose={() => setAdding(false)} isWide>
        <VariableForm
          variables={variables}
          recipe={recipe}
          onSave={save}
          onPasteEnv={take}
          onClose={() => setAdding(false)}
        />
      </Dialog>
    </>
  )
}

type UnmaskedProps = { readonly keys: readonly string[]; readonly onDismiss: () => void }

function Unmasked({ keys, onDismiss }: UnmaskedProps) {
  if (keys.length === 0) return null
  return (
    <div className={styles.above} role="status">
      <Notice
        action={
          <Button isSmall onClick={onDismiss}>
            OK
          </Button>
        }
      >
        <b>Saved, but too short to be masked in output.</b> If a deployment prints {keys.length === 1 ? 'it' : 'them'},
        everyone who reads the output sees the value: <code>{keys.join(', ')}</code>
      </Notice>
    </div>
  )
}
