import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useText } from '../app/settings'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** `side` stands at the right edge, `wide` takes most of the window. */
  form?: 'middle' | 'side' | 'wide'
  foot?: ReactNode
}

/** The browser's own modal dialog: it holds the focus, gives it back, and closes on Escape. */
export function Dialog({ title, onClose, children, form = 'middle', foot }: Props) {
  const text = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) {
      element.showModal()
      // React's own `autoFocus` comes too early: opening gives the focus to the first button.
      element.querySelector<HTMLElement>('[data-first]')?.focus()
    }
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className={`dialog ${form}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close.current()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) close.current()
      }}
    >
      <div className="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <button className="plain" onClick={onClose} aria-label={text.shell.close}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="1.6" fill="none" />
            </svg>
          </button>
        </header>
        {/* It scrolls, so it must be reached by keyboard. */}
        <div className="dialog-body" tabIndex={0} role="group" aria-labelledby={id}>
          {children}
        </div>
        {foot && <footer>{foot}</footer>}
      </div>
    </dialog>
  )
}
