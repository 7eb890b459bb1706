import { useRef, type ReactNode } from 'react'

/** A few buttons behind one. It closes when one is pressed, with Escape, and when the focus goes elsewhere. */
export function Menu({ name, children }: { name: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  return (
    <details
      ref={menu}
      className="menu"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        close()
        menu.current?.querySelector('summary')?.focus()
      }}
    >
      <summary>{name}</summary>
      <div onClick={close}>{children}</div>
    </details>
  )
}
