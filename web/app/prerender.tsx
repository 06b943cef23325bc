// Used by the build only (vite.config.ts): the landing as HTML, as a logged-out visitor first sees it.
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'
import { paths } from '../paths.ts'

export const renderLanding = () =>
  renderToString(
    <StrictMode>
      <StaticRouter location={paths.home}>
        <App />
      </StaticRouter>
    </StrictMode>,
  )
