import { useState } from 'react'
import type { NewApiKey } from '../../contract/api-keys.ts'
import { apiKeyList } from '../data/api-keys.ts'
import { refresh } from '../data/query-client.ts'
import { useSite } from '../data/site.ts'
import { CreateKeyForm } from '../features/api-keys/create-key-form.tsx'
import { KeyList } from '../features/api-keys/key-list.tsx'
import { NewKeyDialog } from '../features/api-keys/new-key-dialog.tsx'
import { Usage } from '../features/api-keys/usage.tsx'
import { pageTitle, titles } from '../texts/messages.ts'
import { useTitle } from '../ui/title.ts'
import '../features/api-keys/api-keys.css'

export function ApiKeysPage() {
  const { siteName } = useSite()
  useTitle(pageTitle(titles.apiKeys, siteName))
  const [created, setCreated] = useState<NewApiKey>()

  function show(key: NewApiKey): void {
    setCreated(key)
    void refresh(apiKeyList)
  }

  function discard(): void {
    setCreated(undefined)
    // The button that created it was disabled meanwhile, so the browser cannot return the focus to
    // it. Nothing outside the dialog can take the focus before the dialog has closed.
    requestAnimationFrame(() => document.getElementById('keys')?.focus())
  }

  return (
    <div className="page page-wide pt-8 md:pt-12">
      <h1 className="text-title">{titles.apiKeys}</h1>
      <Usage />
      <CreateKeyForm onCreated={show} />
      <KeyList />
      {created !== undefined && <NewKeyDialog apiKey={created.key} siteName={siteName} onDone={discard} />}
    </div>
  )
}
