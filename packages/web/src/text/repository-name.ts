// Default project name, taken from the repository address.
export function nameOfRepository(address: string): string {
  const last =
    address
      .trim()
      .replace(/(?<!\/)\/+$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  return last.replace(/\.git$/, '')
}
