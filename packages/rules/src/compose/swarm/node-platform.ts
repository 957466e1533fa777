// The nodes on which an image of a platform runs. A Swarm names processors as the kernel does, and compose files as Go does.

/** The processor, in words of a Swarm; null for any, undefined where it is not known what a Swarm calls it. */
export function processorOf(platform: string): string | null | undefined {
  const [os, ...processor] = platform.toLowerCase().split('/')
  if (os !== 'linux') return undefined
  return processor.length === 0 ? null : PROCESSORS.get(processor.join('/'))
}

const PROCESSORS: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x86_64'],
  ['x86_64', 'x86_64'],
  ['arm64', 'aarch64'],
  ['arm64/v8', 'aarch64'],
  ['aarch64', 'aarch64'],
  ['arm/v7', 'armv7l'],
])
