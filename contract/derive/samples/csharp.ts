// C# for .NET 8 and later: a Program.cs of top-level statements.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions, type SampleRequest } from './request.ts'
import { json, unicodeEscape, writeValue } from './write-value.ts'

export function csharpOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  const { method, url, headers } = request
  return [
    ...(request.json === undefined ? [] : ['using System.Text;', '']),
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${inCapital(method)}, ${text(url)});`,
    ...headers.filter(([name]) => name !== 'Content-Type').map(header),
    ...content(request),
    '',
    'using var response = await client.SendAsync(request);',
    ...(request.isSaved ? save(request) : request.response === 'none' ? printHeaders : print),
  ].join('\n')
}

const inCapital = (method: string) => method.charAt(0) + method.slice(1).toLowerCase()

const header = ([name, value]: [string, string]) =>
  `request.Headers.TryAddWithoutValidation(${text(name)}, ${text(value)});`

function content({ json: body, form, isFile, headers }: SampleRequest): string[] {
  if (isFile) {
    const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
    return [
      `request.Content = new StreamContent(File.OpenRead(${text(fileName)}));`,
      `request.Content.Headers.TryAddWithoutValidation("Content-Type", ${text(type)});`,
    ]
  }
  if (form) return formFields(form)
  if (body === undefined) return []
  const written = writeValue(body, json, '    ')
  // A raw string literal: delimited by more quotes than the text contains in a row.
  const longest = Math.max(2, ...[...written.matchAll(/"+/g)].map(([quotes]) => quotes.length))
  const quotes = '"'.repeat(longest + 1)
  return [
    `request.Content = new StringContent(${quotes}`,
    `    ${written}`,
    `    ${quotes}, Encoding.UTF8, "application/json");`,
  ]
}

const formFields = ({ file, texts }: Form) => [
  '',
  'using var form = new MultipartFormDataContent();',
  ...(file === undefined
    ? []
    : [`form.Add(new StreamContent(File.OpenRead(${text(fileName)})), ${text(file)}, ${text(fileName)});`]),
  ...texts.map(([name, value]) => `form.Add(new StringContent(${text(value)}), ${text(name)});`),
  'request.Content = form;',
]

const print = [
  'var body = await response.Content.ReadAsStringAsync();',
  'Console.WriteLine($"{(int)response.StatusCode} {body}");',
]

const printHeaders = ['Console.WriteLine($"{(int)response.StatusCode} {response.Headers}");']

const save = ({ saveAs }: SampleRequest) => [
  'response.EnsureSuccessStatusCode();',
  `using var file = File.Create(${text(saveAs)});`,
  'await response.Content.CopyToAsync(file);',
  `Console.WriteLine($"{(int)response.StatusCode} saved as ${saveAs}");`,
]

/** Characters that end a line of source are escaped as \u. */
const text = (given: string) =>
  `"${given.replace(/[\\"]/g, String.raw`\$&`).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, unicodeEscape)}"`
