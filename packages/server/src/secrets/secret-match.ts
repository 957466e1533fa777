/** `end`: of the longest form that starts at `at`, -1 if none does. `isOpen`: with more bytes, a longer form may start there. */
export type SecretMatch = { readonly at: number; readonly end: number; readonly isOpen: boolean }

/** `digitsBefore`: how many digits of base64 or hex come directly before the bytes. */
export type MatchInput = { readonly bytes: Uint8Array; readonly digitsBefore: number }

/** The bytes from `at` to `from` lead to `node` in the trie. `hidden`: length of the longest form on the way. */
export type MatchStart = { readonly at: number; readonly from: number; readonly node: number; readonly hidden: number }
