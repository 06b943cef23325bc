// The routes. The landing is part of the first script; every other page is loaded on demand.
import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { common } from '../texts/messages.ts'
import { LandingPage } from '../pages/landing.tsx'
import { paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'
import { Layout } from './layout.tsx'
import { AdminOnly, Protected } from './protected.tsx'
import { useShownPath } from './route-change.ts'

const LoginPage = lazy(async () => ({ default: (await import('../pages/login.tsx')).LoginPage }))
const LoginReturnPage = lazy(async () => ({ default: (await import('../pages/login-return.tsx')).LoginReturnPage }))
const ConfirmEmailPage = lazy(async () => ({ default: (await import('../pages/confirm-email.tsx')).ConfirmEmailPage }))
const ResetPasswordPage = lazy(async () => ({
  default: (await import('../pages/reset-password.tsx')).ResetPasswordPage,
}))
const RegisterPage = lazy(async () => ({ default: (await import('../pages/register.tsx')).RegisterPage }))
const DashboardPage = lazy(async () => ({ default: (await import('../pages/dashboard.tsx')).DashboardPage }))
const NotificationsPage = lazy(async () => ({
  default: (await import('../pages/notifications.tsx')).NotificationsPage,
}))
const ApiKeysPage = lazy(async () => ({ default: (await import('../pages/api-keys.tsx')).ApiKeysPage }))
const AccountPage = lazy(async () => ({ default: (await import('../pages/account.tsx')).AccountPage }))
const ApiDocsPage = lazy(async () => ({ default: (await import('../pages/api-docs.tsx')).ApiDocsPage }))
const AdminPage = lazy(async () => ({ default: (await import('../pages/admin.tsx')).AdminPage }))
const ToolsPage = lazy(async () => ({ default: (await import('../pages/tools.tsx')).ToolsPage }))
const AboutPage = lazy(async () => ({ default: (await import('../pages/prose-page.tsx')).AboutPage }))
const ContactPage = lazy(async () => ({ default: (await import('../pages/contact.tsx')).ContactPage }))
const ReportPage = lazy(async () => ({ default: (await import('../pages/report.tsx')).ReportPage }))
const PrivacyPage = lazy(async () => ({ default: (await import('../pages/prose-page.tsx')).PrivacyPage }))
const TermsPage = lazy(async () => ({ default: (await import('../pages/prose-page.tsx')).TermsPage }))
const NotFoundPage = lazy(async () => ({ default: (await import('../pages/not-found.tsx')).NotFoundPage }))

const userPages = [
  [paths.dashboard, DashboardPage],
  [paths.notifications, NotificationsPage],
  [paths.apiKeys, ApiKeysPage],
  [paths.account, AccountPage],
] as const

export function Routes() {
  const shownPath = useShownPath()
  return (
    <Layout shownPath={shownPath}>
      <Switch location={shownPath}>
        <Route path={paths.home} component={LandingPage} />
        <Route path={paths.login} component={LoginPage} />
        <Route path={paths.loginReturn} component={LoginReturnPage} />
        <Route path={paths.register} component={RegisterPage} />
        <Route path={paths.confirmEmail} component={ConfirmEmailPage} />
        <Route path={paths.resetPassword} component={ResetPasswordPage} />
        {userPages.map(([path, Page]) => (
          <Route key={path} path={path}>
            <Protected>
              <Page />
            </Protected>
          </Route>
        ))}
        {[paths.apiDocs, paths.apiDocsPage].map((path) => (
          <Route key={path} path={path}>
            <Protected>
              <Suspense fallback={<Loading text={common.loadingApiDocs} />}>
                <ApiDocsPage />
              </Suspense>
            </Protected>
          </Route>
        ))}
        <Route path={paths.admin}>
          <AdminOnly otherwise={<NotFoundPage />}>
            <AdminPage />
          </AdminOnly>
        </Route>
        <Route path={paths.tools} component={ToolsPage} />
        <Route path={paths.about} component={AboutPage} />
        <Route path={paths.contact} component={ContactPage} />
        <Route path={paths.report} component={ReportPage} />
        <Route path={paths.privacy} component={PrivacyPage} />
        <Route path={paths.terms} component={TermsPage} />
        <Route component={NotFoundPage} />
      </Switch>
    </Layout>
  )
}
