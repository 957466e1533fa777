// The mail server has refused a mail for good: trying again would change nothing.
export class MailRefused extends Error {
  override readonly name = 'MailRefused'

  constructor({ cause }: { readonly cause: unknown }) {
    super(cause instanceof Error ? cause.message : 'The mail server refused it', { cause })
  }
}
