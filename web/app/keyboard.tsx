// The actions of the global keyboard shortcuts, and the two dialogs they open.
import { Fragment, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { holdKeys, releaseKeys } from '../model/held-keys.ts'
import { useSession } from '../model/session.ts'
import { closeShellDialog, openShellDialog, useShellDialog } from '../model/shell-dialog.ts'
import type { ShortcutCommand } from '../features/shortcuts/site-keymap.ts'
import { useShortcuts } from '../features/shortcuts/use-shortcuts.ts'
import { paths } from '../paths.ts'
import { chooseImage } from './choose-image.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { onDemand } from '../ui/on-demand.tsx'

const loadCommands = () => import('./site-commands.tsx')
const SiteCommands = onDemand(async () => (await loadCommands()).SiteCommands)
const ShortcutsDialog = onDemand(
  async () => (await import('../features/shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
)

/** @param takeEarly returns the keys that were pressed while this script was loading */
export function Keyboard({ takeEarly }: { takeEarly: () => KeyboardEvent[] }) {
  const [, navigate] = useLocation()
  const { status } = useSession()
  const opened = useShellDialog()

  const actions: Record<ShortcutCommand, () => void> = {
    palette: openPalette,
    help: () => void openShellDialog('shortcuts'),
    search: focusSearch,
    chooseImage: () => void chooseImage(() => navigate(status === 'in' ? paths.dashboard : paths.home)),
    dashboard: () => navigate(paths.dashboard),
    albums: () => navigate(paths.albums),
    notifications: () => navigate(paths.notifications),
    apiKeys: () => navigate(paths.apiKeys),
    apiDocs: () => navigate(paths.apiDocs),
  }
  useShortcuts((command) => actions[command](), takeEarly)

  useEffect(loadWhenIdle, [])

  if (opened === null) return null
  return (
    // The page works without these dialogs.
    <ErrorBoundary fallback={() => <Unavailable />}>
      <Suspense>
        <Fragment key={opened.id}>
          {opened.dialog === 'palette' && <SiteCommands onClose={() => closeShellDialog(opened)} />}
          {opened.dialog === 'shortcuts' && <ShortcutsDialog onClose={() => closeShellDialog(opened)} />}
        </Fragment>
      </Suspense>
    </ErrorBoundary>
  )
}

function openPalette(): void {
  const opening = openShellDialog('palette')
  holdKeys(() => closeShellDialog(opening))
}

/** Gives the keys back to the page whenever the palette cannot be loaded. */
function Unavailable() {
  useEffect(() => void releaseKeys())
  return null
}

/** So that the palette opens at once. A script that fails to load is asked for again when the palette is opened. */
function loadWhenIdle(): () => void {
  const load = () => void loadCommands().catch((error: unknown) => console.info('The palette is not loaded yet', error))
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(load)
  return () => cancelIdleCallback(handle)
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) return openPalette()
  field.focus()
  field.select()
}
