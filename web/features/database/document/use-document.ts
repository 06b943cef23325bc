// The document that is looked at: of the page of the table, or, from a link or off the page, by itself.
import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/db-browser.ts'
import { ApiError } from '../../../data/api-error.ts'
import { fetchDocument, useDocumentPage } from '../../../data/documents.ts'

type Problem = 'gone' | 'failed'

/** What was read of it alone, and which rows the table had then: newer rows know better. */
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
  // It stays when it moves to another page of the table, until it is known how it is now.
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
    /** Reads it again, past the table. */
    read: () => read(),
    /** As the server has just answered it. */
    replace: (document: Document) => setOwn({ document, rows: rows.current }),
  }
}

async function readOwn(collection: string, id: string): Promise<Omit<Own, 'rows'>> {
  try {
    return { document: await fetchDocument(collection, id) }
  } catch (error) {
    console.info('The document could not be read', error)
    return { problem: error instanceof ApiError && error.status === 404 ? 'gone' : 'failed' }
  }
}
