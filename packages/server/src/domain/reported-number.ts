// Reads an untrusted whole number from a server, a container or a file.

/** Where it stands in a longer text: no sign, no leading zero (which a shell takes for octal), and nothing that JavaScript would round. */
export const REPORTED_NUMBER = '0|[1-9][0-9]{0,14}'
const whole = new RegExp(`^(?:${REPORTED_NUMBER})$`)

/** Undefined if it is not one; never guessed. */
export const readReportedNumber = (text: string | undefined): number | undefined =>
  text !== undefined && whole.test(text) ? Number(text) : undefined
