// Selectors with a universal subject after a pseudo-class that the insertion, removal or focus of an element can change. At each
// such change Chromium recalculates the style of all descendants of the element (docs/performance.md, "What to keep in mind").
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../web')

function selectorsIn(css: string): string[] {
  const preludes = css.replaceAll(/\/\*.*?\*\//gs, '').match(/[^{};]+(?=\{)/g) ?? []
  return preludes
    .map((prelude) => prelude.trim())
    .filter((prelude) => !prelude.startsWith('@'))
    .flatMap((prelude) => withoutArguments(prelude).split(','))
}

/** With `.any` for `:is()` and `:where()`, whose arguments are mostly names. */
function withoutArguments(selector: string): string {
  const shorter = selector
    .replaceAll(/:(?:is|where)\([^()]*\)/g, '.any')
    .replaceAll(/:not\(([^()]*)\)/g, (_, excluded: string) => (changeable.test(excluded) ? ':has' : ''))
    .replaceAll(/\([^()]*\)/g, '')
  return shorter === selector ? selector : withoutArguments(shorter)
}

/** Whether the subject has no type, class, id or attribute, and a compound before it has a pseudo-class of `changeable`. */
function hasUniversalSubject(selector: string): boolean {
  const compounds = selector.trim().split(/\s*[\s>+~]\s*/)
  const subject = compounds.pop() ?? ''
  return /^[*:]/.test(subject) && !/[.#[]/.test(subject) && compounds.some((one) => changeable.test(one))
}
const changeable = /:(?:has|empty|focus-visible|(?:first|last|only|nth)-)/

test.each([
  ['.table tr:last-child > *', true],
  ['.table tr:last-child ::after', true],
  ['.row:focus-visible > :last-child', true],
  ['.figures:not(:has(.skeleton)) > :nth-child(n + 4)', true],
  ['.a, .table tr:first-child > :nth-child(2):not(.x)', true],
  ['.table tr:has(a:focus-visible)', false],
  ['.table tr:last-child > :is(td, th)', false],
  ['.x:first-child .y, .z > *', false],
  ['.x:has(> *, > p)', false],
  ['dl.figures > :nth-child(n + 4)', false],
])('%s is found: %s', (selector, expected) => {
  expect(selectorsIn(`${selector} { }`).some(hasUniversalSubject)).toBe(expected)
})

test('the style sheets have no such selector', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap((file) =>
    selectorsIn(readFileSync(join(folder, file), 'utf8'))
      .filter(hasUniversalSubject)
      .map((selector) => `${file}: ${selector.trim()}`),
  )
  expect(found).toEqual([])
})
