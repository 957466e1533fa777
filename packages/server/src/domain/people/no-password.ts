/** Instead of a hash, for users who sign in only with the provider. */
export const NO_PASSWORD = ''
