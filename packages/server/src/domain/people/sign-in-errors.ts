// Errors of the ways to sign in beside the password.
import { AppError } from '../errors.ts'

/** Only after a right password: it tells that the account has two-factor codes turned on. */
export const OtpRequired = () =>
  new AppError('otp_required', 'Give the code that your authenticator app shows now, or one of your recovery codes')

export const InvalidOtp = () =>
  new AppError(
    'invalid_otp',
    'The code is wrong, or was used already. Wait for the next one, and compare the clock of your device. A recovery code works, too',
  )

export const SecondFactorOn = () =>
  new AppError('second_factor_on', 'Two-factor codes are on already. Turn them off first to use another device')

export const SecondFactorOff = () =>
  new AppError('second_factor_off', 'There is no secret to use, or its time is over. Turn two-factor codes on again')
