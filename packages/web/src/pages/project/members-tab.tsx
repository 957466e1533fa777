import { PageHead } from '../../components/page.tsx'

export function MembersTab() {
  return <PageHead title="members" name="members" />
}
