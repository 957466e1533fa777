// Times as the API writes them.
export function presentTime(milliseconds: number): string
export function presentTime(milliseconds: number | null): string | null
export function presentTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
