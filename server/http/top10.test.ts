// docs/security-api-top10.md names tests: they are there, and none of the ten risks is without one.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const rows = readFileSync(new URL('docs/security-api-top10.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| API'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

it('each of the ten risks has a test', () => {
  const risks = new Set(rows.map(([, risk = '']) => /^API(\d+)/.exec(risk)?.[1]))
  expect([...risks].map(Number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

it.each(rows.map(([, , , file = '', test = '']) => [file.replaceAll('`', ''), test]))('%s: %s', (file, test) => {
  expect(readFileSync(new URL(file, root), 'utf8')).toContain(test)
})
