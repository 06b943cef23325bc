// Screens of the API documentation.
import type { Page } from '@playwright/test'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import type { Screens } from './open-screen.ts'

export const apiDocsScreens: Screens = {
  'api-docs': (page) => openDocs(page, '#overview'),
  'api-docs-roles': (page) => openDocs(page, '#authentication/roles'),
  'api-docs-endpoints': (page) => openDocs(page, '?category=images#endpoints'),
  'api-docs-none': (page) => openDocs(page, '?category=auth&q=nothing#endpoints'),
  'api-docs-examples': (page) => openDocs(page, '#examples'),
  endpoint: (page) => openDocs(page, '?e=post-api-images-id-extend-expiration#endpoints'),
  'endpoint-parameters': (page) => openDocs(page, '?e=post-api-users&show=parameters#endpoints'),
  'endpoint-responses': (page) => openDocs(page, '?e=post-api-upload&show=responses#endpoints'),
  'endpoint-try': async (page) => {
    await openDocs(page, '?e=put-api-users-userid&show=try#endpoints')
    await page.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByText('This is required')).toBeVisible()
  },
  'endpoint-answer': async (page) => {
    await openDocs(page, '?e=get-api-limits&show=try#endpoints')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('Headers (').click()
    await expect(page.getByText('content-type')).toBeVisible()
  },
}

/** Opens the documentation at the part that the URL names. */
async function openDocs(page: Page, address: string): Promise<void> {
  await logIn(page)
  await page.goto(`/api-docs${address}`)
  await expect(page.getByRole('tabpanel').first()).toBeVisible()
  if (address.includes('e=')) await expect(page.getByRole('dialog')).toBeVisible()
}
