// A script in the document itself: it loads what the dashboard needs before the first script has even arrived.
import { sendEarlyRequests } from '../data/early-requests.ts'
import { paths } from '../paths.ts'

/** Set by scripts/early-script.ts: the scripts and styles of the dashboard. */
declare const FILES: readonly string[]

// A session that opens the landing is sent to the dashboard.
if (location.pathname === paths.dashboard || document.documentElement.classList.contains('session-pending')) {
  sendEarlyRequests()
  for (const file of FILES) document.head.append(preloadOf(file))
}

/** Styles as a preload: their place among the others is decided by the script that needs them. */
function preloadOf(file: string): HTMLLinkElement {
  const link = document.createElement('link')
  if (file.endsWith('.css')) link.as = 'style'
  link.rel = link.as === 'style' ? 'preload' : 'modulepreload'
  link.crossOrigin = ''
  link.href = file
  return link
}
