// Which elements a selector may mean, by its last part alone: too many rather than too few.

import type { SvgElement } from './element.ts'

/** Combinators, attributes and pseudo-classes only narrow what the last part says, so they are left out. */
export function matcherOf(selectors: readonly string[]): Matcher {
  const compounds = selectors.map(readCompound)
  return ({ name, attributes }, classes) =>
    compounds.some(
      ({ tag, id, classNames }) =>
        (tag === undefined || tag === name) &&
        (id === undefined || id === attributes.get('id')) &&
        classNames.every((className) => classes.has(className)),
    )
}

/** The classes are those of the element, split once for all selectors. */
export type Matcher = (element: SvgElement, classes: ReadonlySet<string>) => boolean

function readCompound(selector: string) {
  const bare = withoutBrackets(selector).replace(/\s*([>+~])\s*/g, '$1')
  const last = bare.split(/[\s>+~]/).findLast((part) => part !== '') ?? ''
  const word = String.raw`[\p{L}\p{M}\p{N}_-]+`
  const all = (sign: string) => [...last.matchAll(new RegExp(`${sign}(${word})`, 'gu'))].map(([, one = '']) => one)
  const tag = new RegExp(`^${word}`, 'u').exec(last)?.[0]
  return { tag, id: all('#')[0], classNames: all(String.raw`\.`) }
}

/** Innermost first; the source is balanced. */
function withoutBrackets(selector: string): string {
  const shorter = selector.replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
  return shorter === selector ? selector : withoutBrackets(shorter)
}
