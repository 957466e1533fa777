import { PageHead } from '../../components/page.tsx'

export function TaskPage() {
  return <PageHead title="Task" name="Task" />
}
