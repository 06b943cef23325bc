import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
// Not the router's hook: it decodes the query, and an encoded %2F in a name would be lost.
import { useLocationProperty, useSearch } from 'wouter/use-browser-location'
import { addressOf, addressText, type DetailTab, type DocsAddress } from './docs-address.ts'

export type DocsLocation = ReturnType<typeof useDocsAddress>

export function useDocsAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  )
  const [known, setKnown] = useState<DocsAddress['tab']>()
  const address = useMemo(() => addressOf(search, hash, known), [search, hash, known])
  if (address.tab !== known) setKnown(address.tab)
  return useMemo(() => locationOf(address, path, navigate), [address, path, navigate])
}

function locationOf(address: DocsAddress, path: string, navigate: ReturnType<typeof useLocation>[1]) {
  // Reads the current address, not that of the last render: a late callback must not restore an older one.
  const textOf = (change: Partial<DocsAddress>) =>
    path + addressText({ ...addressOf(location.search, location.hash, address.tab), ...change })
  const go = (change: Partial<DocsAddress>, options: { replace?: boolean; state?: unknown } = {}) =>
    navigate(textOf(change), options)

  return {
    ...address,
    go,
    hrefOf: (change: Partial<DocsAddress>) => path + addressText({ ...address, ...change }),
    openEndpoint: (endpoint: string, detail: DetailTab = 'examples') => go({ endpoint, detail }, { state: opened }),
    /** The history entry stays the one that opened the endpoint. */
    showDetail: (detail: DetailTab) => go({ detail }, { replace: true, state: history.state as unknown }),
    closeEndpoint: () => {
      // Opened by Back: nothing to do.
      if (!new URLSearchParams(location.search).has('e')) return
      if ((history.state as { isEndpoint?: boolean } | null)?.isEndpoint === true) history.back()
      else go({ endpoint: undefined }, { replace: true })
    },
  }
}

/** Marks the history entry that opened an endpoint, so that closing goes back over it. */
const opened = { isEndpoint: true }
