import { PageHead } from '../../components/page.tsx'

export function ProjectSettingsTab() {
  return <PageHead title="settings" name="settings" />
}
