// All public pages in one chunk: visitors need nothing else before they sign in.
export { DevicePage } from './device-page.tsx'
export { InvitationPage } from './invitation-page.tsx'
export { PasswordResetPage } from './password-reset-page.tsx'
export { ProviderPage } from './provider-page.tsx'
export { SetUpPage } from './set-up-page.tsx'
export { SignInPage } from './sign-in-page.tsx'
