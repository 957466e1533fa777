// A change that the platform makes to a compose file. It is reported, and is not a fault.

/** `key` is the key in the compose file, as in refusals. Sentences contain names of keys, paths and ports, but no other values. */
export type Note = { readonly key: string; readonly sentence: string }
