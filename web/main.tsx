// Starts the page: hydrates the prerendered landing, renders everything else on the client.
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { loadGuestPage, loadOpenedPage } from './app/lazy-pages.ts'
import { watchInstallOffer } from './model/install-offer.ts'
import { session, startSession } from './model/session.ts'
import { paths } from './paths.ts'
import './styles.css'

/**
 * Until then the first paint waits for the script of a page for everyone, which comes with this one: 'Loading' would flicker.
 * On a slow line more than a fifth of a second would look like a page that does not open.
 */
const maxWaitMs = 200

startSession(loadOpenedPage)
watchInstallOffer()

document.documentElement.classList.remove('session-pending')
const container = document.getElementById('root') as HTMLElement
const isGuest = session.get().status === 'out'
// A new element each time: React does not render the same one again.
const app = () => (
  <StrictMode>
    <Router>
      <App />
    </Router>
  </StrictMode>
)

if (container.hasChildNodes() && location.pathname === paths.home && isGuest) {
  hydrateRoot(container, app())
} else {
  container.replaceChildren()
  const root = createRoot(container)
  const render = () => root.render(app())
  const timer = setTimeout(render, maxWaitMs)
  loadGuestPage(isGuest)
    // It is requested again, or reported, where the page is rendered.
    .catch((error: unknown) => console.info('Failed to load the page', error))
    .finally(() => {
      clearTimeout(timer)
      // Also after 'Loading' is shown: by itself React would show the page 300 ms later.
      render()
    })
}
