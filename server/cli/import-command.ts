import { resolve } from 'node:path'
import { limits } from '../../contract/plain/limits.ts'
import { readDocument, toBody } from '../domain/database-view/document-rules.ts'
import { insertDocuments } from '../domain/database-view/insert-documents.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { inBatches } from '../domain/shared/batches.ts'
import { type Command, namedArguments } from '../command.ts'
import { readObjects } from './json-objects.ts'

/** Whitespace and extended JSON make the text longer than the stored document. */
const maxTextLength = 4 * limits.documents.maxBytes

export const importCommand: Command = {
  usage: 'import NAME FILE',
  help: 'adds the documents of a file to a collection of the database view',
  details:
    'FILE contains a JSON array, NDJSON, or the output of mongoexport. The whole file is validated before the first\n' +
    'document is added. Documents whose _id already exists are skipped.',
  async run({ deps, args, print }) {
    const { NAME, FILE } = namedArguments(args, 'NAME', 'FILE')
    const path = resolve(FILE)
    let count = 0
    for await (const document of documentsIn(path)) {
      count++
      toBody(readDocument(document).fields)
    }
    if (count === 0) throw new CommandRefused(`${path} contains no document`)
    let inserted = 0
    for await (const batch of inBatches(documentsIn(path), limits.documents.maxPerInsert)) {
      inserted += (await insertDocuments(deps, NAME, batch, { actor: 'command_line' }, 'skip')).inserted
    }
    print(
      `${inserted} documents were added to ${NAME}${inserted < count ? `, ${count - inserted} already existed` : ''}.`,
    )
  },
}

async function* documentsIn(path: string): AsyncGenerator<unknown> {
  let number = 0
  for await (const text of readObjects(path, maxTextLength)) {
    number++
    try {
      yield JSON.parse(text)
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new CommandRefused(`Document ${number} of ${path} is not valid JSON`, { cause: error })
      throw error
    }
  }
}
