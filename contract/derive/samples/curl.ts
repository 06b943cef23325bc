// cURL commands for a POSIX shell (docs/behaviour.md, "API documentation page").
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions } from './request.ts'
import { json, writeValue } from './write-value.ts'

export function curlOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  return [
    `curl -X ${request.method} ${quote(request.url)}`,
    ...request.headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(request.json === undefined ? [] : [`-d ${quote(writeValue(request.json, json, '  '))}`]),
    ...(request.form ? formFields(request.form) : []),
    ...(request.isFile ? [`--data-binary @${fileName}`] : []),
    // Its headers are the response.
    ...(request.response === 'none' ? ['-i'] : []),
    // An error response is printed, not saved as the file.
    ...(request.isSaved ? [`--fail -o ${request.saveAs}`] : []),
  ].join(' \\\n  ')
}

/** --form-string sends values literally; -F would interpret `@`, `<` and `;`. */
const formFields = ({ file, texts }: Form) => [
  ...(file === undefined ? [] : [`-F "${file}=@${fileName}"`]),
  ...texts.map(([name, value]) => `--form-string ${quote(`${name}=${value}`)}`),
]

/** For a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
