// The ways in, loaded together: whoever stands before one has nothing else yet.
export { DevicePage } from './device-page.tsx'
export { InvitationPage } from './invitation-page.tsx'
export { PasswordResetPage } from './password-reset-page.tsx'
export { ProviderPage } from './provider-page.tsx'
export { SetUpPage } from './set-up-page.tsx'
export { SignInPage } from './sign-in-page.tsx'
