// Every error code: what it means and what to do.
import { PROBLEMS } from '@shipway/api/problem'
import { PROBLEM_ADVICE } from '@shipway/api/problem-advice'

export function errorSections(): string {
  const advice: Readonly<Record<string, string>> = PROBLEM_ADVICE
  const byStatus = Map.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status)
  const sections = [...byStatus].toSorted(([one], [other]) => one - other)
  return sections
    .flatMap(([status, codes]) => [
      `## Status ${status}`,
      ...codes.map(([code, { title }]) => `### \`${code}\`\n\n${title}. **What to do:** ${advice[code]}`),
    ])
    .join('\n\n')
}
