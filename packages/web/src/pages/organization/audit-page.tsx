import { PageHead } from '../../components/page.tsx'

export function AuditPage() {
  return <PageHead title="Audit" name="Audit" />
}
