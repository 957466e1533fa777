// Automation and protection of an environment.
import { Checkbox } from '../../../components/form.tsx'
import { Notice } from '../../../components/states.tsx'
import { Locked, SavedForm, Section } from './section.tsx'
import type { SettingsContext } from './settings-context.ts'
import { useSettings } from './use-settings.ts'

export function BehaviorSection({ context }: { readonly context: SettingsContext }) {
  const { environment, me, lock } = context
  const { draft, touch, form } = useSettings(environment, [])
  const { owner, type, branch } = environment
  const pushed = type === 'pull_request' ? 'the pull request' : branch
  const protects = draft.protected === true && !environment.protected
  return (
    <Section title="Behavior" about="What it does by itself, and what it is kept from.">
      {lock === undefined ? (
        <SavedForm label="Behavior" {...form}>
          <Checkbox
            label="Auto-deploy"
            hint={`A push to ${pushed} deploys it. A protected environment is never deployed by itself`}
            checked={draft.auto_deploy ?? environment.auto_deploy}
            onChange={({ target }) => touch({ auto_deploy: target.checked })}
          />
          <Checkbox
            label="Sticky"
            hint="Stands first in the list, and asks for its name before it is deleted"
            checked={draft.sticky ?? environment.sticky}
            onChange={({ target }) => touch({ sticky: target.checked })}
          />
          <Checkbox
            label="Protected"
            hint={`Only ${owner.name}, its owner, deploys, changes, resets or deletes it, whatever the role of others. It keeps its title, server and domain, and nothing deploys it by itself`}
            checked={draft.protected ?? environment.protected}
            onChange={({ target }) => touch({ protected: target.checked })}
          />
          {protects && owner.id !== me.id ? (
            <Notice>
              <b>You are not its owner.</b> Once it is protected, only {owner.name} can take the protection off.
            </Notice>
          ) : undefined}
        </SavedForm>
      ) : (
        <>
          <Locked label="Auto-deploy">{environment.auto_deploy ? 'On' : 'Off'}</Locked>
          <Locked label="Sticky">{environment.sticky ? 'Yes' : 'No'}</Locked>
          <Locked label="Protected">{environment.protected ? 'Yes' : 'No'}</Locked>
        </>
      )}
    </Section>
  )
}
