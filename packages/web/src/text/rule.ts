// A rule as it stands in `.service.yml`: “drafts: false”, “labels: preview, qa”.
type Rule = { readonly field: string; readonly value: unknown }

export function describeRule({ field, value }: Rule): string {
  const name = field.replace(/^pull_requests\./, '')
  if (Array.isArray(value)) return `${name}: ${value.length === 0 ? 'all' : value.join(', ')}`
  return `${name}: ${value ?? 'none'}`
}
