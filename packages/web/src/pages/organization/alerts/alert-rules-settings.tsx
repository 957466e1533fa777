// Rules of an organization: what opens an alert.
import type { AlertRuleSettings } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../components/form.tsx'
import { SavedSection, Section } from '../../../components/section.tsx'
import { Failed, Loading } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { keys } from '../../../data/keys.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { describeRule, RULE_CONDITIONS, toChangedRule } from '../../../text/alert.ts'
import styles from './alerts.module.css'

const ABOUT = 'What opens an alert. A rule that is turned off ends its open alerts.'

export function AlertRulesSettings({ organizationId }: { readonly organizationId: number }) {
  const { me } = useCurrentPage()
  const disabledReason = missingPermission('administer', { me, organizationId })
  const { data, error, refetch } = useQuery({
    queryKey: keys.alertRules(organizationId),
    queryFn: ({ signal }) => client.listAlertRules({ params: { id: organizationId }, signal }),
  })
  if (data !== undefined) return <Rules organizationId={organizationId} known={data} disabledReason={disabledReason} />
  return (
    <Section title="Alert rules" about={ABOUT}>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading rows={5} what="Loading rules" />}
    </Section>
  )
}

type RulesProps = {
  readonly organizationId: number
  readonly known: readonly AlertRuleSettings[]
  readonly disabledReason: string | undefined
}

function Rules({ organizationId, known, disabledReason }: RulesProps) {
  const submission = useSubmission()
  const { fields, isChanged, set, reset } = useDraft({ rules: known })
  const save = async (): Promise<void> => {
    const body = { rules: fields.rules.map(toChangedRule) }
    const saved = await client.updateAlertRules({ params: { id: organizationId }, body })
    cache.setQueryData(keys.alertRules(organizationId), saved)
    reset()
    showToast('Saved')
  }
  const change = (changed: AlertRuleSettings): void =>
    set(
      'rules',
      fields.rules.map((rule) => (rule.rule === changed.rule ? changed : rule)),
    )
  return (
    <SavedSection
      title="Alert rules"
      about={ABOUT}
      submission={submission}
      isChanged={isChanged}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      {fields.rules.map((rule) => (
        <Rule key={rule.rule} rule={rule} onChange={change} />
      ))}
    </SavedSection>
  )
}

type RuleProps = { readonly rule: AlertRuleSettings; readonly onChange: (rule: AlertRuleSettings) => void }

function Rule({ rule, onChange }: RuleProps) {
  const [before, after] = RULE_CONDITIONS[rule.rule]
  const name = describeRule(rule.rule)
  return (
    <div>
      <Checkbox
        label={name}
        checked={rule.enabled}
        onChange={({ target }) => onChange({ ...rule, enabled: target.checked })}
        hint={rule.threshold === null ? `${before}.` : undefined}
      />
      {rule.threshold === null ? undefined : (
        <label className={`small quiet ${styles.condition}`}>
          {before}
          <input
            type="number"
            className={styles.threshold}
            aria-label={`Threshold of ${name} in ${rule.unit}`}
            value={rule.threshold}
            onChange={({ target }) => onChange({ ...rule, threshold: Math.trunc(Number(target.value)) })}
          />
          {after}
        </label>
      )}
    </div>
  )
}
