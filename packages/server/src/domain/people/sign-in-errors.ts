// Errors of the ways to sign in beside the password.
import { AppError } from '../errors.ts'

/** Only after a correct password, since it reveals that the account has two-factor codes. */
export const OtpRequired = () =>
  new AppError('otp_required', 'Give the code that your authenticator app shows now, or one of your recovery codes')

export const InvalidOtp = () =>
  new AppError(
    'invalid_otp',
    'The code is wrong, or was used already. Wait for the next one, and compare the clock of your device. A recovery code works, too',
  )

export const SecondFactorOn = () =>
  new AppError('second_factor_on', 'Two-factor codes are on already. Turn them off first to use another device')

export const SecondFactorRequired = (baseUrl: string) =>
  new AppError(
    'second_factor_required',
    `This needs two-factor codes, which are off for your account. Turn them on at ${baseUrl}/profile, and try again`,
  )

/** For members of an organization that is hidden from them: whatever they do not find may be in there. */
export const HiddenRecord = ({ message }: AppError) =>
  new AppError(
    'not_found',
    `${message}. An organization of yours is hidden until you turn on two-factor codes in your profile`,
  )

export const OwnSecondFactorOff = () =>
  new AppError(
    'second_factor_off',
    'This would lock you out: turn on two-factor codes for your own account first, in your profile',
  )

export const SecondFactorOff = () =>
  new AppError('second_factor_off', 'There is no secret to use, or its time is over. Turn two-factor codes on again')

export const ProviderOff = () =>
  new AppError(
    'provider_off',
    'No provider is set up to sign in with. Use your password, or ask an administrator to set SHIPWAY_OIDC_ISSUER',
  )

/** `detail` says what failed; what the provider sent stays in the cause, which is logged. */
export const ProviderFailed = (detail: string, cause?: unknown) =>
  new AppError('provider_failed', `${detail}. Try again in a moment, or use your password`, { cause })

export const ProviderRefused = () =>
  new AppError('provider_refused', 'The provider did not let you in, or you went back. Sign in again')

export const ProviderRequestLapsed = () =>
  new AppError(
    'link_expired',
    'This sign-in was used already, is older than ten minutes, or was begun in another browser or at another address. Begin again',
  )

export const DomainNotAllowed = () =>
  new AppError(
    'provider_not_linked',
    'The provider has not verified an e-mail of yours that is allowed here. Use another account there, or ask an administrator',
  )

export const NotLinked = () =>
  new AppError(
    'provider_not_linked',
    'No user here is linked to this account of the provider. Sign in with your password and link it in your profile, or ask for an ' +
      'invitation to the e-mail that the provider has verified',
  )

/** The provider's word about an e-mail is not enough to sign in: addresses change owners. */
export const LinkFirst = () =>
  new AppError(
    'provider_not_linked',
    'There is an account with your e-mail, and it is not linked to the provider. Sign in with the password and link it in your profile',
  )

export const IdentityTaken = () =>
  new AppError('in_use', 'This account of the provider is linked to another user here. Unlink it there first')

export const LinkedAlready = () =>
  new AppError('in_use', 'Your account is linked to the provider already. Unlink it first to link another one')

export const LastWayIn = () =>
  new AppError(
    'last_way_in',
    'You have no password, so the provider is your only way in. Choose a password first: sign out, and take "Forgotten?" on the sign-in page',
  )
