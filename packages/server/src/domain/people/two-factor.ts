/**
 * Who is locked out of an organization because it, or the platform, requires two-factor codes.
 *
 * An account counts as having two factors if no password alone can sign it in: its codes are on, or it has no password and signs in only
 * with the provider, which has its own rules. The credential of every call is read with this rule (`store/credentials/credentials.ts`), so
 * sessions, tokens, live connections, terminals and ssh certificates all follow it.
 */
type TwoFactorFacts = {
  /** Codes are on, or there is no password to guess. */
  readonly hasTwoFactor: boolean
  readonly isRequiredByPlatform: boolean
}

export const isLockedOut = (
  { hasTwoFactor, isRequiredByPlatform }: TwoFactorFacts,
  organization: { readonly requiresTwoFactor: boolean },
): boolean => !hasTwoFactor && (isRequiredByPlatform || organization.requiresTwoFactor)

/** Out of every organization, and of the administration of the platform. */
export const isLockedOutOfPlatform = (facts: TwoFactorFacts): boolean =>
  isLockedOut(facts, { requiresTwoFactor: false })
