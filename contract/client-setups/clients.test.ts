import { expect, test } from 'vitest'
import { clientIds, clients, isClientId, setupParts } from './clients.ts'
import { siteFileName } from './sharex.ts'

const origin = 'https://pics.example'
const site = { origin, siteName: 'My "Pics"', key: 'ik_1' }
const { key: _, ...guest } = site

const textOf = (id: (typeof clientIds)[number], of: typeof guest) =>
  setupParts(id, of)
    .map(({ label, text }) => `${label}: ${text}`)
    .join('\n')

test.each(clientIds.filter((id) => id !== 'android'))('the set-up of %s names this site and the key', (id) => {
  expect(textOf(id, site)).toContain(origin)
  expect(textOf(id, site)).toContain('ik_1')
  expect(textOf(id, site)).not.toMatch(/undefined/)
})

test.each(clientIds.filter((id) => id !== 'android' && !('needsKey' in clients[id])))(
  'the set-up of %s for a guest has no credential',
  (id) => {
    expect(textOf(id, guest)).toContain(origin)
    expect(textOf(id, guest)).not.toMatch(/undefined|bearer|authorization|\/k\/|key=/i)
  },
)

test('Android needs no settings: its users share to the installed site', () => {
  expect(setupParts('android', site)).toEqual([])
})

test('the parts of a client have different labels', () => {
  for (const id of clientIds) {
    const labels = setupParts(id, site).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  }
})

test.each([
  ['sharex', true],
  ['SHAREX', false],
  ['toString', false],
  ['', false],
  [null, false],
])('%j is a client: %s', (id, expected) => {
  expect(isClientId(id)).toBe(expected)
})

test('the headers in the file of PicGo are JSON in a string', () => {
  const config = JSON.parse(setupParts('picgo', site)[0]?.text ?? '')
  const uploader = config.picBed['web-uploader']
  expect({ ...uploader, customHeader: JSON.parse(uploader.customHeader) }).toEqual({
    url: 'https://pics.example/api/upload',
    paramName: 'image',
    jsonPath: 'url',
    customHeader: { Authorization: 'Bearer ik_1' },
  })
})

test.each([
  ['Image Host', 'image-host.sxcu'],
  ['  Dana’s / Pics! ', 'dana-s-pics.sxcu'],
  ['Größe', 'größe.sxcu'],
  ['../..', 'image-host.sxcu'],
])('the file of %s is %s', (name, expected) => {
  expect(siteFileName(name, 'sxcu')).toBe(expected)
})
