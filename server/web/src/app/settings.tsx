import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { dictionaries, type Dictionary, type Lang } from '../text'

export type Theme = 'system' | 'light' | 'dark'

interface Settings {
  lang: Lang
  theme: Theme
  tenant: string
  setLang: (lang: Lang) => void
  setTheme: (theme: Theme) => void
  setTenant: (tenant: string) => void
}

const Context = createContext<Settings | null>(null)

/** A setting that is kept in this browser; where that is forbidden it lasts as long as the page. */
function useKept<T extends string>(name: string, initial: T, allowed?: readonly T[]): [T, (value: T) => void] {
  const key = `factmask.${name}`
  const [value, setValue] = useState<T>(() => {
    const kept = recall(key) as T | null
    return kept !== null && (!allowed || allowed.includes(kept)) ? kept : initial
  })
  const set = (next: T) => {
    setValue(next)
    keep(key, next)
  }
  return [value, set]
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows may forbid it; nothing is lost but the memory of it.
  }
}

export function SettingsProvider({ children }: { children: ReactNode }) {
  const [lang, setLang] = useKept<Lang>('lang', navigator.language.startsWith('zh') ? 'zh' : 'en', ['en', 'zh'])
  const [theme, setTheme] = useKept<Theme>('theme', 'system', ['system', 'light', 'dark'])
  const [tenant, setTenant] = useKept<string>('tenant', 'default')

  useEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])

  // The setters only close over the state's own setters, which do not change.
  const settings = useMemo(() => ({ lang, theme, tenant, setLang, setTheme, setTenant }), [lang, theme, tenant])
  return <Context value={settings}>{children}</Context>
}

export function useSettings(): Settings {
  const settings = useContext(Context)
  if (!settings) throw new Error('outside of SettingsProvider')
  return settings
}

export function useText(): Dictionary {
  return dictionaries[useSettings().lang]
}
