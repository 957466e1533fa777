// The settings of an environment, a section each with a button of its own. What somebody may not change is shown all the same.
import { useHere } from '../../layout/current-page.ts'
import { BasicAuthSection } from './settings/basic-auth-section.tsx'
import { BehaviorSection } from './settings/behavior-section.tsx'
import { GrantsSection } from './settings/grants-section.tsx'
import { LimitsSection } from './settings/limits-section.tsx'
import { OwnerSection } from './settings/owner-section.tsx'
import { PlaceSection } from './settings/server-section.tsx'
import { settingsPlace } from './settings/settings-context.ts'
import { SourceSection } from './settings/source-section.tsx'

export function EnvironmentSettingsTab() {
  const { me, organization, project, environment } = useHere()
  if (environment === undefined) return null
  const place = settingsPlace({ me, organizationId: organization?.id, environment, project })
  return (
    <>
      <SourceSection place={place} />
      <PlaceSection place={place} />
      <BehaviorSection place={place} />
      <BasicAuthSection place={place} />
      <LimitsSection place={place} />
      <OwnerSection place={place} />
      <GrantsSection place={place} />
    </>
  )
}
