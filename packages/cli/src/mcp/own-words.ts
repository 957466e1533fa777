/**
 * Text of the platform and the client themselves, which a model may trust. The type keeps everything else out: names, messages, titles,
 * branches, commit subjects and output go into the fence of an answer.
 */

declare const isOwn: unique symbol
export type OwnWords = string & { readonly [isOwn]: true }

/** A sentence of ours. Only numbers and other own words can be put into it. */
export const own = (texts: TemplateStringsArray, ...values: readonly (number | OwnWords)[]): OwnWords =>
  String.raw({ raw: texts }, ...values) as OwnWords

export const joinOwn = (lines: readonly OwnWords[], separator = '\n'): OwnWords => lines.join(separator) as OwnWords

/** A word that the platform chooses from a fixed list: a status, a phase, a key of its own. Anything longer or stranger is no such word. */
export const ownWord = (word: string): OwnWords =>
  (/^[A-Za-z][\w-]*(?: [\w-]+){0,2}$/.test(word) && word.length <= 40 ? word : 'unknown') as OwnWords

/** An address of the platform, which it makes from its own address and numbers. */
export const ownAddress = (address: string): OwnWords => (URL.parse(address)?.href ?? 'unknown') as OwnWords
