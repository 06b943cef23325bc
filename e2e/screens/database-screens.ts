// Screens of the database view.
import type { Page } from '@playwright/test'
import { logIn, unlock } from '../log-in.ts'
import { expect } from '../test.ts'
import type { Screens } from './open-screen.ts'

export const databaseScreens: Screens = {
  'database-pin': async (page) => {
    await logIn(page)
    await page.goto('/api-docs')
    await page.getByRole('button', { name: 'Database View' }).click()
    await expect(page.getByRole('dialog', { name: 'Database View' })).toBeVisible()
  },
  'database-empty': (page) => openDatabase(page, ''),
  database: (page) => openDatabase(page, '?db=makes'),
  'database-selection': async (page) => {
    await openDatabase(page, '?db=makes')
    await page.getByRole('checkbox', { name: 'Select make-1', exact: true }).check()
    await page.getByRole('button', { name: 'GUI', exact: true }).click()
    await expect(page.getByText('1 selected')).toBeVisible()
  },
  'delete-documents': async (page) => {
    await openDatabase(page, '?db=makes')
    await page.getByRole('checkbox', { name: 'Select make-1', exact: true }).check()
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete 1 document?' })).toBeVisible()
  },
  document: async (page) => {
    await openDatabase(page, '?db=makes&doc=make-1')
    await expect(page.getByRole('treeitem', { name: /"completed"/ })).toBeVisible()
  },
  'document-edit': async (page) => {
    await openDatabase(page, '?db=makes&doc=make-1')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('group', { name: 'Edit document' }).getByLabel('name').fill('Changed')
    await expect(page.getByText('1 change, kept as a draft')).toBeVisible()
  },
  'delete-collection': async (page) => {
    await openDatabase(page, '?db=makes')
    await page.getByRole('button', { name: 'Delete makes' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete this collection?' })).toBeVisible()
  },
}

/** Opens the database view of a new user, unlocked through the API. @param search for example '?db=makes&doc=make-1' */
async function openDatabase(page: Page, search: string): Promise<void> {
  const token = await logIn(page)
  const { request, headers } = await unlock(page, token)
  const data = Array.from({ length: 12 }, (_, at) => ({
    _id: `make-${at}`,
    name: `Make ${at}`,
    completed: at % 2 === 0,
  }))
  // Rejected when another screen created them first.
  await request.post('/db/collections/makes/documents', { headers, data })
  await page.goto(`/api-docs${search}`)
  await expect(page.getByText(search === '' ? 'No Collection Selected' : 'Make 1').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'makes' })).toBeVisible()
}
