// The pages by their paths. The landing is part of the first script; every other page is loaded on demand.
import { Suspense, type ComponentType, type ReactNode } from 'react'
import { common } from '../texts/messages.ts'
import { LandingPage } from '../pages/landing/landing.tsx'
import { albumOfPath, docsPaths, pagePathOf, paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'
import { Layout } from './layout.tsx'
import { AlbumPage, ApiDocsPage, NotFoundPage, adminPages, guestPages, userPages } from './lazy-pages.ts'
import { AdminOnly, LoginRequired } from './login-required.tsx'
import { useShownPath } from './route-change.ts'

const pages: Readonly<Record<string, ComponentType>> = { ...guestPages, [paths.home]: LandingPage }

export function Routes() {
  const shownPath = useShownPath()
  return <Layout shownPath={shownPath}>{pageAt(shownPath)}</Layout>
}

function pageAt(shownPath: string): ReactNode {
  // Ids have upper and lower case.
  const album = albumOfPath(shownPath)
  if (album !== undefined)
    return (
      <LoginRequired key="album">
        <AlbumPage id={album} />
      </LoginRequired>
    )
  const path = pagePathOf(shownPath)
  const UserPage = userPages.find(([own]) => own === path)?.[1]
  if (UserPage)
    return (
      <LoginRequired key={path}>
        <UserPage />
      </LoginRequired>
    )
  if (docsPaths.includes(path))
    return (
      <LoginRequired key={path} loadingText={common.loadingApiDocs}>
        <Suspense fallback={<Loading text={common.loadingApiDocs} />}>
          <ApiDocsPage />
        </Suspense>
      </LoginRequired>
    )
  const AdminPage = adminPages.find(([own]) => own === path)?.[1]
  if (AdminPage)
    return (
      <AdminOnly otherwise={<NotFoundPage />}>
        <AdminPage />
      </AdminOnly>
    )
  const Page = pages[path] ?? NotFoundPage
  return <Page />
}
