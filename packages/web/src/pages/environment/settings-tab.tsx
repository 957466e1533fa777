import { PageHead } from '../../components/page.tsx'

export function EnvironmentSettingsTab() {
  return <PageHead title="settings" name="settings" />
}
