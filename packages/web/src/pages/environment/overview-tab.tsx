import { PageHead } from '../../components/page.tsx'

export function OverviewTab() {
  return <PageHead title="overview" name="overview" />
}
