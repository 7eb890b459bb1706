/** Bytes in words. */
export function size(bytes: number, lang: string): string {
  const units = ['B', 'kB', 'MB', 'GB'] as const
  let at = 0
  let value = bytes
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${new Intl.NumberFormat(lang, { maximumFractionDigits: value < 10 && at > 0 ? 1 : 0 }).format(value)} ${units[at]}`
}
