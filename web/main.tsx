// Starts the page: hydrates the prerendered landing, renders everything else on the client.
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { loadOpenedPage } from './app/lazy-pages.ts'
import { watchInstallOffer } from './model/install-offer.ts'
import { session, startSession } from './model/session.ts'
import { paths } from './paths.ts'
import './styles.css'

startSession(loadOpenedPage)
watchInstallOffer()

document.documentElement.classList.remove('session-pending')
const root = document.getElementById('root') as HTMLElement
const app = (
  <StrictMode>
    <Router>
      <App />
    </Router>
  </StrictMode>
)

if (root.hasChildNodes() && location.pathname === paths.home && session.get().status === 'out') {
  hydrateRoot(root, app)
} else {
  root.replaceChildren()
  createRoot(root).render(app)
}
