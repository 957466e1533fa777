// Automation and protection of an environment.
import { Checkbox, Choice } from '../../../components/form.tsx'
import { Notice } from '../../../components/states.tsx'
import { describeAutoDeploy, describeSchedules } from '../describe-settings.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import type { SettingsContext } from './settings-context.ts'
import { useSettings } from './use-settings.ts'

const SCHEDULES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export function BehaviorSection({ context }: { readonly context: SettingsContext }) {
  const { environment, me, lock } = context
  const { draft, touch, form } = useSettings(environment, ['/schedules'])
  const { owner, type, branch } = environment
  const pushed = type === 'pull_request' ? 'the pull request' : branch
  const protects = draft.protected === true && !environment.protected
  return (
    <Section title="Behavior" about="Automation and protection.">
      {lock === undefined ? (
        <SavedForm label="Behavior" {...form}>
          <Checkbox
            label="Auto-deploy"
            hint={`A push to ${pushed} starts a deployment, unless the environment is protected`}
            checked={draft.auto_deploy ?? environment.auto_deploy}
            onChange={({ target }) => touch({ auto_deploy: target.checked })}
          />
          <Checkbox
            label="Sticky"
            hint="Listed first; deleting it asks for its name"
            checked={draft.sticky ?? environment.sticky}
            onChange={({ target }) => touch({ sticky: target.checked })}
          />
          <Checkbox
            label="Protected"
            hint={`Only its owner, ${owner.name}, can deploy, change or delete it. Title, server and domain are frozen, and auto-deploy is off`}
            checked={draft.protected ?? environment.protected}
            onChange={({ target }) => touch({ protected: target.checked })}
          />
          <Choice
            label="Schedules"
            hint="Whether actions with a schedule run by themselves here"
            pointer="/schedules"
            submission={form.submission}
            value={String(draft.schedules === undefined ? environment.schedules : draft.schedules)}
            onChange={({ target }) => touch({ schedules: SCHEDULES.get(target.value) ?? null })}
          >
            <option value="null">As .service.yml says</option>
            <option value="true">Run all of them</option>
            <option value="false">Paused</option>
          </Choice>
          {protects && owner.id !== me.id ? (
            <Notice>
              <b>You are not the owner.</b> Once protected, only {owner.name} can remove the protection.
            </Notice>
          ) : undefined}
        </SavedForm>
      ) : (
        <>
          <Locked label="Auto-deploy">{describeAutoDeploy(environment)}</Locked>
          <Locked label="Sticky">{environment.sticky ? 'Yes' : 'No'}</Locked>
          <Locked label="Protected">{environment.protected ? 'Yes' : 'No'}</Locked>
          <Locked label="Schedules">{describeSchedules(environment)}</Locked>
        </>
      )}
    </Section>
  )
}
