// The state of the database view in the page's address: collection, page, document.

export interface DatabaseAddress {
  collection: string | undefined
  /** From 1. */
  page: number
  documentId: string | undefined
}

export function addressOf(search: string): DatabaseAddress {
  const given = new URLSearchParams(search)
  const page = given.get('page') ?? ''
  return {
    // The name of a collection is never empty.
    collection: given.get('db') || undefined,
    page: /^[1-9]\d{0,7}$/.test(page) ? Number(page) : 1,
    documentId: given.get('doc') || undefined,
  }
}

export function searchOf({ collection, page, documentId }: DatabaseAddress): string {
  if (collection === undefined) return ''
  const params = new URLSearchParams({ db: collection })
  if (page > 1) params.set('page', String(page))
  if (documentId !== undefined) params.set('doc', documentId)
  return `?${params.toString()}`
}
