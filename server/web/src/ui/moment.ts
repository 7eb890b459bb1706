/** A moment in words: seconds since 1970, or a date as the service writes it. */
export function moment(at: number | string, lang: string): string {
  const date = new Date(typeof at === 'number' ? at * 1000 : at)
  if (Number.isNaN(date.getTime())) return String(at)
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}
