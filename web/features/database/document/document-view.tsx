import { useDatabaseMode } from '../../../data/database-mode.ts'
import { GuiFields } from './gui-fields.tsx'
import { JsonTree } from './json-tree.tsx'
import type { Container, JsonPath } from './json-path.ts'

interface Props {
  value: Container
  /** The path of the value in the document. */
  at: JsonPath
  onOpen: (path: JsonPath) => void
}

export function DocumentView(props: Props) {
  return useDatabaseMode() === 'json' ? <JsonTree {...props} /> : <GuiFields {...props} />
}
