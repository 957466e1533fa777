// Rules of `.service.yml`, which win over the fields of the page.
import type { Project } from '@shipway/api'
import { describeRule } from '../../../text/rule.ts'

type FileRulesProps = { readonly project: Project; readonly section: 'pull_requests' | 'deploy_after' }

export function FileRules({ project: { effective_rules: rules, default_branch: branch }, section }: FileRulesProps) {
  const decided = rules.filter(({ field, from }) => from === 'file' && field.startsWith(section))
  if (decided.length === 0) return null
  return (
    <div className="small">
      The <code>.service.yml</code> on {branch} decides these, whatever is set here:
      <ul>
        {decided.map((rule) => (
          <li key={rule.field}>
            <code>{describeRule(rule)}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
