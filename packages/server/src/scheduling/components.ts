// What runs by itself, as one list: started in order and stopped in the reverse order, so that whatever a part needs is there for longer
// than the part.

export type Component = {
  start?(): void | Promise<void>
  /** Resolves when nothing of it runs any more. */
  stop?(): void | Promise<void>
}

/** Each when the one before has started. */
export async function startComponents(parts: readonly Component[]): Promise<void> {
  for (const part of parts) await part.start?.()
}

/** Each when the one after it has stopped. One that fails keeps no other from stopping; its error is thrown at the end. */
export async function stopComponents(parts: readonly Component[]): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts.toReversed()) {
    try {
      await part.stop?.()
    } catch (error) {
      errors.push(error)
    }
  }
  throwFirst(errors)
}

/** Parts that need nothing of each other: started in order, and all told to stop at the same moment. */
export function stopTogether(parts: readonly Component[]): Required<Component> {
  return {
    start: () => startComponents(parts),
    stop: async () => {
      const ends = await Promise.allSettled(parts.map(async (part) => part.stop?.()))
      throwFirst(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])))
    },
  }
}

function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0]
}
