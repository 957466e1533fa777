import { PageHead } from '../../components/page.tsx'

export function ProfilePage() {
  return <PageHead title="Profile" name="Profile" />
}
