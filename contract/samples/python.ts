// For Python 3 with the requests package.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions, type SampleRequest } from './request.ts'
import { json, type Syntax, writeValue } from './write-value.ts'

export function pythonOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  const lines = [text(request.url), ...keywords(request)]
  const call = lines.length === 1 ? lines.join('') : `\n${lines.map((line) => `    ${line},\n`).join('')}`
  return [
    'import requests',
    '',
    `response = requests.${request.method.toLowerCase()}(${call})`,
    ...(request.isSaved
      ? save(request)
      : [`print(response.status_code, response.${request.reply === 'json' ? 'json()' : 'text'})`]),
  ].join('\n')
}

function keywords({ headers, json: body, form }: SampleRequest): string[] {
  // requests says the type of a JSON body by itself.
  const said = headers.filter(([name]) => name !== 'Content-Type')
  return [
    ...(said.length === 0 ? [] : [`headers=${writeValue(Object.fromEntries(said), python, '    ')}`]),
    ...(body === undefined ? [] : [`json=${writeValue(body, python, '    ')}`]),
    ...(form ? formFields(form) : []),
  ]
}

/** A form without a file is multipart when its texts are given as files without a name. */
function formFields({ file, texts }: Form): string[] {
  if (file === undefined) {
    const lines = texts.map(([name, value]) => `        ${text(name)}: (None, ${text(value)}),\n`)
    return [`files={\n${lines.join('')}    }`]
  }
  const data = Object.fromEntries(texts)
  return [
    `files={${text(file)}: open(${text(fileName)}, "rb")}`,
    ...(texts.length === 0 ? [] : [`data=${writeValue(data, python, '    ')}`]),
  ]
}

const save = ({ saveAs }: SampleRequest) => [
  'response.raise_for_status()',
  `with open(${text(saveAs)}, "wb") as file:`,
  '    file.write(response.content)',
  `print(response.status_code, ${text(`saved as ${saveAs}`)})`,
]

/** Every string of JSON is one of Python. */
const { text } = json

const python: Syntax = {
  ...json,
  words: { null: 'None', true: 'True', false: 'False' },
  pad: '',
  indent: '    ',
  trailingComma: true,
}
