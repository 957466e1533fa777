import { PageHead } from '../../components/page.tsx'

export function DeliveriesTab() {
  return <PageHead title="deliveries" name="deliveries" />
}
