// Asks again and again, one request after the other, until it is told to stop.
export async function askAlways(ask: () => Promise<string>, signal: AbortSignal) {
  const answers: string[] = []
  const failures: unknown[] = []
  while (!signal.aborted) {
    await ask().then(
      (answer) => answers.push(answer),
      (error: unknown) => failures.push(error),
    )
  }
  return { answers, failures }
}
