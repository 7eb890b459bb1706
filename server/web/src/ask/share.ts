/** A share of the whole in percent; one that is not nothing does not read as nothing. */
export function share(of: number): string {
  if (of > 0 && of < 0.001) return '<0.1%'
  return `${(of * 100).toFixed(1)}%`
}
