// The name that a project gets from the address of its repository, unless somebody gives another.
export function nameOfRepository(address: string): string {
  const last = address.trim().replace(/\/+$/, '').split(/[/:]/).at(-1) ?? ''
  return last.replace(/\.git$/, '')
}
