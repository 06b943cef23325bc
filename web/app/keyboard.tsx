// The actions of the global keyboard shortcuts, and the two dialogs they open.
import { Fragment, lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '../model/session.ts'
import { closeShellDialog, openShellDialog, useShellDialog } from '../model/shell-dialog.ts'
import type { ShortcutCommand } from '../features/shortcuts/keymap.ts'
import { useShortcuts } from '../features/shortcuts/use-shortcuts.ts'
import { paths } from '../paths.ts'
import { chooseImage } from './choose-image.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'

const SiteCommands = lazy(async () => ({ default: (await import('./site-commands.tsx')).SiteCommands }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('../features/shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** @param takeEarly returns the keys that were pressed while this script was loading */
export function Keyboard({ takeEarly }: { takeEarly: () => KeyboardEvent[] }) {
  const [, navigate] = useLocation()
  const { status } = useSession()
  const opened = useShellDialog()

  const actions: Record<ShortcutCommand, () => void> = {
    palette: () => openShellDialog('palette'),
    help: () => openShellDialog('shortcuts'),
    search: focusSearch,
    chooseImage: () => void chooseImage(() => navigate(status === 'in' ? paths.dashboard : paths.home)),
    dashboard: () => navigate(paths.dashboard),
    notifications: () => navigate(paths.notifications),
    apiKeys: () => navigate(paths.apiKeys),
    apiDocs: () => navigate(paths.apiDocs),
  }
  useShortcuts((command) => actions[command](), takeEarly)

  if (opened === null) return null
  return (
    // The page works without these dialogs.
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <Fragment key={opened.id}>
          {opened.dialog === 'palette' && <SiteCommands onClose={() => closeShellDialog(opened)} />}
          {opened.dialog === 'shortcuts' && <ShortcutsDialog onClose={() => closeShellDialog(opened)} />}
        </Fragment>
      </Suspense>
    </ErrorBoundary>
  )
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) return openShellDialog('palette')
  field.focus()
  field.select()
}
