// The release that this is; the tests hold it against package.json.
export const VERSION = 'v1.15.0'
