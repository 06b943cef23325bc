// Used only by the build (vite.config.ts): renders the landing of a logged-out visitor to HTML.
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
