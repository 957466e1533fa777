/** Questions that several rules ask of a text: its length in characters and in bytes, and what hides in it. */

/** Counted in code points, so that a character outside the basic plane is one character. */
export const countCharacters = (text: string): number => Array.from(text).length

export const countBytes = (text: string): number => new TextEncoder().encode(text).length

/** Half of a surrogate pair has no bytes in UTF-8: stored, it would come back as another text. */
export const hasStoredForm = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text)

/** Whitespace, control and zero-width characters alone leave nothing to point at. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Control characters, ends of lines and paragraphs, and direction marks: shown in a list, they would move or hide other text. */
export const hasMarks = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)
