// Which elements a selector can match, judged by its last compound only: an overestimate.

import type { SvgElement } from './element.ts'

/** Combinators, attributes and pseudo-classes only narrow the match, so they are ignored. */
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

/** Whether an element can match. @param classes the element's classes, split once for all selectors */
export type Matcher = (element: SvgElement, classes: ReadonlySet<string>) => boolean

function readCompound(selector: string) {
  const bare = withoutBrackets(selector).replace(/\s*([>+~])\s*/g, '$1')
  const last = bare.split(/[\s>+~]/).findLast((part) => part !== '') ?? ''
  const word = String.raw`[\p{L}\p{M}\p{N}_-]+`
  const all = (sign: string) => [...last.matchAll(new RegExp(`${sign}(${word})`, 'gu'))].map(([, one = '']) => one)
  const tag = new RegExp(`^${word}`, 'u').exec(last)?.[0]
  return { tag, id: all('#')[0], classNames: all(String.raw`\.`) }
}

/** Innermost first; the source has balanced brackets. */
function withoutBrackets(selector: string): string {
  const shorter = selector.replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
  return shorter === selector ? selector : withoutBrackets(shorter)
}
