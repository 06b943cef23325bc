// Texts of visitors inside other people's code: one function for each place they can stand in. Whatever the text is, it
// must not end the literal it stands in, nor mean anything but itself there.

type Escape = (text: string) => string

/**
 * What no place can hold: line ends would close comments and strings; marks that turn the reading direction would show
 * other code than the one that runs; half a character cannot be encoded.
 */
export const oneLine: Escape = (text) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Cs}/gu, '\ufffd')

const entity = (sign: string) => `&#${sign.codePointAt(0)};`
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const backslash = (signs: RegExp): Escape => {
  return (text) => oneLine(text).replace(signs, (sign) => `\\${sign}`)
}
const hex = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Text and attribute values between double quotes; attributes of JSX and Vue are the same. */
export const html: Escape = (text) => oneLine(text).replace(/[&<>"']/g, (sign) => named[sign] ?? sign)

/** WordPress runs [shortcodes], in attributes too. */
export const wordpress: Escape = (text) => html(text).replace(/[[\]]/g, entity)

/** An attribute of an Angular template that itself stands between backticks: `{{` would be read after entities are. */
export const angular: Escape = (text) =>
  html(text)
    .replace(/[\\`$]/g, entity)
    .replaceAll('{', "{{ '{' }}")

/** Between double quotes in a script, which may stand in a page: `</script>` would end it. */
export const javascript: Escape = (text) => backslash(/[\\"]/g)(text).replaceAll('<', hex)

/** Between double quotes in a Blade file: Blade looks for its own signs in strings, too. */
export const blade: Escape = (text) => backslash(/[\\"$]/g)(text).replace(/[{}@<]/g, hex)

/** Between single quotes. */
export const dart: Escape = backslash(/[\\'$]/g)
export const kotlin: Escape = backslash(/[\\"$]/g)
/** Swift interpolates by `\(`. */
export const swift: Escape = backslash(/[\\"]/g)
export const python: Escape = backslash(/[\\"]/g)

/** What would end the description or format it, in Markdown, in HTML inside it, or in a table around it. */
export const markdown: Escape = backslash(/[\\[\]<>&*_`~|"]/g)
export const markdownAddress: Escape = (url) => url.replace(/[()<>\s\\]/g, percent)

export const percent: Escape = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
