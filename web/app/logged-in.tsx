// The frame of every page of a signed-in user, in a script of its own: the landing does not load it.
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { DropAnywhere } from '../features/upload/drop/drop-anywhere.tsx'
import { rulesOf } from '../features/upload/drop/accepted-files.ts'
import { userQueue } from '../features/upload/engine/user-queue.ts'
import { UploadQueue } from '../features/upload/queue/upload-queue.tsx'
import { UploadedActions, UploadedImages } from '../pages/uploaded-images.tsx'
import { useConfirmationRequest } from '../model/confirmation.ts'
import { expiringImages } from '../model/images/expiring-images.ts'
import { useOnline } from '../model/online.ts'
import { openReportCount } from '../model/open-reports.ts'
import { queryClient } from '../model/query-client.ts'
import { followTabs, imageList } from '../model/images/other-tabs.ts'
import { refreshUser, useIsAdmin } from '../model/session.ts'
import { refusedTokens } from '../model/token.ts'
import { shell } from '../texts/shell-messages.ts'
import { followTooltips } from '../ui/menu/follow-tooltips.ts'
import { notify } from '../ui/toast/toast.ts'
import { Bell, CloudUpload, Images, Menu } from 'lucide-react'
import { useLocation } from 'wouter'
import { header } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { accountMenuId } from './account-menu.tsx'
import { chooseImage } from './choose-image.ts'
import { NotificationsLink } from './notifications-link.tsx'

const ConfirmIdentity = onDemand(
  async () => (await import('../features/account/security/confirm-identity.tsx')).ConfirmIdentity,
)

const rules = rulesOf('user')

export function LoggedIn({ userId }: { userId: string }) {
  useFreshCount(expiringImages)
  useFreshCount({ ...openReportCount, enabled: useIsAdmin() })
  useSessionEnd()
  useEffect(() => followTabs(refreshTotals), [])
  useEffect(followTooltips, [])
  const confirmation = useConfirmationRequest()
  return (
    <>
      <UploadQueue userId={userId}>
        {(images, isRow) =>
          isRow ? (
            images.map((image) => <UploadedActions key={image.id} uploaded={image} />)
          ) : (
            <div className="border-t border-border px-3.5 py-2.5">
              <UploadedImages images={images} />
            </div>
          )
        }
      </UploadQueue>
      <DropAnywhere rules={rules} isEnabled onUploads={userQueue.enqueue} />
      <BottomBar />
      {confirmation !== null && (
        <Suspense>
          <ConfirmIdentity request={confirmation} />
        </Suspense>
      )}
    </>
  )
}

/** The account's own figures, also after changes in other tabs: what these changed may be in the figures or not. */
function refreshTotals(subjects: ReadonlySet<string> | 'all'): void {
  if (subjects === 'all' || subjects.has(imageList))
    refreshUser().catch((error: unknown) => console.info('The totals were not loaded', error))
}

const countRefreshMs = 10 * 60_000
/** On return to the page, an older count is loaded again. */
const countReturnMs = 60_000

/** Keeps the number of a badge up to date while the page is visible and online. */
function useFreshCount<Counted, Key extends QueryKey>(options: UseQueryOptions<Counted, Error, Counted, Key>): void {
  const isOnline = useOnline()
  useQuery(
    {
      ...options,
      refetchInterval: isOnline && countRefreshMs,
      refetchOnWindowFocus: ({ state: { dataUpdatedAt, errorUpdatedAt } }) =>
        isOnline && Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) >= countReturnMs ? 'always' : false,
    },
    queryClient,
  )
}

/** Shows a toast when the server rejects the token during a session. At page load there is none: the user has lost nothing. */
function useSessionEnd(): void {
  useEffect(() => refusedTokens.subscribe(() => notify.error(shell.authRequired, 'session')), [])
}

function BottomBar() {
  const [, navigate] = useLocation()
  return (
    <nav aria-label={header.nav} className="bottom-bar">
      <Link to={paths.dashboard} className="bottom-bar-item">
        <Images className="size-5" aria-hidden />
        {header.dashboard}
      </Link>
      <button
        type="button"
        className="bottom-bar-item"
        onClick={() => void chooseImage(() => navigate(paths.dashboard))}
      >
        <CloudUpload className="size-5" aria-hidden />
        {shell.upload}
      </button>
      <NotificationsLink className="bottom-bar-item">
        <Bell className="size-5" aria-hidden />
      </NotificationsLink>
      <button type="button" className="bottom-bar-item" popoverTarget={accountMenuId}>
        <Menu className="size-5" aria-hidden />
        {shell.menu}
      </button>
    </nav>
  )
}
