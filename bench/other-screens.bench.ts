// Measures the screens besides landing and dashboard in the same way, in a database of 1,000,000 users, images and documents.
import type { Page } from '@playwright/test'
import { jpeg } from '../e2e/e2e-images.ts'
import { admin, adminSettings, logIn, requestJson, store } from '../faults/client.ts'
import { copyImage } from './copied-images.ts'
import { type Database, imageColumns, numbers, withDatabase } from './databases.ts'
import type { Form, Benchmark, Table } from './benchmark.ts'
import { measureScreens, type Screen } from './throttled-browser.ts'
import { withServer } from '../faults/resources.ts'

const shape = { short: { many: 1_000, rounds: 1 }, full: { many: 1_000_000, rounds: 5 } } as const
const pin = '1234'
const dayMs = 86_400_000
/** Images of the visitor, all about to expire. They are the newest ones. */
const expiring = 200

// By selectors: roles and names of the whole page would be computed on its slow processor, between a click and its paint.
const dialog = (page: Page) => page.locator('dialog[open]')

/** The database view replaces the documentation while it is unlocked. */
const screens: (Screen & { isUnlocked?: true })[] = [
  {
    name: 'API documentation',
    path: '/api-docs#endpoints',
    waitFor: (page) => page.getByRole('tabpanel').first().waitFor(),
    steps: {
      'typing in the search': (page) =>
        page.getByRole('searchbox', { name: 'Search endpoints' }).pressSequentially('upload'),
      'tab Examples': (page) => page.getByRole('tab', { name: 'Examples' }).click(),
      'tab Authentication': (page) => page.getByRole('tab', { name: 'Authentication' }).click(),
    },
  },
  {
    name: 'database view',
    path: '/api-docs?db=many',
    isUnlocked: true,
    waitFor: (page) => page.getByRole('rowheader').first().waitFor(),
    steps: {
      async 'next page'(page) {
        const ofPage2 = page.waitForResponse(/skip=/)
        await page.getByRole('button', { name: 'Next page' }).click()
        await ofPage2
      },
      'all selected': (page) => page.getByRole('checkbox', { name: 'Select all on this page' }).click(),
      'one selected': (page) =>
        page
          .getByRole('checkbox', { name: /^Select many/ })
          .first()
          .click(),
    },
  },
  {
    name: 'admin: statistics',
    path: '/admin',
    waitFor: (page) => page.getByRole('heading', { name: 'Storage by owner' }).waitFor(),
    steps: {
      'tab Cleanup': (page) => page.getByRole('tab', { name: 'Cleanup' }).click(),
      'tab Users': (page) => page.getByRole('tab', { name: 'Users' }).click(),
      'tab Images': (page) => page.getByRole('tab', { name: 'Images' }).click(),
    },
  },
  {
    name: 'admin: users',
    path: '/admin?tab=users',
    waitFor: (page) => page.getByRole('rowheader').first().waitFor(),
    steps: {
      async 'dialog opened'(page) {
        await page.locator('button[aria-label^="Edit "]').first().click()
        await dialog(page).waitFor()
      },
      'dialog closed': (page) => page.keyboard.press('Escape'),
    },
  },
  {
    name: 'admin: images',
    path: '/admin?tab=images',
    waitFor: (page) => page.getByRole('checkbox').first().waitFor(),
    steps: {
      'one selected': (page) => page.locator('.moderated input[type=checkbox]').nth(1).click(),
      async 'viewer opened'(page) {
        await page.locator('button[aria-label^="View "]').first().click()
        await dialog(page).locator('img').first().waitFor()
      },
      'viewer closed': (page) => page.keyboard.press('Escape'),
    },
  },
  {
    name: `notifications, ${expiring} expiring images`,
    path: '/notifications',
    waitFor: (page) =>
      page
        .getByRole('button', { name: /^Extend picture/ })
        .first()
        .waitFor(),
    steps: {
      'image extended': (page) => page.locator('button[aria-label^="Extend picture"]').nth(1).click(),
    },
  },
]

export const benchmark: Benchmark = {
  title: 'further screens in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, each opened by its address',
  run: (form) => withDatabase('sqlite', (folder, database) => measure(form, folder, database)),
}

async function measure(form: Form, dataDir: string, { kind, run: sql }: Database): Promise<Table[]> {
  const { many, rounds } = shape[form]
  const env = { ...adminSettings, DB_VIEW_PIN: pin }
  const first = await withServer({ dataDir, env }, async ({ url }) =>
    store(url, await jpeg(1500, 1000), { token: await logIn(url, admin) }),
  )
  await copyImage(dataDir, first.id, expiring - 1)
  await sql(`update images set expires_at = ${Date.now() + 3 * dayMs}`)
  for (const statement of fillDatabase(kind, many)) await sql(statement)
  return withServer({ dataDir, env }, async ({ url }) => {
    const token = await logIn(url, admin)
    const { token: opened } = await requestJson<{ token: string }>(`${url}/db/unlock`, { body: { pin }, token })
    // As the page stores it.
    const database = JSON.stringify({ token: opened, endsAt: Date.now() + 900_000, session: token.slice(-16) })
    const open = ({ isUnlocked, ...screen }: (typeof screens)[number]): Screen => ({
      ...screen,
      token,
      ...(isUnlocked && { stored: { database } }),
    })
    return measureScreens(url, screens.map(open), rounds)
  })
}

/** SQL that creates, in seconds, 200 collections, and `many` users, images and documents of the collection `many`. */
function fillDatabase(kind: Database['kind'], many: number): string[] {
  const rows = numbers(kind, 0, many - 1)
  const names = Array.from({ length: 199 }, (_, n) => `('c${n}', 'collection ${n}', 0, 0, 0)`)
  return [
    `insert into collections (id, name, documents, next_position, created_at) values ${names.join(', ')}`,
    `insert into collections (id, name, documents, next_position, created_at) values ('many', 'many', ${many}, ${many}, 0);
     insert into documents (collection_id, id, position, body, bytes, version, created_at, updated_at)
       select 'many', 'many-' || n, n, '${body.replace('"n":0', `"n":' || n || '`)}', ${body.length}, 0, n, n from ${rows}`,
    `insert into users (id, email, name, first_name, last_name, role, status, password_hash, image_count, image_bytes,
       created_at, mail_digest)
     select 'user-' || n, 'user-' || n || '@example.com', 'User ' || n, '', '', 'user', 'Active', '', 0, 0, n, 0
     from ${rows}`,
    `insert into images (${imageColumns})
     select 'image-' || n, 'image-' || n || '.jpg', 'picture.jpg', 'user-' || n, 'jpeg', 800, 600, 1, 0, 1000, '', '#808080',
       n, 9000000000000
     from ${rows}`,
  ]
}

const body = JSON.stringify({
  n: 0,
  make: 'Trabant',
  model: { name: '601 Kombi', years: [1965, 1990] },
  completed: false,
  priority: 'low',
  notes: 'A small car with a two-stroke engine, built in Zwickau, and loved by those who waited ten years for it.',
})
