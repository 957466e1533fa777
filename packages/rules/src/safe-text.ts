// Makes untrusted text safe to show: removes control sequences and invisible characters.
//
// Of the control characters only newline and tab are kept. An unterminated sequence loses only its first character, so that nothing can
// be hidden behind it.

export function safeText(text: string): string {
  return text.replaceAll(UNSAFE, '')
}

/** Colours, cursor moves and the like: parameters, then one final character. */
const CONTROL_SEQUENCE = String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`
/** Titles, links, the clipboard, device strings: anything up to a terminator, on one line and before the next opening. */
const STRING_SEQUENCE = String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)`
/** Character sets, resets. Those that open a sequence of the above are left to the next line. */
const SHORT_SEQUENCE = String.raw`\u001b(?:[ -/]+[0-~]|[0-OQ-WYZ\\\x60-~])`
const CONTROL_CHARACTER = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`
/** No width, another direction, another kind of line end, invisible copies of ASCII; surrogates without their other half. */
const INVISIBLE = String.raw`[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ud800-\udfff]`

const UNSAFE = new RegExp(
  [CONTROL_SEQUENCE, STRING_SEQUENCE, SHORT_SEQUENCE, CONTROL_CHARACTER, INVISIBLE].join('|'),
  'gu',
)
