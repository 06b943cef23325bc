// Texts of other hosts without their markup: titles, descriptions, names.
import { cleanName } from '../../contract/plain/clean-name.ts'

/** On one line, without markup and control characters: PostgreSQL stores no NUL. */
export const shorten = (text = '', maxLength: number) =>
  cleanName(withoutMarkup(text).replace(/\s+/g, ' ').slice(0, maxLength))

/** Some hosts keep descriptions in HTML, and have no other name for an image. */
export const withoutMarkup = (text: string) =>
  text.replace(/<\/?([a-z][a-z\d]*)(?:\s[^<>]*)?\/?>/gi, (markup, element: string) => {
    const name = element.toLowerCase()
    if (endsLine.has(name)) return ' '
    return ofText.has(name) ? '' : markup
  })
const endsLine = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'h4'])
/** Elements that editors of descriptions write. Anything else in angle brackets is what somebody wrote. */
const ofText = new Set(
  'a abbr b blockquote code del em font i img ins mark ol pre s small span strong sub sup u ul'.split(' '),
)
