// Starts components in order and stops them in reverse order, so that each outlives those that need it.

export type Component = {
  start?(): void | Promise<void>
  /** Resolves when it has ended completely. */
  stop?(): void | Promise<void>
}

/** Starts each one when the previous one has started. */
export async function startComponents(components: readonly Component[]): Promise<void> {
  for (const component of components) await component.start?.()
}

/** Stops in reverse order. All are stopped even if one fails; the first error is thrown at the end. */
export async function stopComponents(components: readonly Component[]): Promise<void> {
  const errors: unknown[] = []
  for (const component of components.toReversed()) {
    try {
      await component.stop?.()
    } catch (error) {
      errors.push(error)
    }
  }
  throwFirst(errors)
}

/** Groups components that do not need each other: they start in order and stop at the same time. */
export function stopTogether(components: readonly Component[]): Required<Component> {
  return {
    start: () => startComponents(components),
    stop: async () => {
      const ends = await Promise.allSettled(components.map(async (component) => component.stop?.()))
      throwFirst(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])))
    },
  }
}

function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0]
}
