// Used by the build only (vite.config.ts): the landing as HTML, as a logged-out visitor first sees it.
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { paths } from '../paths.ts'
import { App } from './app.tsx'

export const renderLanding = () =>
  renderToString(
    <StrictMode>
      <Router ssrPath={paths.home}>
        <App />
      </Router>
    </StrictMode>,
  )
