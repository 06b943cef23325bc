import { promptInstall, declineInstall } from '../model/install-offer.ts'
import { installing } from '../texts/install-messages.ts'
import { Logo } from '../ui/logo.tsx'

/** Offers to install the page as an app. Rendered while useInstallOffer() returns true. */
export function InstallBar({ siteName }: { siteName: string }) {
  return (
    <aside
      aria-label={installing.label}
      className="card fixed right-2 bottom-[calc(4rem+env(safe-area-inset-bottom))] left-2 z-30 flex flex-wrap items-center gap-x-3 gap-y-2.5 p-3.5 shadow-menu md:right-auto md:bottom-4 md:left-4 md:w-96"
    >
      <Logo className="size-9 shrink-0" />
      <p className="min-w-0 flex-1 basis-48 text-dense text-text-2">{installing.text}</p>
      <div className="ml-auto flex flex-wrap gap-2">
        <button type="button" className="btn btn-ghost btn-sm" onClick={declineInstall}>
          {installing.refuse}
        </button>
        <button type="button" className="btn btn-primary btn-sm max-w-56" onClick={() => void promptInstall()}>
          <span className="truncate">{installing.install(siteName)}</span>
        </button>
      </div>
    </aside>
  )
}
