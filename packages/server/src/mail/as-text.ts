// Text of somebody's inside a mail. Mail programs turn addresses into links; a name keeps to one line and is never one.
export function asText(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll('://', '[:]//')
    .replaceAll(/\.(?=\S)/g, '[.]')
}
