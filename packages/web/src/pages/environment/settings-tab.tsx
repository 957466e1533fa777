// Settings of an environment. Read-only settings are shown, too.
import { useCurrentPage } from '../../layout/current-page.ts'
import { BasicAuthSection } from './settings/basic-auth-section.tsx'
import { BehaviorSection } from './settings/behavior-section.tsx'
import { GrantsSection } from './settings/grants-section.tsx'
import { LimitsSection } from './settings/limits-section.tsx'
import { OwnerSection } from './settings/owner-section.tsx'
import { ScaleSection } from './settings/scale-section.tsx'
import { ServerSection } from './settings/server-section.tsx'
import { settingsContext } from './settings/settings-context.ts'
import { SourceSection } from './settings/source-section.tsx'

export function EnvironmentSettingsTab() {
  const { me, organization, project, environment } = useCurrentPage()
  if (environment === undefined) return null
  const context = settingsContext({ me, organizationId: organization?.id, environment, project })
  return (
    <>
      <SourceSection context={context} />
      <ServerSection context={context} />
      <BehaviorSection context={context} />
      <BasicAuthSection context={context} />
      <LimitsSection context={context} />
      <ScaleSection context={context} />
      <OwnerSection context={context} />
      <GrantsSection context={context} />
    </>
  )
}
