// The release that this is; a test holds it against package.json.
export const VERSION = '1.15.0'
