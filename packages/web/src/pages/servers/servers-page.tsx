import { PageHead } from '../../components/page.tsx'

export function ServersPage() {
  return <PageHead title="Servers" name="Servers" />
}
