// The routes. The landing is in the first script; every other page comes when it is asked for.
import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import { LandingPage } from '../pages/landing.tsx'
import { paths } from '../paths.ts'
import { Layout } from './layout.tsx'
import { Protected } from './protected.tsx'

const LoginPage = lazy(async () => ({ default: (await import('../pages/login.tsx')).LoginPage }))
const RegisterPage = lazy(async () => ({ default: (await import('../pages/register.tsx')).RegisterPage }))
const DashboardPage = lazy(async () => ({ default: (await import('../pages/dashboard.tsx')).DashboardPage }))
const AboutPage = lazy(async () => ({ default: (await import('../pages/about.tsx')).AboutPage }))
const ContactPage = lazy(async () => ({ default: (await import('../pages/contact.tsx')).ContactPage }))
const PrivacyPage = lazy(async () => ({ default: (await import('../pages/privacy.tsx')).PrivacyPage }))
const TermsPage = lazy(async () => ({ default: (await import('../pages/terms.tsx')).TermsPage }))
const NotFoundPage = lazy(async () => ({ default: (await import('../pages/not-found.tsx')).NotFoundPage }))

export function Router() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.home} element={<LandingPage />} />
        <Route path={paths.login} element={<LoginPage />} />
        <Route path={paths.register} element={<RegisterPage />} />
        <Route element={<Protected />}>
          <Route path={paths.dashboard} element={<DashboardPage />} />
        </Route>
        <Route path={paths.about} element={<AboutPage />} />
        <Route path={paths.contact} element={<ContactPage />} />
        <Route path={paths.privacy} element={<PrivacyPage />} />
        <Route path={paths.terms} element={<TermsPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  )
}
