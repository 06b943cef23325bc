// Selectors that make Chromium recalculate the style of much of a page (docs/performance.md, "What to keep in mind"): with a
// universal subject after a pseudo-class that the insertion, removal or focus of an element can change, and with a subject that
// is everywhere after :has(). A change within any element that some :has() is about looks for the subjects of all of them.
// A subject of :is() with types alone is tried on every element, the types written out on those of their type.
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

/** Whether the subject, after a compound with :has(), is a type or a class that most pages have dozens of. */
function hasCommonSubject(selector: string): boolean {
  const compounds = selector.trim().split(/\s*[\s>+~]\s*/)
  const subject = compounds.pop() ?? ''
  return (
    /^(?:div|span|p|a|button|svg|ul|li|t[rhd]|d[tld]|label|input|\.btn[\w-]*)(?![\w.#[-])/.test(subject) &&
    compounds.some((one) => one.includes(':has'))
  )
}

/** Whether the subject is of types alone within :is() or :where(). */
const hasWrappedTypes = (css: string) => /(?:^|[\s>+~])\s*:(?:is|where)\(\s*[a-z][^()]*\)\s*(?:[,{]|$)/m.test(css)

test.each([
  ['.table :is(th, td)', true],
  ['.table > tbody > :is(th, td), .x', true],
  ['.table th, .table td', false],
  [':is(.a, .b) > p', false],
  ['.a :is(.b, .c)', false],
  ['.tile:is(:hover, :focus)', false],
])('%s is tried on every element: %s', (selector, expected) => {
  expect(hasWrappedTypes(`${selector} { }`)).toBe(expected)
})

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

test.each([
  ['.bar:has(> .lead) .btn', true],
  ['.bar:has(> .lead) > div', true],
  ['.figure:not(:has(p)) > dt:first-child', true],
  ['.bar:has(> .lead) > .lead + div > .btn-sm', true],
  ['.row:not(:hover, :has(p)) > button', true],
  ['.bar:has(> .lead)', false],
  ['.bar:has(> .lead) > .lead', false],
  ['.bar:has(> div) > .btn.bar-button', false],
  ['main:has(.bar) ~ footer', false],
  ['.bar > div', false],
])('%s looks for what is everywhere: %s', (selector, expected) => {
  expect(selectorsIn(`${selector} { }`).some(hasCommonSubject)).toBe(expected)
})

test('the style sheets have no such selector', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap((file) => {
    const css = readFileSync(join(folder, file), 'utf8')
    return selectorsIn(css)
      .filter((selector) => hasUniversalSubject(selector) || hasCommonSubject(selector))
      .concat(hasWrappedTypes(css) ? ':is(types)' : [])
      .map((selector) => `${file}: ${selector.trim()}`)
  })
  expect(found).toEqual([])
})
