// The routes. The landing is part of the first script; every other page is loaded on demand.
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { common } from '../texts/messages.ts'
import { LandingPage } from '../pages/landing.tsx'
import { docsPaths, paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'
import { Layout } from './layout.tsx'
import {
  AboutPage,
  AdminPage,
  ApiDocsPage,
  ConfirmEmailPage,
  ContactPage,
  LoginPage,
  LoginReturnPage,
  NotFoundPage,
  PrivacyPage,
  RegisterPage,
  ReportPage,
  ResetPasswordPage,
  TermsPage,
  ToolsPage,
  userPages,
} from './pages.ts'
import { AdminOnly, Protected } from './protected.tsx'
import { useShownPath } from './route-change.ts'

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
        {docsPaths.map((path) => (
          <Route key={path} path={path}>
            <Protected loadingText={common.loadingApiDocs}>
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
