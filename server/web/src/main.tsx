import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SettingsProvider } from './app/settings'
import { Shell } from './app/Shell'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/ask.css'
import './styles/panels.css'
import './styles/schema.css'
import './styles/plots.css'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <SettingsProvider>
        <Shell />
      </SettingsProvider>
    </StrictMode>,
  )
}
