// Screens that load data: failing-data.spec.ts lets the request fail and recover, states.spec.ts looks at each state.
import type { Page } from '@playwright/test'
import { logIn, logInAsAdmin, unlock } from '../log-in.ts'
import { analyze, tile, uploadFor } from '../upload.ts'

export interface DataScreen {
  name: string
  path: string
  /** Of the request that fails. */
  data: RegExp
  /** What could not be loaded. */
  title: string | RegExp
  as?: 'admin'
  open?: (page: Page) => Promise<void>
  /** The red banner of the database view names the reason. */
  hasBanner?: boolean
}

const dashboard = '/dashboard'
const openDialogOf = (item: string) => async (page: Page) => {
  await tile(page, /./).getByRole('link').first().focus()
  await tile(page, /./).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Of this screen and state. */
async function openAlbum(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
  const created = await page.request.post('/api/albums', { headers, data: { title: 'Italy' } })
  await page.goto(`/albums/${((await created.json()) as { id: string }).id}`)
}

export const userDataScreens: DataScreen[] = [
  { name: 'dashboard', path: dashboard, data: /\/api\/images\?/, title: 'Failed to fetch images' },
  {
    name: 'notifications',
    path: '/notifications',
    data: /\/api\/expiring-images/,
    title: 'Failed to fetch expiring images',
  },
  { name: 'api-keys', path: '/api-keys', data: /\/api\/api-keys/, title: 'Failed to fetch API keys' },
  { name: 'webhooks', path: '/api-keys?tab=webhooks', data: /\/api\/webhooks/, title: 'Failed to load webhooks' },
  {
    name: 'account-security',
    path: '/account',
    data: /\/api\/me\/security/,
    title: 'Your login methods could not be loaded',
  },
  { name: 'sessions', path: '/account', data: /\/api\/sessions/, title: 'The sessions could not be loaded' },
  {
    name: 'analysis',
    path: dashboard,
    data: /\/api\/analyze\//,
    title: /Failed to (fetch|analyze) image/,
    open: analyze,
  },
  {
    name: 'views',
    path: dashboard,
    data: /\/views$/,
    title: 'The views could not be loaded',
    open: openDialogOf('Statistics'),
  },
  { name: 'albums', path: '/albums', data: /\/api\/albums$/, title: 'Your albums could not be loaded' },
  {
    name: 'add-to-album',
    path: dashboard,
    data: /\/api\/albums$/,
    title: 'Your albums could not be loaded',
    open: async (page) => {
      await openDialogOf('Add to album')(page)
      await page.getByRole('dialog', { name: 'Add to album' }).waitFor()
    },
  },
  {
    name: 'album-images',
    path: '/albums',
    data: /\/api\/albums\/[\w-]+\/images/,
    title: 'Failed to fetch images',
    open: openAlbum,
  },
  {
    name: 'album-members',
    path: '/albums',
    data: /\/api\/albums\/[\w-]+\/members/,
    title: 'The members could not be loaded',
    open: async (page) => {
      await openAlbum(page)
      await page.getByRole('button', { name: /^Members/ }).click()
      await page.getByRole('dialog', { name: 'Members of Italy' }).waitFor()
    },
  },
  { name: 'tags', path: '/tags', data: /\/api\/tags(\?|$)/, title: 'Your tags could not be loaded' },
  { name: 'links', path: '/links', data: /\/api\/links(\?|$)/, title: 'The links could not be loaded' },
  { name: 'trash', path: '/dashboard?deleted', data: /\/api\/trash/, title: 'Deleted images could not be loaded' },
]

export const adminDataScreens: DataScreen[] = [
  { name: 'admin', path: '/admin', data: /\/api\/database\/stats/, title: 'The statistics could not be loaded' },
  ...Object.entries({
    users: [/\/api\/users/, 'The users could not be loaded'],
    invites: [/\/api\/admin\/invites/, 'The invitations could not be loaded'],
    images: [/\/api\/admin\/images/, 'The images could not be loaded'],
    reports: [/\/api\/admin\/reports/, 'The reports could not be loaded'],
    blocklist: [/\/blocked-images/, 'The blocked images could not be loaded'],
    backups: [/\/database\/backups/, 'The backups could not be loaded'],
    cleanup: [/\/database\/cleanup/, 'The expired images could not be loaded'],
    audit: [/\/api\/admin\/audit/, 'The audit log could not be loaded'],
  } satisfies Record<string, [RegExp, string]>).map(([tab, [data, title]]) => ({
    name: `admin-${tab}`,
    path: `/admin?tab=${tab}`,
    data,
    title,
  })),
  {
    name: 'database',
    path: '/api-docs',
    data: /\/db\/collections$/,
    title: 'The collections are not loaded',
    hasBanner: true,
  },
  {
    name: 'database-documents',
    path: '/api-docs?db=users',
    data: /\/db\/collections\/users\?/,
    title: 'The documents are not loaded',
    hasBanner: true,
  },
].map((screen) => ({ ...screen, as: 'admin' as const }))

/** Logs in and makes what the screen needs besides its data: an image of a user, the unlocked view of an admin. */
export async function enter(page: Page, { as, hasBanner }: DataScreen): Promise<void> {
  if (as !== 'admin') await uploadFor(page, await logIn(page), 'harbour.jpg', '5d')
  else {
    const token = await logInAsAdmin(page)
    if (hasBanner === true) await unlock(page, token)
  }
}

/** As web/texts/strings.test.ts fixes it. */
export const bannerReason = /Failed to fetch|Error connecting to the server/

/** What could not be loaded, and why. */
export const failureOf = (page: Page, title: string | RegExp) => page.getByRole('alert').filter({ hasText: title })
