import { useState } from 'react'
import { useLocation } from 'wouter'
// The router's own hook answers the search decoded once already: %2F within a name would be lost.
import { useLocationProperty, useSearch } from 'wouter/use-browser-location'
import { addressOf, addressText, type DetailTab, type DocsAddress } from './docs-address.ts'

export type DocsPlace = ReturnType<typeof useDocsAddress>

export function useDocsAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  )
  const [known, setKnown] = useState<DocsAddress['tab']>()
  const address = addressOf(search, hash, known)
  if (address.tab !== known) setKnown(address.tab)

  // Of now, not of the last render: what is told late must not bring an older address back.
  const textOf = (change: Partial<DocsAddress>) =>
    path + addressText({ ...addressOf(location.search, location.hash, address.tab), ...change })
  const go = (change: Partial<DocsAddress>, options: { replace?: boolean; state?: unknown } = {}) =>
    navigate(textOf(change), options)

  return {
    ...address,
    go,
    hrefOf: (change: Partial<DocsAddress>) => path + addressText({ ...address, ...change }),
    openEndpoint: (endpoint: string, detail: DetailTab = 'examples') => go({ endpoint, detail }, { state: opened }),
    /** The entry in the history stays the one that opened the endpoint. */
    showDetail: (detail: DetailTab) => go({ detail }, { replace: true, state: history.state as unknown }),
    closeEndpoint: () => {
      // Whoever came by Back is there already.
      if (!new URLSearchParams(location.search).has('e')) return
      if ((history.state as { isEndpoint?: boolean } | null)?.isEndpoint === true) history.back()
      else go({ endpoint: undefined }, { replace: true })
    },
  }
}

/** Marks the entry that opening an endpoint has added to the history: closing it goes back over it. */
const opened = { isEndpoint: true }
