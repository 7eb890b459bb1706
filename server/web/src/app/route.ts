import { useSyncExternalStore } from 'react'

export const pages = ['ask', 'schema', 'graph', 'documents', 'review', 'numbers'] as const
export type Page = (typeof pages)[number]

export interface Route {
  page: Page
  params: URLSearchParams
}

/** Reads `#/graph?entity=...`; what is no page is the first one. */
export function read(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const page = pages.find((name) => name === path) ?? 'ask'
  return { page, params: new URLSearchParams(search) }
}

export function href(page: Page, params: Record<string, string> = {}): string {
  const search = new URLSearchParams(params).toString()
  return search ? `#/${page}?${search}` : `#/${page}`
}

export function go(page: Page, params: Record<string, string> = {}): void {
  location.hash = href(page, params)
}

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export function useRoute(): Route {
  return read(useSyncExternalStore(onHash, () => location.hash))
}
