// Screens of API keys, client set-ups and webhooks.
import type { Page } from '@playwright/test'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import { uploadFor } from '../upload.ts'
import type { Screens } from './open-screen.ts'

export const apiKeyScreens: Screens = {
  'api-keys': async (page) => {
    const limits = { expiresAt: '2999-01-31T12:00:00Z', uploadsPerHour: 60, maxBytes: 1024 ** 3 }
    await openApiKeys(page, [
      { name: 'CI bot', scopes: ['upload'], ...limits },
      { name: 'a key with a name '.repeat(5) },
      { name: 'Static site', scopes: ['read'] },
    ])
  },
  'api-key-options': async (page) => {
    await openApiKeys(page, [])
    await page.getByLabel('Expires').selectOption('On a date...')
    await page.getByText('Limits', { exact: true }).click()
    await page.getByLabel('Uploads an hour').fill('0')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Choose today or a later day')).toBeVisible()
    await expect(page.getByText('Enter a whole number from 1 to 100,000')).toBeVisible()
  },
  'api-keys-empty': (page) => openApiKeys(page, []),
  'new-key': async (page) => {
    await openApiKeys(page, [])
    await page.getByLabel('Name').fill('CI bot')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Copy your API key' })).toBeVisible()
  },
  'delete-key': async (page) => {
    await openApiKeys(page, [{ name: 'CI bot' }])
    await page.getByRole('button', { name: 'Delete CI bot' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete API key' })).toBeVisible()
  },
  'tools-key': (page) => openTools(page, 'flameshot'),
  'tools-works': async (page) => {
    await openTools(page, 'greenshot')
    const key = /ik_[\w-]+/.exec(await page.getByRole('group', { name: 'Argument' }).innerText())?.[0] ?? ''
    await uploadFor(page, key, `${'a-name-without-end'.repeat(6)}.jpg`, '365d')
    await expect(page.getByText('It works')).toBeVisible({ timeout: 10_000 })
    await expect(page.getByRole('link', { name: 'Open the image' })).toBeVisible()
  },
  webhooks: (page) => openWebhooks(page),
  'webhooks-empty': async (page) => {
    await logIn(page)
    await page.goto('/api-keys?tab=webhooks')
    await expect(page.locator('.list-empty')).toBeVisible()
  },
  'webhook-options': async (page) => {
    await openWebhooks(page)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a URL that begins with https:// or http://')).toBeVisible()
  },
  'webhook-deliveries': async (page) => {
    await openWebhooks(page)
    await page.getByRole('button', { name: 'Send test: unknown.example' }).click()
    await expect(page.getByRole('dialog').getByText('its host is unknown')).toBeVisible({ timeout: 15_000 })
  },
}

async function openApiKeys(page: Page, keys: readonly object[]): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  for (const data of keys) await page.request.post('/api/api-keys', { headers, data })
  await page.goto('/api-keys')
  await expect(page.getByRole('rowheader')).toHaveCount(keys.length)
  if (keys.length === 0) await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()
}

/** Opens the set-up of a client with a new key. */
async function openTools(page: Page, client: string): Promise<void> {
  await logIn(page)
  await page.goto(`/tools?client=${client}`)
  await page.getByRole('button', { name: /^Create a key for / }).click()
  await expect(page.getByText(/^Waiting for an upload from /)).toBeVisible()
}

/** Two webhooks, of which one is off. */
async function openWebhooks(page: Page): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const long = `https://hooks.example.com/${'a-long-path/'.repeat(8)}`
  const all = ['image.uploaded', 'image.expiring', 'image.expired', 'image.deleted']
  const made = await page.request.post('/api/webhooks', { headers, data: { url: long, events: all } })
  const { id } = (await made.json()) as { id: string }
  await page.request.patch(`/api/webhooks/${id}`, { headers, data: { isActive: false } })
  const data = { url: 'https://unknown.example/hooks', events: ['image.uploaded'] }
  await page.request.post('/api/webhooks', { headers, data })
  await page.goto('/api-keys?tab=webhooks')
  await expect(page.getByText('Switched off by you.')).toBeVisible()
}
