// What the platform does with a compose file that the file does not say itself. Told, never asked: a note is no fault.

/** `key` is the place in the compose file, as in refusals. Sentences hold names of keys, paths and ports, and no other values. */
export type Note = { readonly key: string; readonly sentence: string }
