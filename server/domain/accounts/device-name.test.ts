import { expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each<[string | null, string | undefined]>([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${like} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${like} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${like} Chrome/142.0.0.0 Safari/537.36`],
  [
    'Chrome on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
  ],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  [
    'Opera on macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${like} Chrome/142.0.0.0 Safari/537.36 OPR/124.0`,
  ],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${like} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  ],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  ],
  ['curl', 'curl/8.14.1'],
  ['Python', 'python-requests/2.32.5'],
  ['Node.js', 'node'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) SomethingNew/1.0'],
  [null, 'Your account is locked, call +1 555 0100'],
  [null, `${'x'.repeat(600)} Firefox/145.0`],
  [null, ''],
  [null, undefined],
])('names %s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name)
})
