// Which tasks faults have touched, in a way that may change how they end.

export type FaultMarks = {
  /** Tasks whose command a fault has ended on the server, while its runner still reports. */
  readonly struck: Set<number>
  /** Tasks for which a fault has ended everything on the server. */
  readonly interrupted: Set<number>
  /** Tasks that a user canceled. */
  readonly canceled: Set<number>
}
