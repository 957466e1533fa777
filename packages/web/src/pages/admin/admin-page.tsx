import { PageHead } from '../../components/page.tsx'

export function AdminPage() {
  return <PageHead title="Platform" name="Platform" />
}
