// The document that is open: a row of the loaded page, or loaded by itself when the page does not contain it.
import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { ApiError } from '../../../model/api-error.ts'
import { fetchDocument, useDocumentPage } from '../documents.ts'

type Problem = 'missing' | 'failed'

/** The document as loaded by itself, and the rows at that time: newer rows replace it. */
interface Own {
  document?: Document
  problem?: Problem
  rows: readonly Document[]
}

export function useDocument(collection: string, id: string) {
  const page = useDocumentPage()
  const isOurs = page.collection === collection
  const row = isOurs ? page.rows.find(({ _id }) => _id === id) : undefined
  const [own, setOwn] = useState<Own>()
  const isOwnNewest = own !== undefined && own.rows === page.rows
  const found = isOwnNewest ? own.document : row
  // When the document moves to another page of the table, it stays shown until it is loaded again.
  const [known, setKnown] = useState(found)
  if (found !== undefined && found !== known) setKnown(found)

  const rows = useRef(page.rows)
  useEffect(() => void (rows.current = page.rows), [page.rows])

  async function read(isWanted = () => true): Promise<void> {
    const result = await readOwn(collection, id)
    if (isWanted()) setOwn({ ...result, rows: rows.current })
  }

  const isNeeded = isOurs && page.status !== 'loading' && row === undefined && !isOwnNewest
  useEffect(() => {
    if (!isNeeded) return undefined
    let isCurrent = true
    void read(() => isCurrent)
    return () => void (isCurrent = false)
  }, [isNeeded, page.rows]) // oxlint-disable-line react-hooks/exhaustive-deps -- once for each page that lacks it

  return {
    document: found ?? known,
    problem: isOwnNewest ? own.problem : undefined,
    /** Loads it again, independent of the table. */
    read: () => read(),
    /** Takes the document from a server response. */
    replace: (document: Document) => setOwn({ document, rows: rows.current }),
  }
}

async function readOwn(collection: string, id: string): Promise<Omit<Own, 'rows'>> {
  try {
    return { document: await fetchDocument(collection, id) }
  } catch (error) {
    console.info('The document could not be read', error)
    return { problem: error instanceof ApiError && error.status === 404 ? 'missing' : 'failed' }
  }
}
