// A page of a list, newest first. Queries fetch one row more than requested, to know whether there is a next page.
export type PageRequest = { readonly limit: number; readonly before: number | undefined }
export type Page<T> = { readonly items: readonly T[]; readonly next: number | undefined }

export function pageOf<T extends { readonly id: number }>(rows: readonly T[], { limit }: PageRequest): Page<T> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? items.at(-1)?.id : undefined }
}
