/** Bytes in words. */
export function size(bytes: number, lang: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  let at = 0
  let value = bytes
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return new Intl.NumberFormat(lang, { style: 'unit', unit: units[at], unitDisplay: 'short', maximumFractionDigits: value < 10 && at > 0 ? 1 : 0 }).format(value)
}
