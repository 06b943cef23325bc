import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settings } from './config.ts'
import { findUnknownSettings } from './unknown-settings.ts'

const textsOf = (environment: Record<string, string>) => findUnknownSettings(environment).map(({ text }) => text)

it.each([
  ['USER_MAX_BYTE', 'USER_MAX_BYTE is not a setting. Did you mean USER_MAX_BYTES?'],
  ['GUEST_UPLOAD', 'GUEST_UPLOAD is not a setting. Did you mean GUEST_UPLOADS?'],
  ['guest_uploads', 'guest_uploads is not a setting. Did you mean GUEST_UPLOADS?'],
  ['PROT', undefined],
  ['PORTS', 'PORTS is not a setting. Did you mean PORT?'],
  ['SMPT_URL_FILE', 'SMPT_URL_FILE is not a setting. Did you mean SMTP_URL_FILE?'],
  ['USER_MAX_BYTES_FILE', 'USER_MAX_BYTES_FILE is ignored: only secrets can be in files. Set USER_MAX_BYTES'],
  ['IMAGE_HOST_PORT', 'IMAGE_HOST_PORT is not a setting. docs/configuration.md lists them'],
  ['S3_FORCE_PATH_STYLE', 'S3_FORCE_PATH_STYLE is not a setting. docs/configuration.md lists them'],
])('a variable %s: %s', (name, text) => {
  expect(textsOf({ [name]: 'off' })).toEqual(text === undefined ? [] : [text])
})

it('says nothing of settings, of secrets in files, of the command, and of what others put into an environment', () => {
  const own = [...Object.keys(settings), 'SMTP_URL_FILE', 'IMAGE_HOST_URL', 'IMAGE_HOST_KEY']
  const others = [
    'HOME',
    'PATH',
    'PWD',
    'USER',
    'LOGNAME',
    'SHELL',
    'TERM',
    'HOSTNAME',
    'NODE_ENV',
    'USER_ID',
    'DOMAIN',
  ]
  expect(textsOf(Object.fromEntries([...own, ...others].map((name) => [name, 'x'])))).toEqual([])
  const kubernetes = {
    IMAGE_HOST_PORT: 'tcp://10.96.0.12:80',
    IMAGE_HOST_SERVICE_HOST: '10.96.0.12',
    IMAGE_HOST_SERVICE_PORT: '80',
    IMAGE_HOST_PORT_80_TCP_PORT: '80',
  }
  expect(textsOf(kubernetes)).toEqual([])
})

it('names every unknown line of the file of settings, except what is there for others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-host-names-'))
  const file = join(folder, 'server.env')
  writeFileSync(
    file,
    '# COLOUR=blue\nCOLOUR=red\nSITE_NAME=Here\nDOMAIN=img.example.com\nNODE_EXTRA_CA_CERTS=/ca.pem\n',
  )
  const environment = { COLOUR: 'red', SITE_NAME: 'Here', DOMAIN: 'img.example.com', NODE_EXTRA_CA_CERTS: '/ca.pem' }
  try {
    expect(textsOf({ ...environment, IMAGE_HOST_ENV_FILE: file })).toEqual([
      `COLOUR in ${file} is not a setting. docs/configuration.md lists them`,
    ])
    expect(textsOf(environment)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
