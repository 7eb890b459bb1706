import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { languages, type Lang } from '../text'
import { Guard } from './Guard'
import { href, pages, useRoute, type Page, type Route } from './route'
import { useSettings, useText, type Theme } from './settings'

const AskPage = lazy(() => import('../ask/AskPage'))
const SchemaPage = lazy(() => import('../schema/SchemaPage'))
const GraphPage = lazy(() => import('../graph/GraphPage'))
const DocumentsPage = lazy(() => import('../documents/DocumentsPage'))
const ReviewPage = lazy(() => import('../review/ReviewPage'))
const NumbersPage = lazy(() => import('../numbers/NumbersPage'))

export function Shell() {
  const text = useText()
  const { tenant } = useSettings()
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  const name = text.shell.pages[route.page]

  useEffect(() => {
    document.title = `${name} · ${text.shell.name}`
  }, [name, text])

  // A page that is come to by a link starts at its beginning, for readers of screens too.
  const first = useRef(true)
  useEffect(() => {
    if (!first.current) main.current?.focus()
    first.current = false
  }, [route.page])

  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {text.shell.skip}
      </a>
      <header className="bar">
        <a className="wordmark" href={href('ask')}>
          <Mark />
          {text.shell.name}
        </a>
        <nav aria-label={text.shell.navigation}>
          {pages.map((page) => (
            <a key={page} href={href(page)} aria-current={page === route.page ? 'page' : undefined}>
              {text.shell.pages[page]}
            </a>
          ))}
        </nav>
        <SettingsForm />
      </header>
      <main id="main" ref={main} tabIndex={-1} className={`page page-${route.page}`}>
        <Guard key={`${route.page} ${tenant}`} said={text.shell.broken} again={text.shell.reload}>
          <Suspense fallback={<p className="quiet pad">{text.shell.loading}</p>}>{content(route)}</Suspense>
        </Guard>
      </main>
    </>
  )
}

function content(route: Route): ReactNode {
  const of: Record<Page, () => ReactNode> = {
    ask: () => <AskPage />,
    schema: () => <SchemaPage />,
    graph: () => <GraphPage params={route.params} />,
    documents: () => <DocumentsPage params={route.params} />,
    review: () => <ReviewPage />,
    numbers: () => <NumbersPage />,
  }
  return of[route.page]()
}

function SettingsForm() {
  const text = useText()
  const settings = useSettings()
  return (
    <form className="settings" aria-label={text.shell.settings} onSubmit={(event) => event.preventDefault()}>
      <label>
        <span>{text.shell.tenant}</span>
        <input
          key={settings.tenant}
          defaultValue={settings.tenant}
          size={9}
          spellCheck={false}
          autoComplete="off"
          onBlur={(event) => settings.setTenant(event.target.value.trim() || 'default')}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settings.setTenant(event.currentTarget.value.trim() || 'default')
          }}
        />
      </label>
      <label>
        <span>{text.shell.language}</span>
        <select value={settings.lang} onChange={(event) => settings.setLang(event.target.value as Lang)}>
          {Object.entries(languages).map(([lang, name]) => (
            <option key={lang} value={lang} lang={lang}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{text.shell.theme}</span>
        <select value={settings.theme} onChange={(event) => settings.setTheme(event.target.value as Theme)}>
          {(['system', 'light', 'dark'] as const).map((theme) => (
            <option key={theme} value={theme}>
              {text.shell.themes[theme]}
            </option>
          ))}
        </select>
      </label>
    </form>
  )
}

/** The mark: blocks, of which one is hidden. */
function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <rect x="1" y="1" width="14" height="4" rx="1" fill="currentColor" />
      <rect x="1" y="6" width="6" height="4" rx="1" fill="currentColor" opacity="0.35" />
      <rect x="9" y="6" width="6" height="4" rx="1" fill="currentColor" />
      <rect x="1" y="11" width="9" height="4" rx="1" fill="currentColor" />
    </svg>
  )
}
