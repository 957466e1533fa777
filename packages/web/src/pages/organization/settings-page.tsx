import { PageHead } from '../../components/page.tsx'

export function OrganizationSettingsPage() {
  return <PageHead title="Settings" name="Settings" />
}
