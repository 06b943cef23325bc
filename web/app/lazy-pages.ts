// The scripts that are loaded on demand: all pages but the landing, and the parts of the frame that
// only signed-in users see.
import { albumOfPath, docsPaths, guestPageAt, paths, unknownPath } from '../paths.ts'
import { onDemand } from '../ui/on-demand.tsx'

export const LoginPage = onDemand(async () => (await import('../pages/login.tsx')).LoginPage)
export const LoginReturnPage = onDemand(async () => (await import('../pages/login-return.tsx')).LoginReturnPage)
export const ConfirmEmailPage = onDemand(async () => (await import('../pages/confirm-email.tsx')).ConfirmEmailPage)
export const ResetPasswordPage = onDemand(async () => (await import('../pages/reset-password.tsx')).ResetPasswordPage)
export const RegisterPage = onDemand(async () => (await import('../pages/register.tsx')).RegisterPage)
export const DashboardPage = onDemand(async () => {
  const { preloadImages, DashboardPage: Page } = await import('../pages/dashboard.tsx')
  await preloadImages()
  return Page
})
export const AlbumsPage = onDemand(async () => (await import('../pages/albums/albums-page.tsx')).AlbumsPage)
export const AlbumInvitePage = onDemand(async () => (await import('../pages/albums/invite-page.tsx')).AlbumInvitePage)
export const AlbumPage = onDemand(async () => (await import('../pages/albums/album-page.tsx')).AlbumPage)
export const TagsPage = onDemand(async () => (await import('../pages/tags.tsx')).TagsPage)
export const NotificationsPage = onDemand(async () => (await import('../pages/notifications.tsx')).NotificationsPage)
export const ApiKeysPage = onDemand(async () => (await import('../pages/api-keys.tsx')).ApiKeysPage)
export const LinksPage = onDemand(async () => (await import('../pages/links.tsx')).LinksPage)
export const AccountPage = onDemand(async () => (await import('../pages/account.tsx')).AccountPage)
export const ApiDocsPage = onDemand(async () => {
  const { ApiDocsPage: Page, loadShownView } = await import('../pages/api-docs.tsx')
  await loadShownView()
  return Page
})
const AdminPage = onDemand(async () => (await import('../pages/admin.tsx')).AdminPage)
export const ToolsPage = onDemand(async () => (await import('../pages/tools.tsx')).ToolsPage)
export const AboutPage = onDemand(async () => (await import('../pages/prose-page.tsx')).AboutPage)
export const ContactPage = onDemand(async () => (await import('../pages/contact.tsx')).ContactPage)
export const ReportPage = onDemand(async () => (await import('../pages/report.tsx')).ReportPage)
export const PrivacyPage = onDemand(async () => (await import('../pages/prose-page.tsx')).PrivacyPage)
export const TermsPage = onDemand(async () => (await import('../pages/prose-page.tsx')).TermsPage)
export const NotFoundPage = onDemand(async () => (await import('../pages/not-found.tsx')).NotFoundPage)
export const AccountLinks = onDemand(async () => (await import('./account-links.tsx')).AccountLinks)
export const GuestFrame = onDemand(async () => (await import('./guest-frame.tsx')).GuestFrame)
export const LoggedIn = onDemand(async () => (await import('./logged-in.tsx')).LoggedIn)

/** Pages that need a session but no role. */
export const userPages = [
  [paths.dashboard, DashboardPage],
  [paths.albums, AlbumsPage],
  [paths.tags, TagsPage],
  [paths.notifications, NotificationsPage],
  [paths.apiKeys, ApiKeysPage],
  [paths.links, LinksPage],
  [paths.account, AccountPage],
] as const

/** Pages for admins, not found for others. */
export const adminPages = [[paths.admin, AdminPage]] as const

/** Pages for everyone, but for the landing. */
export const guestPages = {
  [paths.login]: LoginPage,
  [paths.loginReturn]: LoginReturnPage,
  [paths.register]: RegisterPage,
  [paths.confirmEmail]: ConfirmEmailPage,
  [paths.resetPassword]: ResetPasswordPage,
  [paths.albumInvite]: AlbumInvitePage,
  [paths.tools]: ToolsPage,
  [paths.about]: AboutPage,
  [paths.contact]: ContactPage,
  [paths.report]: ReportPage,
  [paths.privacy]: PrivacyPage,
  [paths.terms]: TermsPage,
  [unknownPath]: NotFoundPage,
}

/** Loads the script of the page for everyone that is shown first, if one is. */
export async function loadGuestPage(isGuest: boolean): Promise<void> {
  await guestPageAt(guestPages, location.pathname, isGuest)?.load()
}

/** Loads the scripts of the page that a signed-in user has opened, and the images of the dashboard. */
export async function loadOpenedPage(): Promise<void> {
  const pages = new Map<string, { load: () => Promise<unknown> }>([
    ...userPages,
    ...docsPaths.map((path) => [path, ApiDocsPage] as const),
    ...adminPages,
    // A session is sent from there to the dashboard.
    [paths.home, DashboardPage],
  ])
  const page = albumOfPath(location.pathname) === undefined ? pages.get(location.pathname) : AlbumPage
  await Promise.all([AccountLinks.load(), LoggedIn.load(), page?.load()])
}
