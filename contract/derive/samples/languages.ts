// The languages of the samples, in display order.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { csharpOf } from './csharp.ts'
import { curlOf } from './curl.ts'
import { javascriptOf } from './javascript.ts'
import { phpOf } from './php.ts'
import { pythonOf } from './python.ts'
import type { SampleOptions } from './request.ts'

export interface Language {
  id: LanguageId
  label: string
  write: (doc: EndpointDoc, options: SampleOptions) => string
}

export type LanguageId = 'curl' | 'javascript' | 'python' | 'php' | 'csharp'

export const languages: readonly Language[] = [
  { id: 'curl', label: 'cURL', write: curlOf },
  { id: 'javascript', label: 'JavaScript', write: javascriptOf },
  { id: 'python', label: 'Python', write: pythonOf },
  { id: 'php', label: 'PHP', write: phpOf },
  { id: 'csharp', label: 'C#', write: csharpOf },
]
