import { PageHead } from '../../components/page.tsx'

export function MembersPage() {
  return <PageHead title="Members" name="Members" />
}
